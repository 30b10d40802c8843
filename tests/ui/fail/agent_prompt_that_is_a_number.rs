use callboard::agent;

#[agent]
async fn summarizer(prompt: u32) -> String {
    prompt.to_string()
}

fn main() {}
