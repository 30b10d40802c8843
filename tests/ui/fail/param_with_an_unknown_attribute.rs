use callboard::tool;

#[tool]
async fn shout(#[describe("what to say")] text: String) -> String {
    text.to_uppercase()
}

fn main() {}
