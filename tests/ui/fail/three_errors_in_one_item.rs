use callboard::tool;

#[tool(name = "shout it", risk = "none")]
async fn shout(text: &str) -> String {
    text.to_uppercase()
}

fn main() {}
