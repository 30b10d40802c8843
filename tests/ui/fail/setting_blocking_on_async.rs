use callboard::tool;

#[tool(blocking)]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
