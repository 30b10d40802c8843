use std::rc::Rc;

use callboard::tool;

async fn pause() {}

#[tool]
async fn shout(text: String) -> String {
    let text = Rc::new(text);
    pause().await;
    text.to_uppercase()
}

fn main() {}
