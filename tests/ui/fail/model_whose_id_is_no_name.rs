use callboard::model;


#[model(catalog = "bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0")]
struct Sonnet;

#[model(provider = "acme", id = "house:large")]
struct House;

fn main() {}
