use callboard::{model, router};

#[model(provider = "acme")]
struct House;

#[router]
enum Workload {
    #[route(alias = "long-v1", model = House, min_context = 1)]
    Long,
}

fn main() {}
