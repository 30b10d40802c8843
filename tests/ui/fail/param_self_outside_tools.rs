use callboard::tool;

struct Calculator {
    base: i64,
}

impl Calculator {
    #[tool]
    async fn plus(&self, n: i64) -> i64 {
        self.base + n
    }
}

fn main() {}
