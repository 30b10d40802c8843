use callboard::model;


#[model(catalog = "opnai/gpt-4o")]
struct Gpt4o;

fn main() {}
