use callboard::agent;

#[agent]
async fn summarizer(prompt: &str) -> String {
    prompt.to_owned()
}

#[agent(name = "summarizer")]
async fn shorten(prompt: &str) -> String {
    prompt.to_owned()
}

fn main() {}
