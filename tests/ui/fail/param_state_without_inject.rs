use callboard::{State, tool};

struct Database;

#[tool]
async fn count(State(_db): State<'_, Database>) -> u64 {
    0
}

fn main() {}
