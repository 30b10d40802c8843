use callboard::component;

component!(Tool, "add");

fn main() {}
