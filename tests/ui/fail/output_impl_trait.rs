use callboard::tool;

#[tool]
async fn list() -> impl Iterator<Item = u32> {
    0..3
}

fn main() {}
