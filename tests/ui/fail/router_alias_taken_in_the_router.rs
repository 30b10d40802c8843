use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


#[router]
enum Workload {
    #[route(alias = "chat", model = Gpt4o)]
    First,
    #[route(model = House)]
    Chat,
    #[route(alias = "workload", model = House)]
    Last,
}

fn main() {}
