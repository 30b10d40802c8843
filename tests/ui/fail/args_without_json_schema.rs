use callboard::tool;

#[derive(callboard::serde::Deserialize)]
#[serde(crate = "callboard::serde")]
struct Query {
    text: String,
}

#[tool]
async fn search(#[args] query: Query) -> String {
    query.text
}

fn main() {}
