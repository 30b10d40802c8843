use callboard::model;


#[model(provider = "acme", context = 1_000, output = 4_000)]
struct House;

fn main() {}
