use callboard::{Respond, agent};

#[agent]
struct Summarizer {
    limit: usize,
}

impl Respond for Summarizer {
    type Error = String;

    async fn respond(&self, prompt: &str) -> Result<String, String> {
        Ok(prompt.chars().take(self.limit).collect())
    }
}

fn main() {}
