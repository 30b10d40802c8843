use callboard::component;

component!(Store, "../orders", "Where orders are kept.");

fn main() {}
