use callboard::model;


#[model(catalog = "openai/gpt-4o", context = 32_000, supports(vision))]
struct Gpt4o;

fn main() {}
