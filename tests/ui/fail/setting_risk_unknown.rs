use callboard::tool;

#[tool(risk = "critical")]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
