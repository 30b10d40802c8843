use callboard::agent;

#[agent]
fn summarizer(prompt: &str) -> String {
    prompt.to_owned()
}

fn main() {}
