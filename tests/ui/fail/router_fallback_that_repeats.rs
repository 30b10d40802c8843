use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


use House as Home;

#[router]
enum Workload {
    #[route(alias = "chat-v1", model = House, fallbacks(Gpt4o, Home))]
    Chat,
    #[route(alias = "other-v1", model = House, fallbacks(Gpt4o, Gpt4o))]
    Other,
}

fn main() {}
