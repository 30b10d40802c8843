use callboard::tools;

struct Calculator;

#[tools]
impl Calculator {
    fn add(&self, left: i64, right: i64) -> i64 {
        left + right
    }
}

fn main() {
    let _ = Calculator.add(1, 2);
}
