use callboard::{State, tool};

struct Config {
    name: String,
}

#[tool]
async fn name(#[inject] State(config): State<'_, Config>) -> &str {
    &config.name
}

fn main() {}
