use callboard::{FromToolCall, tool};

#[tool]
async fn count(#[inject] db: impl FromToolCall<'_>) -> u64 {
    let _ = db;
    0
}

fn main() {}
