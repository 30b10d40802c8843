use callboard::component;

component!();

fn main() {}
