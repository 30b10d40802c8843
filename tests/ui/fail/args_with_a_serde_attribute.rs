use callboard::tool;

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Query {
    text: String,
}

#[tool]
async fn search(
    #[args]
    #[serde(rename = "q")]
    query: Query,
) -> String {
    query.text
}

fn main() {}
