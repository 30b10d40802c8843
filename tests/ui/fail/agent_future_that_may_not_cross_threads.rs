use std::rc::Rc;

use callboard::agent;

async fn pause() {}

#[agent]
async fn summarizer(prompt: &str) -> String {
    let prompt = Rc::new(prompt.to_owned());
    pause().await;
    prompt.to_uppercase()
}

fn main() {}
