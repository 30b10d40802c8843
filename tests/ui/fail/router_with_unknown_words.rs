use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


#[router(policy = "best")]
enum Workload {
    #[route(model = Gpt4o, requires(visoin, vision, vision), fallback(House), min_context = "big")]
    Chat,
    #[route(model = "gpt-4o", fallbacks("house"))]
    Quoted,
}

fn main() {}
