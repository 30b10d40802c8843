//! Arguments of tools whose schema came at run time.

use std::time::{Duration, Instant};

use callboard::{CapabilityRegistry, DynamicTool, Registry};
use serde_json::{Value, json};

use crate::common::{ctx, refusal, sealed};

fn registry() -> Registry {
    let order = DynamicTool::new(
        "order",
        json!({
            "type": "object",
            "properties": {
                "customer": { "type": "string", "maxLength": 8 },
                "count": { "type": "integer" },
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "price": { "type": "integer", "minimum": 0 },
                            "unit": { "enum": ["piece", "kilo"] },
                            "a/b~c": { "type": "boolean" }
                        },
                        "required": ["price"]
                    }
                }
            },
            "required": ["customer"],
            "additionalProperties": false
        }),
        |arguments: Value, _ctx| async move { Ok::<_, String>(arguments) },
    );
    sealed(|reg| reg.register_dynamic(order).map(drop))
}

async fn order(arguments: &str) -> Result<String, (String, String)> {
    match registry().dispatch("order", arguments, &ctx()).await {
        Ok(output) => Ok(output.as_json().expect("JSON").to_owned()),
        Err(error) => {
            assert!(error.for_model().chars().count() < 1000);
            Err(refusal(error))
        }
    }
}

#[tokio::test]
async fn what_the_schema_allows_reaches_the_handler_as_it_was() {
    let text =
        r#"{"count":18446744073709551615,"customer":"a","items":[{"price":9007199254740993}]}"#;
    assert_eq!(order(text).await.as_deref(), Ok(text));
    assert_eq!(
        order(r#"{"customer":"a","count":3.0}"#).await.as_deref(),
        Ok(r#"{"count":3.0,"customer":"a"}"#)
    );
}

#[tokio::test]
async fn what_the_schema_refuses_is_named_by_its_path() {
    for (text, place, words) in [
        ("{}", "customer", "missing field `customer`"),
        ("", "customer", "missing field `customer`"),
        (
            r#"{"customer":"a","items":[{"price":1},{}]}"#,
            "items[1].price",
            "missing field `price`",
        ),
        (
            r#"{"customer":1}"#,
            "customer",
            "1 is not of type \"string\"",
        ),
        (
            r#"{"customer":"a","more":1}"#,
            "more",
            "unknown field `more`",
        ),
        (
            r#"{"customer":"a","items":[{"price":1},{"price":1},{"price":1},{"price":-1}]}"#,
            "items[3].price",
            "-1 is less than the minimum of 0",
        ),
        (
            r#"{"customer":"a","items":[{"price":1,"unit":"pound"}]}"#,
            "items[0].unit",
            "\"pound\" is not one of \"piece\" or \"kilo\"",
        ),
        (
            r#"{"customer":"a","items":[{"price":1,"a/b~c":1}]}"#,
            "items[0].a/b~c",
            "1 is not of type \"boolean\"",
        ),
        (
            r#"{"customer":"a","count":"3"}"#,
            "count",
            "\"3\" is not of type \"integer\"",
        ),
        (
            r#"{"customer":"a","count":1e400}"#,
            "count",
            "number out of range",
        ),
        ("[1]", "", "arguments are a JSON object"),
    ] {
        let (path, message) = order(text).await.expect_err(text);
        assert_eq!(path, place, "{text}: {message}");
        assert!(message.starts_with(words), "{text}: {message}");
    }
}

#[tokio::test]
async fn a_key_that_comes_twice_is_refused() {
    for (text, place) in [
        (r#"{"customer":"a","customer":"b"}"#, "customer"),
        (
            r#"{"customer":"a","items":[{"price":1},{"price":1,"price":2}]}"#,
            "items[1].price",
        ),
    ] {
        let (path, message) = order(text).await.expect_err(text);
        assert_eq!(path, place, "{message}");
        assert!(message.starts_with("duplicate field `"), "{message}");
    }
}

#[tokio::test]
async fn the_refusal_of_a_long_text_is_short() {
    let text = format!(r#"{{"customer":"{}"}}"#, "z".repeat(1 << 19));
    let (path, message) = order(&text).await.expect_err("longer than 8");
    assert_eq!(path, "customer");
    assert!(message.chars().count() <= 401);
    let deep = format!(r#"{{"customer":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let (_, message) = order(&deep).await.expect_err("200 levels");
    assert!(message.starts_with("recursion limit exceeded"), "{message}");
}

/// A tool whose `tree` is checked against `$defs/node`.
fn tree(node: &Value) -> Registry {
    let tool = DynamicTool::new(
        "tree",
        json!({
            "type": "object",
            "properties": { "tree": { "$ref": "#/$defs/node" } },
            "$defs": { "node": node }
        }),
        |_arguments: Value, _ctx| async { Ok::<_, String>("fits") },
    );
    sealed(|reg| reg.register_dynamic(tool).map(drop))
}

/// `leaf` under this many `c`, as arguments of [`tree`].
fn nested(levels: usize, leaf: &str) -> String {
    format!(
        r#"{{"tree":{}{leaf}{}}}"#,
        r#"{"c":"#.repeat(levels),
        "}".repeat(levels)
    )
}

fn recursive_schemas() -> Vec<(&'static str, Value)> {
    let node = json!({ "$ref": "#/$defs/node" });
    let branch = json!({ "type": "object", "properties": { "c": node }, "required": ["c"] });
    let whole = json!({ "type": "integer" });
    let below = json!({ "properties": { "c": node } });
    let either = json!(["object", "integer"]);
    vec![
        ("anyOf", json!({ "anyOf": [whole, branch, branch] })),
        (
            "oneOf",
            json!({ "oneOf": [whole, { "allOf": [branch], "required": ["k"] }, branch] }),
        ),
        ("allOf", json!({ "type": either, "allOf": [below, below] })),
        (
            "patternProperties",
            json!({
                "type": either,
                "properties": { "c": node },
                "patternProperties": { "^c": node, "c$": node }
            }),
        ),
        (
            "dependentSchemas",
            json!({ "type": either, "properties": { "c": node }, "dependentSchemas": { "c": below } }),
        ),
        (
            "if",
            json!({ "type": either, "if": below, "then": below, "else": below }),
        ),
        (
            "not",
            json!({ "type": either, "not": { "not": below }, "properties": { "c": node } }),
        ),
        (
            "unevaluatedProperties",
            json!({ "anyOf": [whole, branch, branch], "unevaluatedProperties": node }),
        ),
        (
            "$dynamicRef",
            json!({
                "$dynamicAnchor": "n",
                "anyOf": [
                    whole,
                    { "type": "object", "properties": { "c": { "$dynamicRef": "#n" } } },
                    { "type": "object", "properties": { "c": { "$dynamicRef": "#n" } } }
                ]
            }),
        ),
    ]
}

#[tokio::test]
async fn a_schema_that_branches_at_each_level_takes_bounded_work() {
    for (word, node) in recursive_schemas() {
        let registry = tree(&node);
        let begun = Instant::now();
        for levels in [1, 2, 4, 8, 12, 16, 24, 50, 120] {
            let fits = registry
                .dispatch("tree", &nested(levels, "1"), &ctx())
                .await;
            assert!(fits.is_ok(), "{word}, {levels} levels: {fits:?}");
            let text = nested(levels, "\"x\"");
            let error = registry.dispatch("tree", &text, &ctx()).await;
            let (path, message) = refusal(error.expect_err(word));
            assert!(path.starts_with("tree"), "{word}: {path}: {message}");
            if message.contains("too large to say where") {
                assert!(path.starts_with("tree.c.c.c"), "{word}: {path}");
                let told = format!("and {} levels deep here", levels + 1);
                assert!(message.contains(&told), "{word}: {message}");
            }
        }
        // Each would take longer than the universe has lasted; this bound is far from tight.
        assert!(begun.elapsed() < Duration::from_secs(60), "{word}");
    }
}

#[tokio::test]
async fn branches_with_names_of_their_own_are_told_apart_at_any_depth() {
    // A filter as many servers have it: no name leads into two branches.
    let node = json!({ "$ref": "#/$defs/node" });
    let list = json!({ "type": "array", "items": node });
    let registry = tree(&json!({
        "type": "object",
        "properties": { "and": list, "or": list, "not": node, "equals": { "type": "string" } },
        "additionalProperties": false
    }));
    let deep = |leaf: &str| {
        format!(
            r#"{{"tree":{}{leaf}{}}}"#,
            r#"{"and":[{"or":[{"not":"#.repeat(20),
            "}]}]}".repeat(20)
        )
    };
    let fits = registry
        .dispatch("tree", &deep(r#"{"equals":"a"}"#), &ctx())
        .await;
    assert!(fits.is_ok(), "{fits:?}");
    let error = registry
        .dispatch("tree", &deep(r#"{"equals":1}"#), &ctx())
        .await;
    let (path, message) = refusal(error.expect_err("no text"));
    assert_eq!(
        path,
        format!("tree{}.equals", ".and[0].or[0].not".repeat(20))
    );
    assert_eq!(message, "1 is not of type \"string\"");
}

#[test]
fn a_schema_that_can_be_too_much_work_is_refused_with_its_remedy() {
    let ladder = |word: &str, rungs: usize, below: &dyn Fn(Value) -> Value| {
        let mut defs = serde_json::Map::new();
        for rung in 0..rungs {
            let next = below(json!({ "$ref": format!("#/$defs/d{}", rung + 1) }));
            defs.insert(format!("d{rung}"), json!({ word: [next, next] }));
        }
        defs.insert(format!("d{rungs}"), json!({ "type": "integer" }));
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs })
    };
    let in_place = |next: Value| next;
    let deeper = |next: Value| json!({ "properties": { "c": next } });
    let chain: serde_json::Map<String, Value> = (0..2000)
        .map(|n| {
            (
                format!("d{n}"),
                json!({ "$ref": format!("#/$defs/d{}", n + 1) }),
            )
        })
        .chain([("d2000".to_owned(), json!(true))])
        .collect();
    for (schema, words) in [
        (
            ladder("anyOf", 30, &in_place),
            "can need more than 10000 steps",
        ),
        (
            ladder("allOf", 30, &deeper),
            "can need more than 10000 steps",
        ),
        (
            json!({ "type": "object", "$ref": "#/$defs/d0", "$defs": chain }),
            "more than 256 subschemas and references in a row",
        ),
        (
            json!({ "type": "object", "anyOf": [{ "$ref": "#" }, { "required": ["a"] }] }),
            "refers to itself without going a level deeper",
        ),
        (
            json!({ "type": "object", "$ref": "#/$defs/none" }),
            "`#/$defs/none` leads nowhere",
        ),
        (
            json!({ "type": "object", "$defs": { "a": { "$id": "https://a.example/b" } } }),
            "a schema within the schema has an `$id`",
        ),
        (
            json!({ "type": "object", "properties": { "s": { "pattern": "(\\w{1,100}[a-c]){10}z" } } }),
            "\"regex\" that takes linear time",
        ),
        (
            json!({ "type": "object", "patternProperties": (0..1001).map(|n| (n.to_string(), json!({}))).collect::<serde_json::Map<_, _>>() }),
            "more than 1000 patterns",
        ),
    ] {
        let tool = DynamicTool::new("t", schema, |_, _| async { Ok::<_, String>(()) });
        let error = CapabilityRegistry::new()
            .register_dynamic(tool)
            .map(drop)
            .expect_err(words);
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
}

#[tokio::test]
async fn constants_count_as_often_as_a_value_is_compared_with_them() {
    let constants: Vec<Value> = (0..3000).map(|n| json!({ "x": n })).collect();
    let schema = json!({
        "type": "object", "properties": { "l": { "contains": { "enum": constants } } }
    });
    let tool = DynamicTool::new("t", schema, |_, _| async { Ok::<_, String>(()) });
    let registry = sealed(|reg| reg.register_dynamic(tool).map(drop));
    let items: Vec<Value> = (0..60_000).map(|n| json!({ "x": -n })).collect();
    let arguments = json!({ "l": items }).to_string();
    let error = registry.dispatch("t", &arguments, &ctx()).await;
    let (_, message) = refusal(error.expect_err("too much to check"));
    assert!(message.contains("too much to be checked"), "{message}");
}

#[tokio::test]
async fn references_of_every_form_lead_somewhere() {
    for schema in [
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/a%20b~1c" } }, "$defs": { "a b/c": { "type": "integer" } } }),
        json!({ "type": "object", "properties": { "a": { "$ref": "#whole" } }, "$defs": { "x": { "$anchor": "whole", "type": "integer" } } }),
        json!({ "$id": "https://a.example/t.json", "type": "object", "properties": { "a": { "$ref": "https://a.example/t.json#/$defs/x" } }, "$defs": { "x": { "type": "integer" } } }),
        json!({ "type": "object", "properties": { "a": { "type": "integer" }, "b": { "$ref": "#" } } }),
    ] {
        let tool = DynamicTool::new("t", schema.clone(), |_, _| async { Ok::<_, String>(()) });
        let registry = sealed(|reg| reg.register_dynamic(tool).map(drop));
        let fits = registry.dispatch("t", r#"{"a":1}"#, &ctx()).await;
        assert!(fits.is_ok(), "{schema}: {fits:?}");
        let error = registry.dispatch("t", r#"{"a":"x"}"#, &ctx()).await;
        let (path, _) = refusal(error.expect_err("no integer"));
        assert_eq!(path, "a", "{schema}");
    }
}

#[tokio::test]
async fn many_arguments_for_a_schema_that_looks_often_are_refused_by_their_number() {
    let node = json!({ "allOf": vec![json!({ "type": "integer" }); 900] });
    let tool = DynamicTool::new(
        "t",
        json!({ "type": "object", "properties": { "many": { "type": "array", "items": node } } }),
        |_, _| async { Ok::<_, String>(()) },
    );
    let registry = sealed(|reg| reg.register_dynamic(tool).map(drop));
    let many = |count: usize| format!(r#"{{"many":[{}1]}}"#, "1,".repeat(count));
    let fits = registry.dispatch("t", &many(100), &ctx()).await;
    assert!(fits.is_ok(), "{fits:?}");
    let error = registry.dispatch("t", &many(50_000), &ctx()).await;
    let (path, message) = refusal(error.expect_err("too many"));
    assert_eq!(path, "many[0]");
    assert!(
        message.starts_with(
            "the arguments are too much to be checked against the schema of `t`: 50003 values"
        ),
        "{message}"
    );
}
