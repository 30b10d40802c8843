use callboard::tool;

#[tool(tags(files, 1))]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
