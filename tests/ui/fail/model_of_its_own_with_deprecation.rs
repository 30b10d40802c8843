use callboard::model;


#[model(provider = "acme", deny_deprecated)]
struct House;

fn main() {}
