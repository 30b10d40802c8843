//! The schemas that a tool's types give.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use callboard::schemars::JsonSchema;
use callboard::serde::{Deserialize, Serialize};
use callboard::{CapabilityRegistry, Content, Tool, tool};
use serde_json::{Value, json};

use crate::common::{ask_only, assert_is_schema};

#[tool]
async fn bare() {}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Item {
    /// The price in cents.
    price: u64,
    label: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Currency {
    /// The dollar of the United States.
    Usd,
    Eur,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Amount {
    Cents(u64),
    Text(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    value: i64,
    children: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Cents(u64);

fn ten() -> u32 {
    10
}

#[tool]
fn numbers(a: u8, b: i64, c: f32, d: f64, e: u64, f: std::num::NonZeroU16) -> f64 {
    f64::from(a) + b as f64 + f64::from(c) + d + e as f64 + f64::from(f.get())
}

#[tool]
fn texts(text: String, letter: char, path: std::path::PathBuf, flag: bool) -> String {
    format!("{text}{letter}{}{flag}", path.display())
}

#[tool]
fn collections(
    list: Vec<Item>,
    set: BTreeSet<String>,
    by_name: BTreeMap<String, Item>,
    by_number: HashMap<u32, bool>,
    pair: (i64, String),
    fixed: [u8; 3],
) -> usize {
    list.len() + set.len() + by_name.len() + by_number.len() + pair.1.len() + fixed.len()
}

#[tool]
fn choices(currency: Currency, shape: Shape, amount: Amount, cents: Cents) -> Option<Currency> {
    let _ = (shape, amount, cents);
    Some(currency)
}

#[tool]
fn recursive(tree: Tree, boxed: Option<Box<Tree>>) -> Tree {
    boxed.map_or(tree, |boxed| *boxed)
}

#[tool]
fn anything(value: Value, nothing: ()) -> Value {
    let () = nothing;
    value
}

#[tool]
fn optional(
    maybe: Option<u32>,
    #[serde(default)] empty: String,
    /// At most this many.
    #[serde(default = "ten")]
    limit: u32,
    #[serde(rename = "type")] kind: String,
    #[schemars(range(min = 1, max = 5))] stars: u8,
) -> u32 {
    let _ = (empty, kind, stars);
    maybe.unwrap_or(limit)
}

#[tool(allow_unknown_fields)]
fn open(n: u8) -> u8 {
    n
}

#[derive(Serialize)]
struct WithoutSchema {
    n: u8,
}

#[tool]
fn unschemed() -> WithoutSchema {
    WithoutSchema { n: 1 }
}

#[tool]
fn shown() -> Vec<Content> {
    vec![Content::text("a")]
}

#[test]
fn a_tool_without_parameters_has_the_schema_of_an_empty_object() {
    let mut schema = Bare::descriptor().input_schema();
    let draft = schema
        .as_object_mut()
        .and_then(|root| root.remove("$schema"));
    assert_eq!(
        draft,
        Some(json!("https://json-schema.org/draft/2020-12/schema"))
    );
    assert_eq!(
        schema,
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
}

#[tokio::test]
async fn a_tool_without_parameters_is_called_by_an_empty_object_and_by_no_text() {
    for arguments in ["{}", "", " \n", "{ }"] {
        let answer = ask_only::<Bare>(arguments).await;
        assert_eq!(answer.expect(arguments), Value::Null, "{arguments:?}");
    }
}

#[test]
fn every_schema_of_this_program_is_of_draft_2020_12() {
    // Two tools are here because their arguments are no objects: see `arguments`.
    let registry = CapabilityRegistry::collect_where(|declared| !declared.has_tag("no-object"))
        .expect("no conflicts");
    let mut outputs = 0;
    for row in registry.tools() {
        assert_is_schema(row.name(), row.input_schema());
        assert_eq!(row.input_schema()["type"], "object", "{}", row.name());
        assert!(
            row.input_schema()["properties"].is_object(),
            "{}",
            row.name()
        );
        if let Some(schema) = row.output_schema() {
            assert_is_schema(row.name(), schema);
            outputs += 1;
        }
    }
    assert!(registry.tools().len() > 30);
    assert!(outputs > 20);
}

#[test]
fn parameters_become_properties_with_docs_defaults_and_bounds() {
    let schema = Optional::descriptor().input_schema();
    assert_eq!(
        schema["properties"],
        json!({
            "maybe": { "type": ["integer", "null"], "format": "uint32", "minimum": 0 },
            "empty": { "type": "string", "default": "" },
            "limit": {
                "type": "integer",
                "format": "uint32",
                "minimum": 0,
                "default": 10,
                "description": "At most this many."
            },
            "type": { "type": "string" },
            "stars": { "type": "integer", "format": "uint8", "minimum": 1, "maximum": 5 }
        })
    );
    assert_eq!(schema["required"], json!(["type", "stars"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema.get("title"), None);
    assert_eq!(schema.get("description"), None);
}

#[test]
fn a_users_own_types_are_described_with_their_docs() {
    let schema = Collections::descriptor().input_schema();
    assert_eq!(
        schema["$defs"]["Item"]["properties"]["price"],
        json!({ "type": "integer", "format": "uint64", "minimum": 0, "description": "The price in cents." })
    );
    let choices = Choices::descriptor().input_schema();
    assert_eq!(
        choices["$defs"]["Currency"],
        json!({ "oneOf": [
            { "type": "string", "enum": ["Eur"] },
            { "type": "string", "const": "Usd", "description": "The dollar of the United States." }
        ] })
    );
}

#[test]
fn a_type_that_holds_itself_has_a_finite_schema() {
    let schema = Recursive::descriptor().input_schema();
    assert_eq!(
        schema["$defs"]["Tree"]["properties"]["children"],
        json!({ "type": "array", "items": { "$ref": "#/$defs/Tree" } })
    );
}

#[tokio::test]
async fn unknown_fields_are_refused_unless_the_tool_allows_them() {
    let schema = Open::descriptor().input_schema();
    assert_eq!(schema.get("additionalProperties"), None);
    let answer = ask_only::<Open>(r#"{"n":3,"more":[1]}"#).await;
    assert_eq!(answer.expect("the field is let pass"), json!(3));
    assert_eq!(
        Numbers::descriptor().input_schema()["additionalProperties"],
        json!(false)
    );
}

#[tokio::test]
async fn an_output_has_a_schema_where_its_type_has_one() {
    let output = Recursive::descriptor()
        .output_schema()
        .expect("`Tree` has one");
    assert_eq!(output["title"], "Tree");
    let output = Choices::descriptor()
        .output_schema()
        .expect("`Option<Currency>` has one");
    let validator = jsonschema::draft202012::new(&output).expect("it compiles");
    assert!(validator.is_valid(&json!("Eur")));
    assert!(validator.is_valid(&Value::Null));
    assert!(!validator.is_valid(&json!("Gbp")));
    assert_eq!(Unschemed::descriptor().output_schema(), None);
    assert_eq!(Shown::descriptor().output_schema(), None);
    let answer = ask_only::<Unschemed>("").await;
    assert_eq!(answer.expect("it needs no schema"), json!({ "n": 1 }));
}

#[tokio::test]
async fn every_kind_of_argument_arrives() {
    let answer = ask_only::<Numbers>(r#"{"a":1,"b":-2,"c":0.5,"d":1e3,"e":7,"f":9}"#).await;
    assert_eq!(answer.expect("numbers"), json!(1015.5));
    let answer = ask_only::<Texts>(r#"{"text":"\u00e9\"","letter":"ß","path":"a/b","flag":true}"#);
    assert_eq!(answer.await.expect("texts"), json!("é\"ßa/btrue"));
    let answer = ask_only::<Collections>(
        r#"{"list":[{"price":1},{"price":2,"label":null}],"set":["a","b"],"by_name":{"x":{"price":3}},
            "by_number":{"7":true},"pair":[1,"ab"],"fixed":[1,2,3]}"#,
    );
    assert_eq!(answer.await.expect("collections"), json!(11));
    let answer = ask_only::<Choices>(
        r#"{"currency":"Usd","shape":{"kind":"circle","radius":2},"amount":"12","cents":12}"#,
    );
    assert_eq!(answer.await.expect("choices"), json!("Usd"));
    let answer = ask_only::<Anything>(r#"{"value":{"deep":[null,1.5]},"nothing":null}"#).await;
    assert_eq!(answer.expect("anything"), json!({ "deep": [null, 1.5] }));
    let answer = ask_only::<Optional>(r#"{"type":"x","stars":1}"#).await;
    assert_eq!(answer.expect("defaults"), json!(10));
}
