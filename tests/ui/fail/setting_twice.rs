use callboard::tool;

#[tool(risk = "low", risk = "high")]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
