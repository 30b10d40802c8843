use callboard::tool;

#[tool]
async fn übersetze(text: String) -> String {
    text
}

fn main() {}
