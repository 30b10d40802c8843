use callboard::agent;

#[agent]
async fn summarizer<T: Into<String>>(prompt: T) -> String {
    prompt.into()
}

fn main() {}
