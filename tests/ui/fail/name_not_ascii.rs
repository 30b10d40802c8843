use callboard::tool;

#[tool(name = "übersetze")]
async fn translate(text: String) -> String {
    text
}

fn main() {}
