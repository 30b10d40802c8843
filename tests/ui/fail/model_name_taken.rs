use callboard::model;


#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

mod other {
    #[callboard::model(catalog = "azure/gpt-4o")]
    struct Gpt4o;
}

fn main() {}
