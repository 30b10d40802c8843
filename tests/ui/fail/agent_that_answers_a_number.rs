use callboard::agent;

#[agent]
async fn summarizer(prompt: &str) -> usize {
    prompt.len()
}

fn main() {}
