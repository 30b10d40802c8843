use callboard::component;

component!(Model, "gpt-4o");

fn main() {}
