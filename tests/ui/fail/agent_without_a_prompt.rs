use callboard::agent;

#[agent]
async fn summarizer() -> String {
    String::new()
}

fn main() {}
