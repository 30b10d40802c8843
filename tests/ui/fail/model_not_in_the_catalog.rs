use callboard::model;


#[model(catalog = "openai/gpt-4oo")]
struct Gpt4o;

fn main() {}
