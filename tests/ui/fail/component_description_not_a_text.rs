use callboard::component;

component!(Reducer, "append_messages", 5);

fn main() {}
