use std::borrow::Cow;

use callboard::tool;

#[tool]
async fn shout(text: Cow<'_, str>) -> String {
    text.to_uppercase()
}

fn main() {}
