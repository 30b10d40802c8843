use callboard::tools;

trait Add {
    fn add(&self, left: i64, right: i64) -> i64;
}

struct Calculator;

#[tools]
impl Add for Calculator {
    #[tool]
    fn add(&self, left: i64, right: i64) -> i64 {
        left + right
    }
}

fn main() {}
