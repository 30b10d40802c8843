//! Arguments of tools whose schema came at run time.

use callboard::{DynamicTool, Registry};
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
        ("{}", "", "\"customer\" is a required property"),
        ("", "", "\"customer\" is a required property"),
        (
            r#"{"customer":1}"#,
            "customer",
            "1 is not of type \"string\"",
        ),
        (
            r#"{"customer":"a","more":1}"#,
            "",
            "Additional properties are not allowed",
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
