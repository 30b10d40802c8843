use callboard::{Respond, agent};

#[agent(marker = Shortener)]
#[derive(Default)]
struct Summarizer;

impl Respond for Summarizer {
    type Error = String;

    async fn respond(&self, prompt: &str) -> Result<String, String> {
        Ok(prompt.to_owned())
    }
}

fn main() {}
