use callboard::component;

component!(Recuder, "append_messages");

fn main() {}
