use callboard::component;

component!(Reducer, "append_messages", "Adds messages.", tags(""));

fn main() {}
