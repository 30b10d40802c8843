use callboard::tool;

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Point {
    x: i64,
    y: i64,
}

#[tool]
async fn add(Point { x, y }: Point) -> i64 {
    x + y
}

fn main() {}
