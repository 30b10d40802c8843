use callboard::{model, router};

#[model(catalog = "openai/o3-mini")]
struct O3Mini;

#[router]
enum Workload {
    #[route(alias = "chat-v1", model = O3Mini, requires(vision))]
    Chat,
}

fn main() {}
