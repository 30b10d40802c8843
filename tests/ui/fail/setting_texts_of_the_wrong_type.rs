use callboard::tool;

#[tool(title, description = 1, version = 1.0, risk = low, timeout = 5)]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
