use callboard::tool;

#[tool(tags("files", " "))]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
