use callboard::model;


#[model(provider = "acme", marker = Other)]
struct House<T>(T);

fn main() {}
