use callboard::tool;

#[tool]
async fn find_order(id: u64) -> Result<u64, Box<dyn std::error::Error>> {
    Ok(id)
}

fn main() {}
