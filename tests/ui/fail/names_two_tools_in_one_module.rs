use callboard::tool;

#[tool]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

#[tool(name = "add")]
async fn sum(numbers: Vec<i64>) -> i64 {
    numbers.into_iter().sum()
}

fn main() {}
