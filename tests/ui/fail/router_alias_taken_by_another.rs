use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


#[router]
enum Workload {
    #[route(alias = "chat-v1", model = Gpt4o)]
    Chat,
}

#[router]
enum Other {
    #[route(alias = "chat-v1", model = House)]
    Chat,
}

#[router(name = "chat-v1")]
fn by_intent() {}

fn main() {}
