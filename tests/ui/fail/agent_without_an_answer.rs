use callboard::agent;

#[agent]
async fn summarizer(prompt: &str) {
    let _ = prompt;
}

fn main() {}
