use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


#[router]
enum Workload {
    #[route(alias = "chat-v1", model = House, requires(vision))]
    Chat,
}

fn main() {}
