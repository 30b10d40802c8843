use callboard::tool;

trait Calculator {
    #[tool]
    fn add(left: i64, right: i64) -> i64;
}

fn main() {}
