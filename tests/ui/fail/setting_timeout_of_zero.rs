use callboard::tool;

#[tool(timeout = "0s")]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
