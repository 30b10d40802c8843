use callboard::tool;

#[tool]
unsafe fn add(left: i64, right: i64) -> i64 {
    left + right
}

fn main() {}
