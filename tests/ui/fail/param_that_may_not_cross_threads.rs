use std::rc::Rc;

use callboard::tool;

#[tool]
async fn shout(text: Rc<String>) -> String {
    text.to_uppercase()
}

fn main() {}
