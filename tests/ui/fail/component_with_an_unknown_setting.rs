use callboard::component;

component!(Reducer, "append_messages", "Adds messages.", version = "1");

fn main() {}
