use callboard::component;

component!(Reducer);

fn main() {}
