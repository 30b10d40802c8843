use callboard::{Respond, agent};

#[agent]
async fn code_reviewer(prompt: &str) -> String {
    prompt.to_owned()
}

mod typed {
    use super::{Respond, agent};

    #[agent]
    #[derive(Default)]
    pub struct CodeReviewer;

    impl Respond for CodeReviewer {
        type Error = String;

        async fn respond(&self, prompt: &str) -> Result<String, String> {
            Ok(prompt.to_owned())
        }
    }
}

fn main() {}
