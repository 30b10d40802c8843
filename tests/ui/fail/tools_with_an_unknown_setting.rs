use callboard::tools;

struct Calculator;

#[tools(prefix = "calculator")]
impl Calculator {
    #[tool]
    fn add(&self, left: i64, right: i64) -> i64 {
        left + right
    }
}

fn main() {}
