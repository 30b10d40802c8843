use callboard::tool;

#[tool]
mod calculator {
    pub fn add(left: i64, right: i64) -> i64 {
        left + right
    }
}

fn main() {
    let _ = calculator::add(1, 2);
}
