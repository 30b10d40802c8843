use callboard::tool;

#[tool(read_only idempotent)]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
