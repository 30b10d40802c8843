use callboard::tool;

struct Query {
    text: String,
}

#[tool]
async fn search(#[args] query: &Query) -> String {
    query.text.clone()
}

fn main() {}
