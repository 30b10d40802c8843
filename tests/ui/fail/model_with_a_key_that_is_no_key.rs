use callboard::model;


#[model(catalog = "gpt-4o")]
struct Gpt4o;

fn main() {}
