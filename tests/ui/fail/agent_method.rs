use callboard::agent;

struct Summarizer;

impl Summarizer {
    #[agent]
    async fn summarize(&self, prompt: &str) -> String {
        prompt.to_owned()
    }
}

fn main() {}
