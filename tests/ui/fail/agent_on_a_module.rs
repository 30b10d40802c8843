use callboard::agent;

#[agent]
mod agents {}

fn main() {}
