use callboard::component;

component!(Agent, "summarizer");

fn main() {}
