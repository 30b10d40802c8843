use callboard::model;


#[model(provider = "acme", window = 32_000)]
struct House;

fn main() {}
