use callboard::tool;

#[tool(read_only, destructive)]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
