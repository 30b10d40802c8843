use callboard::{model, router};

#[model(catalog = "openai/gpt-4oo")]
struct Gpt4o;

#[router]
enum Workload {
    // The wrong key is the only error.
    #[route(model = Gpt4o, requires(vision), min_context = 1_000)]
    Chat,
}

fn main() {}
