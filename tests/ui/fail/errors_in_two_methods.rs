use callboard::tools;

struct Text;

#[tools]
impl Text {
    #[tool]
    async fn shout(&self, text: &str) -> String {
        text.to_uppercase()
    }

    #[tool(risk = "none")]
    async fn whisper(&self, text: String) -> String {
        text.to_lowercase()
    }
}

fn main() {}
