use callboard::tool;

#[tool(timeout = "5")]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
