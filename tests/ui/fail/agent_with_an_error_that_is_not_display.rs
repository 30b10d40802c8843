use callboard::agent;

struct Refused;

#[agent]
async fn summarizer(prompt: &str) -> Result<String, Refused> {
    if prompt.is_empty() {
        Err(Refused)
    } else {
        Ok(prompt.to_owned())
    }
}

fn main() {}
