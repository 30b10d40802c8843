#[path = "../common.rs"]
mod common;

use callboard::tool;

fn ten() -> u32 {
    10
}

/// Neither serde nor schemars knows it.
struct Celsius(f64);

fn celsius<'de, D: callboard::serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Celsius, D::Error> {
    callboard::serde::Deserialize::deserialize(deserializer).map(Celsius)
}

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Page {
    offset: u32,
}

#[tool]
async fn search(
    #[serde(rename = "q")]
    #[schemars(description = "What to look for.")]
    text: String,
    #[serde(default = "ten", alias = "max")]
    #[schemars(range(min = 1, max = 50))]
    limit: u32,
    #[cfg_attr(all(), serde(default))] deep: bool,
    #[serde(deserialize_with = "celsius")]
    #[schemars(with = "f64")]
    at_least: Celsius,
    #[serde(skip)] never_sent: Option<Celsius>,
) -> String {
    assert!(never_sent.is_none());
    format!("{text} {limit} {deep} {}", at_least.0)
}

#[tool(allow_unknown_fields)]
async fn turn(#[serde(flatten)] page: Page) -> u32 {
    page.offset
}

fn main() {
    let registry = common::sealed();
    let dispatch = |name, arguments| common::dispatch(&registry, name, arguments);
    assert_eq!(
        dispatch("search", r#"{"q":"a","at_least":1.5}"#),
        r#""a 10 false 1.5""#
    );
    assert_eq!(
        dispatch("search", r#"{"q":"a","max":3,"deep":true,"at_least":2}"#),
        r#""a 3 true 2""#
    );
    assert_eq!(dispatch("turn", r#"{"offset":4,"more":1}"#), "4");

    let entry = registry.tool("search").expect("it is declared");
    let schema = entry.input_schema();
    let properties = &schema["properties"];
    assert_eq!(properties["q"]["description"], "What to look for.");
    assert_eq!(properties["limit"]["maximum"], 50);
    assert_eq!(properties["limit"]["default"], 10);
    assert_eq!(properties["at_least"]["type"], "number");
    assert!(properties.get("never_sent").is_none());
    assert_eq!(
        schema["required"],
        callboard::serde_json::json!(["q", "at_least"])
    );
}
