use callboard::tool;

#[tool]
struct Calculator {
    base: i64,
}

fn main() {
    let _ = Calculator { base: 1 }.base;
}
