use callboard::agent;

#[agent]
async fn summarizer(prompt: &str, limit: u32) -> String {
    prompt.chars().take(limit as usize).collect()
}

fn main() {}
