use callboard::tool;

#[tool]
async fn shout(#[serde(requierd)] text: String) -> String {
    text.to_uppercase()
}

fn main() {}
