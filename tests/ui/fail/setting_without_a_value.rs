use callboard::tool;

#[tool(risk = )]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
