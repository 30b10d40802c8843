use callboard::{State, tool};

struct Config;

#[tool]
async fn config(#[inject] config: State<'_, Config>) -> State<'_, Config> {
    config
}

fn main() {}
