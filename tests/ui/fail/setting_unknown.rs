use callboard::tool;

#[tool(readonly)]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
