use callboard::agent;

#[agent]
const SUMMARIZER: &str = "Summarize.";

fn main() {}
