use callboard::agent;

#[agent]
async unsafe fn summarizer(prompt: String) -> String {
    prompt
}

fn main() {}
