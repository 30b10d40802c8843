//! Arbitrary bytes as the arguments of tools of many types. Whatever they are, each call answers,
//! and an answer that was given once is given again.

#![no_main]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use callboard::serde_json::{Value, json};
use callboard::{
    CapabilityRegistry, DispatchError, DynamicTool, Registry, ToolCallContext, schemars, serde,
    tool,
};
use libfuzzer_sys::fuzz_target;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "callboard::serde", deny_unknown_fields)]
#[schemars(crate = "callboard::schemars")]
struct Item {
    sku: String,
    count: u32,
    parts: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "callboard::serde", tag = "kind", rename_all = "snake_case")]
#[schemars(crate = "callboard::schemars")]
enum Step {
    Wait { millis: u64 },
    Move { x: i64, y: Option<i64> },
    Stop,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "callboard::serde", untagged)]
#[schemars(crate = "callboard::schemars")]
enum Key {
    Number(i64),
    Flag(bool),
    Text(String),
    Many(Vec<Key>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Page {
    limit: Option<u8>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// Whole numbers, to their ends.
#[tool]
fn integers(signed: i64, unsigned: u64, small: u8, many: Vec<i32>) -> (i64, u64, u8, Vec<i32>) {
    (signed, unsigned, small, many)
}

#[tool]
fn floats(wide: f64, narrow: Option<f32>) -> (f64, Option<f32>) {
    (wide, narrow)
}

#[tool]
fn nested(
    items: Vec<Item>,
    by_name: BTreeMap<String, Item>,
) -> (Vec<Item>, BTreeMap<String, Item>) {
    (items, by_name)
}

#[tool]
fn steps(steps: Vec<Step>, last: Option<Step>) -> (Vec<Step>, Option<Step>) {
    (steps, last)
}

#[tool]
fn untagged(key: Key) -> (Key,) {
    (key,)
}

#[tool(coerce_strings)]
fn coerced(
    n: i64,
    on: bool,
    ratio: f64,
    text: String,
    list: Vec<u16>,
) -> (i64, bool, f64, String, Vec<u16>) {
    (n, on, ratio, text, list)
}

#[tool]
fn anything(value: Value) -> (Value,) {
    (value,)
}

#[tool]
fn flattened(#[args] page: Page) -> Page {
    page
}

#[tool]
fn nothing() {}

/// A tool, and the names of what its output holds in order; none where the output is itself an
/// object of arguments.
const TOOLS: &[(&str, &[&str])] = &[
    ("integers", &["signed", "unsigned", "small", "many"]),
    ("floats", &["wide", "narrow"]),
    ("nested", &["items", "by_name"]),
    ("steps", &["steps", "last"]),
    ("untagged", &["key"]),
    ("coerced", &["n", "on", "ratio", "text", "list"]),
    ("anything", &["value"]),
    ("flattened", &[]),
    ("validated", &[]),
];

/// The most bytes that a message may have: it quotes what came, and must not repeat all of it.
const MOST_TOLD: usize = 4096;

thread_local! {
    static PANICS: Cell<usize> = const { Cell::new(0) };
}

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    // libFuzzer's own hook aborts at each panic, caught or not. Counting them instead shows what
    // dispatch made of one.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        PANICS.set(PANICS.get() + 1);
    }));
    let mut reg = CapabilityRegistry::collect().expect("the names are unique");
    reg.register_dynamic(DynamicTool::new(
        "validated",
        json!({
            "type": "object",
            "properties": {
                "n": { "type": "integer", "minimum": -10, "maximum": 10 },
                "code": { "type": "string", "pattern": "^[a-z]{1,8}$" },
                "deep": { "$ref": "#/$defs/node" }
            },
            "required": ["n"],
            "additionalProperties": false,
            "$defs": {
                "node": {
                    "type": "object",
                    "properties": {
                        "of": { "type": "array", "items": { "$ref": "#/$defs/node" } },
                        "one": { "enum": [1, "one", null] }
                    }
                }
            }
        }),
        |arguments, _ctx| async move { Ok::<_, String>(arguments) },
    ))
    .expect("the schema is valid");
    reg.seal().expect("nothing is missing")
});

/// The tools here answer at once; one that doesn't is a finding.
fn at_once<F: Future>(call: F) -> F::Output {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => std::process::abort(),
    }
}

/// What came as the name of a tool is refused as any other that nobody has.
fn misname(name: &str) {
    let ctx = ToolCallContext::new("fuzz");
    if let Err(error) = at_once(REGISTRY.dispatch(name, "{}", &ctx)) {
        assert!(
            matches!(
                error,
                DispatchError::UnknownTool { .. } | DispatchError::InvalidArguments { .. }
            ),
            "{name}: {error}"
        );
        assert_bounded(&error);
    }
}

fn assert_bounded(error: &DispatchError) {
    for text in [error.to_string(), error.for_model()] {
        assert!(text.len() <= MOST_TOLD, "{} bytes: {text}", text.len());
    }
}

fn dispatch(name: &str, arguments: &[u8]) -> Option<Value> {
    let ctx = ToolCallContext::new("fuzz");
    match at_once(REGISTRY.dispatch_bytes(name, arguments, &ctx)) {
        Ok(output) => {
            let json = output.as_json().expect("these tools return no content");
            Some(callboard::serde_json::from_str(json).expect("an output is JSON"))
        }
        Err(error) => {
            assert!(
                matches!(error, DispatchError::InvalidArguments { .. }),
                "{name}: {error}"
            );
            assert_bounded(&error);
            None
        }
    }
}

/// What a tool gave, as the arguments that give it again.
fn as_arguments(output: Value, fields: &[&str]) -> Value {
    match output {
        Value::Array(values) => fields
            .iter()
            .map(|field| (*field).to_owned())
            .zip(values)
            .collect::<callboard::serde_json::Map<_, _>>()
            .into(),
        other => other,
    }
}

fuzz_target!(|bytes: &[u8]| {
    LazyLock::force(&REGISTRY);
    PANICS.set(0);
    for (name, fields) in TOOLS {
        if let Some(output) = dispatch(name, bytes) {
            let again = as_arguments(output.clone(), fields);
            let echoed = dispatch(name, again.to_string().as_bytes());
            if echoed.as_ref() != Some(&output) {
                eprintln!("{name}: {output} came back as {echoed:?}");
                std::process::abort();
            }
        }
    }
    dispatch("nothing", bytes);
    misname(&String::from_utf8_lossy(bytes));
    if PANICS.get() != 0 {
        eprintln!("{} panics", PANICS.get());
        std::process::abort();
    }
});
