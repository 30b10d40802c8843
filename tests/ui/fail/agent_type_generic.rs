use callboard::{Respond, agent};

#[agent]
#[derive(Default)]
struct Summarizer<T>(T);

impl<T: Send + Sync + 'static> Respond for Summarizer<T> {
    type Error = String;

    async fn respond(&self, prompt: &str) -> Result<String, String> {
        Ok(prompt.to_owned())
    }
}

fn main() {}
