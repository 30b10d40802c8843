use callboard::tool;

#[tool]
async fn shout(ref text: String) -> String {
    text.to_uppercase()
}

fn main() {}
