use callboard::agent;

#[agent(model = "gpt-4o")]
async fn summarizer(prompt: &str) -> String {
    prompt.to_owned()
}

fn main() {}
