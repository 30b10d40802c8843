use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


#[router]
enum Workload {
    #[route(alias = "long-v1", model = Gpt4o, min_context = 200_000)]
    Long,
    #[route(alias = "middle-v1", model = Gpt4o, min_context = 100_000, fallbacks(House))]
    Middle,
}

fn main() {}
