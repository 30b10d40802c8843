use callboard::tool;

#[tool(marker = tools::ListFiles)]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
