use callboard::{model, router};

#[model(catalog = "openai/gpt-4o")]
struct Gpt4o;

#[model(provider = "acme", context = 32_000, supports(tool_calling))]
struct House;


#[router]
enum Workload {
    Plain,
    #[route(model = Gpt4o)]
    Fields(u32),
    #[route(model = Gpt4o)]
    #[route(model = House)]
    Twice,
    #[route]
    Bare,
    #[route(alias = "no model")]
    Named,
}

fn main() {}
