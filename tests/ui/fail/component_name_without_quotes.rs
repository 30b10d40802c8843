use callboard::component;

component!(Reducer, append_messages);

fn main() {}
