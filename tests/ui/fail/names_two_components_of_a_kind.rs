use callboard::component;

component!(Reducer, "append_messages", "Adds messages at the end.");

mod chat {
    callboard::component!(Reducer, "append_messages");
}

fn main() {}
