use callboard::tool;

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Query {
    text: String,
}

#[tool]
async fn search(#[args] query: Query, limit: u32) -> String {
    query.text.repeat(limit as usize)
}

fn main() {}
