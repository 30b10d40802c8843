use std::rc::Rc;

use callboard::tools;

async fn pause() {}

struct Text;

#[tools]
impl Text {
    #[tool]
    async fn shout(&self, text: String) -> String {
        let text = Rc::new(text);
        pause().await;
        text.to_uppercase()
    }
}

fn main() {}
