use callboard::tool;

#[tool]
async fn list() -> Result<impl Iterator<Item = u32>, String> {
    Ok(0..3)
}

fn main() {}
