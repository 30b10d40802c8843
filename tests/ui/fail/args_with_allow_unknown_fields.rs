use callboard::tool;

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Query {
    text: String,
}

#[tool(allow_unknown_fields)]
async fn search(#[args] query: Query) -> String {
    query.text
}

fn main() {}
