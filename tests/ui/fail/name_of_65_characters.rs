use callboard::tool;

#[tool(name = "a2345678901234567890123456789012345678901234567890123456789012345")]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

fn main() {}
