//! What holds for all arguments.

mod common;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use callboard::schemars::JsonSchema;
use callboard::serde::{Deserialize, Serialize};
use callboard::{DispatchError, Registry, Tool, tool};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use common::{block_on, ctx, only};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    price: u64,
    label: Option<String>,
    unit: Unit,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Piece,
    KiloGram,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
enum Shape {
    Point,
    Circle(u8),
    Line(i32, i32),
    Holds { item: Item, more: Vec<Item> },
}

#[tool]
async fn echo(
    small: u8,
    signed: i64,
    unsigned: u64,
    ratio: f64,
    flag: bool,
    letter: char,
    text: String,
    maybe: Option<i32>,
    list: Vec<i16>,
    pair: (u8, String),
    items: Vec<Item>,
    shape: Shape,
    named: BTreeMap<String, Shape>,
    any: Value,
) -> String {
    format!(
        "{small} {signed} {unsigned} {ratio} {flag} {letter:?} {text:?} {maybe:?} {list:?} {pair:?} {items:?} {shape:?} {named:?} {any}"
    )
}

static REGISTRY: LazyLock<Registry> = LazyLock::new(only::<Echo>);

static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    jsonschema::draft202012::new(&Echo::descriptor().input_schema()).expect("a schema")
});

fn item() -> impl Strategy<Value = Item> {
    let unit = prop_oneof![Just(Unit::Piece), Just(Unit::KiloGram)];
    (any::<u64>(), any::<Option<String>>(), unit).prop_map(|(price, label, unit)| Item {
        price,
        label,
        unit,
    })
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    prop::collection::vec(item(), 0..3)
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Point),
        any::<u8>().prop_map(Shape::Circle),
        any::<(i32, i32)>().prop_map(|(from, to)| Shape::Line(from, to)),
        (item(), items()).prop_map(|(item, more)| Shape::Holds { item, more }),
    ]
}

/// Any JSON, a few levels deep.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        eighths().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "point|Point|piece|kilo_gram|Circle".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(
                "price|label|unit|item|more|Point|Circle|[a-z]{0,3}",
                inner,
                0..3
            )
            .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// Numbers that a text tells exactly.
fn eighths() -> impl Strategy<Value = f64> {
    any::<i32>().prop_map(|n| f64::from(n) / 8.0)
}

fn arguments() -> impl Strategy<Value = EchoArgs> {
    let plain = (
        any::<u8>(),
        any::<i64>(),
        any::<u64>(),
        eighths(),
        any::<bool>(),
        any::<char>(),
        any::<String>(),
    );
    let within = (
        any::<Option<i32>>(),
        any::<Vec<i16>>(),
        any::<(u8, String)>(),
        items(),
        shape(),
        prop::collection::btree_map(any::<String>(), shape(), 0..3),
        json_value(),
    );
    (plain, within).prop_map(
        |(
            (small, signed, unsigned, ratio, flag, letter, text),
            (maybe, list, pair, items, shape, named, any),
        )| EchoArgs {
            small,
            signed,
            unsigned,
            ratio,
            flag,
            letter,
            text,
            maybe,
            list,
            pair,
            items,
            shape,
            named,
            any,
        },
    )
}

/// A small change of a value, near to what its schema says.
#[derive(Clone, Debug)]
enum Change {
    Put(Value),
    /// An object as the array of its values, as serde reads a struct.
    AsArray,
    /// A text as `{"text":null}`, as serde reads a variant.
    AsVariant,
    InArray,
    AsText,
    AddHalf,
    Add(String, Value),
    Remove(Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        json_value().prop_map(Change::Put),
        Just(Change::AsArray),
        Just(Change::AsVariant),
        Just(Change::InArray),
        Just(Change::AsText),
        Just(Change::AddHalf),
        ("[a-z]{1,3}|label", json_value()).prop_map(|(key, value)| Change::Add(key, value)),
        any::<Index>().prop_map(Change::Remove),
    ]
}

impl Change {
    fn apply(self, to: &mut Value) {
        *to = match (self, to.take()) {
            (Self::Put(value), _) => value,
            (Self::AsArray, Value::Object(members)) => {
                Value::Array(members.into_iter().map(|(_, value)| value).collect())
            }
            (Self::AsVariant, Value::String(variant)) => json!({ variant: null }),
            (Self::InArray, value) => json!([value]),
            (Self::AsText, Value::String(text)) => json!({ "text": text }),
            (Self::AsText, value) => Value::String(value.to_string()),
            (Self::AddHalf, value) => match value.as_f64() {
                Some(number) => json!(number + 0.5),
                None => value,
            },
            (Self::Add(key, value), Value::Object(mut members)) => {
                members.insert(key, value);
                Value::Object(members)
            }
            (Self::Remove(index), Value::Object(mut members)) if !members.is_empty() => {
                let key = members.keys().nth(index.index(members.len())).cloned();
                key.and_then(|key| members.remove(&key));
                Value::Object(members)
            }
            (Self::Remove(index), Value::Array(mut items)) if !items.is_empty() => {
                items.remove(index.index(items.len()));
                Value::Array(items)
            }
            (_, value) => value,
        };
    }
}

/// The value at the end of a way down: each step takes one of the children, while there are any.
fn at<'v>(value: &'v mut Value, way: &[Index]) -> &'v mut Value {
    let Some((step, rest)) = way.split_first() else {
        return value;
    };
    let children = match value {
        Value::Object(members) => members.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if children == 0 {
        return value;
    }
    let child = step.index(children);
    let below = match value {
        Value::Object(members) => members.values_mut().nth(child),
        Value::Array(items) => items.get_mut(child),
        _ => None,
    };
    at(below.expect("it has this many children"), rest)
}

proptest! {
    #![proptest_config(ProptestConfig {
        // What fails is written into a test of its own, by hand.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn both_doors_give_the_same(args in arguments()) {
        let text = serde_json::to_string(&args).expect("arguments are JSON");
        let named = block_on(REGISTRY.dispatch("echo", &text, &ctx())).expect("it is read");
        let typed = block_on(REGISTRY.call::<Echo>(args, &ctx())).expect("it runs");
        prop_assert_eq!(named.to_text(), typed);
    }

    #[test]
    fn arguments_are_what_their_schema_says(args in arguments()) {
        let value = serde_json::to_value(&args).expect("arguments are JSON");
        let errors: Vec<_> = VALIDATOR.iter_errors(&value).map(|error| error.to_string()).collect();
        prop_assert!(errors.is_empty(), "{errors:?}");
    }

    #[test]
    fn what_the_schema_refuses_the_tool_never_gets(
        args in arguments(),
        changes in prop::collection::vec((prop::collection::vec(any::<Index>(), 0..4), change()), 1..3),
    ) {
        let mut value = serde_json::to_value(&args).expect("arguments are JSON");
        for (way, change) in changes {
            change.apply(at(&mut value, &way));
        }
        let dispatched = block_on(REGISTRY.dispatch("echo", &value.to_string(), &ctx()));
        if VALIDATOR.is_valid(&value) {
            // Ranges that a schema has no word for are all that can be wrong.
            if let Err(error) = dispatched {
                prop_assert!(
                    matches!(&error, DispatchError::InvalidArguments { message, .. } if message.starts_with("invalid value")),
                    "{error} of {value}"
                );
            }
        } else {
            prop_assert!(
                matches!(dispatched, Err(DispatchError::InvalidArguments { .. })),
                "{dispatched:?} of {value}"
            );
        }
    }

    #[test]
    fn any_text_is_answered(text in any::<String>(), json in json_value()) {
        for text in [text.as_str(), &json.to_string(), &format!("{{{text}}}")] {
            if let Err(error) = block_on(REGISTRY.dispatch("echo", text, &ctx())) {
                prop_assert!(error.for_model().chars().count() < 1000);
            }
        }
    }
}
