use callboard::tool;

#[tool]
async fn shout(text: Option<&str>) -> String {
    text.unwrap_or("hello").to_uppercase()
}

fn main() {}
