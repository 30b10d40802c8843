use callboard::model;


#[model(catalog = "openai/gpt-3.5-turbo", deny_deprecated)]
struct Turbo;

fn main() {}
