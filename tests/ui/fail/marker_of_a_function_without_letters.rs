use callboard::tool;

#[tool]
async fn __(key: String) -> String {
    key
}

fn main() {}
