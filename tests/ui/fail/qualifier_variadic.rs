use callboard::tool;

#[tool]
fn add(first: i64, others: ...) -> i64 {
    first
}

fn main() {}
