use callboard::model;


#[model(catalog = "openai/gpt-4o", deny_deprecated = "2027-02-29")]
struct Gpt4o;

fn main() {}
