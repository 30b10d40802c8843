//! Fields, enums and nesting.

use std::collections::{BTreeMap, HashMap};

use callboard::schemars::JsonSchema;
use callboard::serde::Deserialize;
use callboard::tool;
use serde_json::{Value, json};

use crate::common::{ask_only, refusal};

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read through `Debug`")]
struct Item {
    price: u64,
    unit: Option<Unit>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Piece,
    Kilo,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read through `Debug`")]
enum Shape {
    Point,
    Circle(f64),
    Line(i32, i32),
    Box { width: u8, item: Option<Item> },
}

#[tool]
fn order(customer: String, items: Vec<Item>) -> u64 {
    let _ = customer;
    items.iter().map(|item| item.price).sum()
}

#[tool]
fn draw(shape: Shape) -> String {
    format!("{shape:?}")
}

#[tool]
fn by_key(
    #[serde(default)] names: BTreeMap<String, u8>,
    #[serde(default)] numbers: HashMap<u16, u8>,
    #[serde(default)] any: Value,
) -> usize {
    names.len() + numbers.len() + any.as_object().map_or(0, serde_json::Map::len)
}

#[tool]
fn pair(pair: (i32, String)) -> String {
    format!("{pair:?}")
}

/// Each text is refused at its path, with a message that begins so.
macro_rules! refused {
    ($tool:ty: $($text:expr => $path:literal, $words:literal;)*) => {$(
        let error = ask_only::<$tool>($text).await;
        let (path, message) = refusal(error.expect_err($text));
        assert_eq!(path, $path, "{}: {message}", $text);
        assert!(message.starts_with($words), "{}: {message}", $text);
    )*};
}

#[tokio::test]
async fn a_wrong_field_is_named_by_its_path() {
    refused! { Order:
        r#"{"customer":"a","items":[{"price":1},{"price":2},{"price":3},{"price":"x"}]}"#
            => "items[3].price", "invalid type: text \"x\", expected a whole number of 0 or more";
        r#"{"customer":"a","items":[{"price":1},{}]}"#
            => "items[1].price", "missing field `price`";
        r#"{"customer":"a"}"# => "items", "missing field `items`";
        r#"{}"# => "customer", "missing field `customer`";
        r#"{"customer":"a","items":[],"more":1}"#
            => "more", "unknown field `more`, expected `customer` or `items`";
        r#"{"customer":"a","customer":"b","items":[]}"#
            => "customer", "duplicate field `customer`";
        r#"{"customer":"a","items":[{"price":1,"price":2}]}"#
            => "items[0].price", "duplicate field `price`";
        r#"{"customer":null,"items":[]}"#
            => "customer", "invalid type: null, expected a text";
        r#"{"customer":"a","items":{}}"# => "items", "invalid type: an object, expected a list";
        r#"{"customer":"a","items":[{"price":1,"unit":"pound"}]}"#
            => "items[0].unit", "unknown variant `pound`, expected `piece` or `kilo`";
        r#"{"customer":"a","items":[{"price":1,"unit":3}]}"#
            => "items[0].unit", "invalid type: number `3`, expected a variant's name";
    }
}

#[tokio::test]
async fn an_absent_option_and_a_null_are_none() {
    for unit in ["", r#","unit":null"#] {
        let text = format!(r#"{{"customer":"a","items":[{{"price":4{unit}}}]}}"#);
        let answer = ask_only::<Order>(&text).await;
        assert_eq!(answer.expect("none is legal"), json!(4));
    }
}

#[tokio::test]
async fn only_an_object_is_a_set_of_arguments() {
    refused! { Order:
        "[]" => "", "arguments are a JSON object, and this is an array";
        r#"["a",[]]"# => "", "arguments are a JSON object, and this is an array";
        "null" => "", "arguments are a JSON object, and this is null";
        "3" => "", "arguments are a JSON object, and this is a number";
        "\"{}\"" => "", "arguments are a JSON object, and this is a string";
        "true" => "", "arguments are a JSON object, and this is a boolean";
        "{" => "", "EOF while parsing an object";
        "{}{}" => "customer", "missing field";
        r#"{"customer":"a","items":[]} x"# => "", "trailing characters";
        "undefined" => "", "not JSON: expected value";
        "\u{feff}{}" => "", "not JSON: expected value";
    }
}

#[tokio::test]
async fn a_struct_is_no_array_at_any_depth() {
    refused! { Order:
        r#"{"customer":"a","items":[[3,"kilo"]]}"#
            => "items[0]", "invalid type: a list, expected an object";
    }
    refused! { Draw:
        r#"{"shape":{"Box":[3,null]}}"#
            => "shape.Box", "invalid type: a list, expected an object";
        r#"{"shape":{"Box":{"width":3,"item":[1]}}}"#
            => "shape.Box.item", "invalid type: a list, expected an object";
    }
}

#[tokio::test]
async fn each_variant_has_one_form() {
    for (shape, read) in [
        (r#""Point""#, "Point"),
        (r#"{"Circle":2}"#, "Circle(2.0)"),
        (r#"{"Line":[1,2]}"#, "Line(1, 2)"),
        (
            r#"{"Box":{"width":3,"item":{"price":1}}}"#,
            "Box { width: 3, item: Some(Item { price: 1, unit: None }) }",
        ),
    ] {
        let answer = ask_only::<Draw>(&format!(r#"{{"shape":{shape}}}"#)).await;
        assert_eq!(answer.expect(shape), json!(read));
    }
    refused! { Draw:
        r#"{"shape":{"Point":null}}"# => "shape.Point", "a variant without data is its name alone";
        r#"{"shape":"Circle"}"# => "shape.Circle", "invalid type: the name of a variant alone, expected an object whose one key is the variant's name";
        r#"{"shape":{}}"# => "shape", "a variant with data is an object with one key";
        r#"{"shape":{"Circle":1,"Line":[1,2]}}"# => "shape.Circle", "a variant with data is an object with one key";
        r#"{"shape":{"Circle":1,"Circle":2}}"# => "shape.Circle", "a variant with data is an object with one key";
        r#"{"shape":{"Line":[1]}}"# => "shape.Line", "invalid length 1";
        r#"{"shape":{"Line":[1,2,3]}}"# => "shape.Line", "trailing characters";
        r#"{"shape":{"Oval":1}}"#
            => "shape", "unknown variant `Oval`, expected one of `Point`, `Circle`, `Line`, `Box`";
    }
}

#[tokio::test]
async fn a_key_that_comes_twice_is_refused_where_keys_are_free_too() {
    let answer = ask_only::<ByKey>(
        r#"{"names":{"a":1,"b":2},"numbers":{"1":1,"2":2},"any":{"x":{"a":1},"y":{"a":1}}}"#,
    );
    assert_eq!(answer.await.expect("all differ"), json!(6));
    refused! { ByKey:
        r#"{"names":{"a":1,"a":2}}"# => "names.a", "duplicate field `a`";
        r#"{"names":{"a":1,"\u0061":2}}"# => "names.a", "duplicate field `a`";
        r#"{"numbers":{"7":1,"7":2}}"# => "numbers.7", "duplicate field `7`";
        r#"{"any":[{"x":{"k":1,"k":1}}]}"# => "any[0].x.k", "duplicate field `k`";
    }
}

#[tokio::test]
async fn a_tuple_is_an_array_of_its_length() {
    let answer = ask_only::<Pair>(r#"{"pair":[1,"a"]}"#).await;
    assert_eq!(answer.expect("two items"), json!("(1, \"a\")"));
    refused! { Pair:
        r#"{"pair":[1]}"# => "pair", "invalid length 1";
        r#"{"pair":[1,"a",2]}"# => "pair", "trailing characters";
        r#"{"pair":{"0":1,"1":"a"}}"# => "pair", "invalid type: an object, expected a list of 2 items";
    }
}
