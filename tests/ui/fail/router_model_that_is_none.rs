use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


struct Nothing;

#[router]
enum Workload {
    #[route(model = Nothing, requires(vision), min_context = 1_000)]
    Chat,
    #[route(model = Gpt4o, fallbacks(Missing))]
    Other,
}

fn main() {}
