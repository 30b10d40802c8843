use callboard::tool;

#[tool("lists files")]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
