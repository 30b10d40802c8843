use callboard::tool;

struct Database;

#[tool]
async fn count(#[inject] db: &Database) -> u64 {
    let _ = db;
    0
}

fn main() {}
