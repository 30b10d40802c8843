use callboard::tool;

#[tool]
async fn option(key: String) -> String {
    key
}

fn main() {}
