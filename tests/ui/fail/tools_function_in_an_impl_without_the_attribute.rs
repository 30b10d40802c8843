use callboard::tool;

struct Calculator;

impl Calculator {
    /// Adds.
    #[tool]
    async fn add(left: i64, right: i64) -> i64 {
        left + right
    }
}

fn main() {}
