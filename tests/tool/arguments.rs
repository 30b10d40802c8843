//! Arguments as a struct: the generated one, and one that the user wrote.

use callboard::schemars::JsonSchema;
use callboard::serde::Deserialize;
use callboard::{CapabilityRegistry, SealProblem, Tool, tool};
use serde_json::json;

use crate::common::{ask_only, ctx, only, refusal};

fn three() -> u8 {
    3
}

/// A search, as its author describes it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// The words to look for.
    words: Vec<String>,
    #[serde(default = "three")]
    limit: u8,
}

#[tool(marker = SearchTool)]
fn search(#[args] search: Search) -> String {
    format!("{} {}", search.words.join("+"), search.limit)
}

#[tool]
fn taken_apart(#[args] Search { words, limit }: Search) -> usize {
    words.len() + usize::from(limit)
}

#[derive(Deserialize, JsonSchema)]
struct Tuple(u8, u8);

#[tool(tags("no-object"))]
fn not_an_object(#[args] pair: Tuple) -> u8 {
    pair.0 + pair.1
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Lookup {
    Id { id: u64 },
    Name { name: String },
}

#[tool(tags("no-object"))]
fn one_of(#[args] lookup: Lookup) -> String {
    match lookup {
        Lookup::Id { id } => id.to_string(),
        Lookup::Name { name } => name,
    }
}

/// Neither `Debug` nor `Clone` nor `Serialize`.
#[derive(Deserialize, JsonSchema)]
struct Opaque {
    n: u8,
}

#[tool]
fn opaque_field(opaque: Opaque) -> u8 {
    opaque.n
}

#[tool]
fn raw(r#type: u8, r#match: u8) -> u8 {
    r#type + r#match
}

#[tool]
fn plain(left: i64, mut right: i64) -> i64 {
    right += 1;
    left - right
}

#[tokio::test]
async fn a_struct_of_the_users_is_the_arguments_as_it_stands() {
    let schema = SearchTool::descriptor().input_schema();
    assert_eq!(
        schema["description"],
        "A search, as its author describes it."
    );
    assert_eq!(
        schema["properties"]["words"]["description"],
        "The words to look for."
    );
    let answer = ask_only::<SearchTool>(r#"{"words":["a","b"]}"#).await;
    assert_eq!(answer.expect("it is read"), json!("a+b 3"));
    let answer = only::<SearchTool>()
        .call::<SearchTool>(
            Search {
                words: vec!["c".to_owned()],
                limit: 1,
            },
            &ctx(),
        )
        .await;
    assert_eq!(answer.expect("it is passed"), "c 1");
    let answer = ask_only::<TakenApart>(r#"{"words":["a"],"limit":4}"#).await;
    assert_eq!(answer.expect("it is taken apart"), json!(5));
    let error = ask_only::<SearchTool>(r#"{"words":[],"more":1}"#)
        .await
        .expect_err("`more` is unknown");
    assert_eq!(refusal(error).0, "more");
}

#[test]
fn arguments_that_are_no_object_can_not_be_sealed() {
    let mut reg = CapabilityRegistry::new();
    for registered in [
        reg.register_tool::<NotAnObject>().map(drop),
        reg.register_tool::<OneOf>().map(drop),
    ] {
        registered.expect("the names are free");
    }
    let error = reg.seal().expect_err("neither is an object at the top");
    let tools: Vec<&str> = error
        .problems
        .iter()
        .map(|problem| match problem {
            SealProblem::ArgumentsNotAnObject { tool, .. } => tool.as_str(),
            other => panic!("not about arguments: {other}"),
        })
        .collect();
    assert_eq!(tools, ["not_an_object", "one_of"]);
    assert!(error.to_string().contains("named fields"), "{error}");
}

#[test]
fn generated_arguments_can_be_compared_by_what_their_fields_allow() {
    let args = PlainArgs { left: 1, right: 2 };
    assert_eq!(
        format!("{:?}", args.clone()),
        "PlainArgs { left: 1, right: 2 }"
    );
    assert_eq!(
        serde_json::to_value(&args).expect("it is JSON"),
        json!({ "left": 1, "right": 2 })
    );
    assert_eq!(
        format!(
            "{:?}",
            RawArgs {
                r#type: 1,
                r#match: 2
            }
        ),
        "RawArgs { type: 1, match: 2 }"
    );
}

#[tokio::test]
async fn raw_identifiers_are_plain_names_to_a_model() {
    let answer = ask_only::<Raw>(r#"{"type":1,"match":2}"#).await;
    assert_eq!(answer.expect("both are read"), json!(3));
}

#[tokio::test]
async fn a_field_needs_nothing_but_what_reading_needs() {
    let answer = ask_only::<OpaqueField>(r#"{"opaque":{"n":4}}"#).await;
    assert_eq!(answer.expect("it is read"), json!(4));
}

#[tokio::test]
async fn the_function_stays_what_it_was() {
    assert_eq!(plain(5, 1), 3);
    let answer = ask_only::<Plain>(r#"{"left":5,"right":1}"#).await;
    assert_eq!(answer.expect("it is called"), json!(3));
}
