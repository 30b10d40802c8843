use callboard::tools;

#[tools]
struct Calculator;

fn main() {}
