use callboard::agent;

#[agent]
#[derive(Default)]
struct Summarizer;

fn main() {}
