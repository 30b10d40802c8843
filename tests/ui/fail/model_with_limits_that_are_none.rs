use callboard::model;


#[model(provider = "acme", context = 0, input = "many", output = 2_000_000_000)]
struct House;

fn main() {}
