use callboard::tool;

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Page {
    limit: u32,
}

#[tool]
async fn list(#[serde(flatten)] page: Page) -> u32 {
    page.limit
}

fn main() {}
