use callboard::model;


#[model(provider = "Acme Inc", id = "a \"b\"")]
struct House;

fn main() {}
