use callboard::schemars::JsonSchema;
use callboard::serde::Deserialize;
use callboard::tool;

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Order {
    customer: String,
}

#[tool]
async fn order(#[args] order: Order) -> String {
    order.customer
}

fn main() {}
