use callboard::agent;

#[agent(name = "code reviewer")]
async fn reviewer(prompt: &str) -> String {
    prompt.to_owned()
}

fn main() {}
