use callboard::tool;

#[tool(tags("files", "disk", "files"))]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
