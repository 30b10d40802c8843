//! The list of tools: in pages, bounded, untouched.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use callboard::mcp::{McpError, McpLimits};
use callboard::{Bridge, ComponentKind, RegistryEntry, TaskSupport, ToolIoMode, ToolPolicy};
use serde_json::{Value, json};

use crate::common::ctx;
use crate::script::{Reply, Script, connect, method, registry_of, tool, within};

const NO_LIST: &str = "no list came in time: it is late, or it sent what is no JSON, more than 120 levels deep, or too long for one message";

/// Why this server can't be used.
async fn refusal(script: Script, limits: impl FnOnce(&mut McpLimits)) -> String {
    let mut bounds = McpLimits::default();
    limits(&mut bounds);
    let server = script
        .server("remote")
        .with_limits(bounds)
        .with_connect_timeout(Duration::from_secs(1));
    match within(server.connect()).await.expect_err("refused") {
        McpError::BadList { server, problem } => {
            assert_eq!(server, "remote");
            problem
        }
        other => panic!("{other:?}"),
    }
}

/// Answers `tools/list` with the page of the cursor.
fn paged(mut page: impl FnMut(usize) -> Value + Send + 'static) -> Script {
    Script::new([]).on(move |message| {
        (method(message) == "tools/list").then(|| {
            let cursor = message["params"]["cursor"].as_str();
            Reply::Result(page(
                cursor.map_or(0, |cursor| cursor.parse().expect("a number")),
            ))
        })
    })
}

#[tokio::test]
async fn a_list_in_pages_is_read_to_its_end() {
    let script = paged(|page| match page {
        2 => json!({ "tools": [tool("a")] }),
        _ => json!({
            "tools": [tool(&format!("z{page}")), tool(&format!("m{page}"))],
            "nextCursor": (page + 1).to_string(),
        }),
    });
    let registry = script.registry().await;
    assert_eq!(
        registry.names(ComponentKind::Tool),
        ["a", "m0", "m1", "z0", "z1"]
    );
    assert_eq!(script.heard("tools/list").len(), 3);
}

#[tokio::test]
async fn a_list_without_an_end_is_refused() {
    let endless = paged(
        |page| json!({ "tools": [tool(&format!("t{page}"))], "nextCursor": (page + 1).to_string() }),
    );
    let problem = refusal(endless.clone(), |limits| limits.pages = 7).await;
    assert_eq!(
        problem,
        "its list has more than 7 pages, the most that is read"
    );
    assert_eq!(endless.heard("tools/list").len(), 7);
    let circle = paged(|_| json!({ "tools": [], "nextCursor": "1" }));
    let problem = refusal(circle.clone(), |_| {}).await;
    assert_eq!(problem, "the next page of its list is the page itself");
    assert_eq!(circle.heard("tools/list").len(), 2);
}

#[tokio::test]
async fn what_is_above_a_limit_is_refused() {
    let many = || Script::new((0..11).map(|position| tool(&format!("t{position}"))));
    let problem = refusal(many(), |limits| limits.tools = 10).await;
    assert_eq!(problem, "it has more than 10 tools, the most that is taken");
    let problem = refusal(many(), |limits| limits.list_bytes = 300).await;
    assert_eq!(
        problem,
        "its list is longer than 300 bytes, the most that is taken"
    );
    let wordy = |bytes| {
        let mut wordy = tool("wordy");
        wordy["description"] = json!("x".repeat(bytes));
        Script::new([wordy])
    };
    let problem = refusal(wordy((16 << 10) + 1), |_| {}).await;
    assert_eq!(
        problem,
        "the tool `wordy`: its description has 16385 bytes, and 16384 is the most"
    );
    wordy(16 << 10).registry().await;
}

fn nested(levels: usize) -> String {
    format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels))
}

/// As text: not even serde_json would write it.
fn deep(levels: usize) -> Script {
    Script::new([]).on(move |message| {
        (method(message) == "tools/list").then(|| {
            let text = format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[{{"name":"deep","inputSchema":{{"type":"object","x":{}}}}}]}}}}"#,
                message["id"],
                nested(levels)
            );
            Reply::Raw(text.into_bytes())
        })
    })
}

#[tokio::test]
async fn a_schema_that_is_too_deep_is_refused() {
    // The tool itself and its schema are two levels.
    deep(62).registry().await;
    let problem = refusal(deep(63), |_| {}).await;
    assert_eq!(
        problem,
        "the tool `deep`: its definition is more than 64 levels deep"
    );
    let problem = refusal(deep(119), |limits| limits.depth = usize::MAX).await;
    assert_eq!(
        problem,
        "the tool `deep`: its definition is more than 120 levels deep"
    );
    for levels in [200, 1_000, 100_000] {
        let problem = refusal(deep(levels), |limits| limits.depth = usize::MAX).await;
        assert_eq!(problem, NO_LIST, "{levels}");
    }
}

#[tokio::test]
async fn a_message_that_is_too_long_or_no_json_is_passed_over() {
    let first = Arc::new(AtomicUsize::new(0));
    let asked = Arc::clone(&first);
    let noisy = Script::new([tool("a")]).on(move |message| {
        if method(message) == "initialize" {
            return None;
        }
        match asked.fetch_add(1, Ordering::SeqCst) {
            // Before the answer: text that is no JSON, JSON that is no message.
            1 => Some(Reply::First(
                vec![
                    json!("not a message"),
                    json!([1]),
                    json!({"jsonrpc": "2.0"}),
                ],
                json!({ "tools": [tool("a")] }),
            )),
            _ => None,
        }
    });
    let registry = noisy.registry().await;
    assert_eq!(registry.names(ComponentKind::Tool), ["a"]);
    // A hundred megabytes of description: not taken in, and the host isn't held up.
    let huge = Script::new([]).on(|message| {
        (method(message) == "tools/list").then(|| {
            let mut text = format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[{{"name":"huge","inputSchema":{{"type":"object"}},"description":""#,
                message["id"]
            )
            .into_bytes();
            text.resize(text.len() + (100 << 20), b'x');
            text.extend(br#""}]}}"#);
            Reply::Raw(text)
        })
    });
    let problem = refusal(huge, |_| {}).await;
    assert_eq!(problem, NO_LIST);
    let garbage = Script::new([]).on(|message| {
        (method(message) == "tools/list").then(|| Reply::Raw(b"{\"tools\":[}".to_vec()))
    });
    let problem = refusal(garbage, |_| {}).await;
    assert_eq!(problem, NO_LIST);
    let error = Script::new([]).on(|message| {
        (method(message) == "tools/list").then_some(Reply::Error(-32000, "on holiday"))
    });
    let problem = refusal(error, |_| {}).await;
    assert_eq!(
        problem,
        "it answered `tools/list` with the error -32000: on holiday"
    );
}

#[tokio::test]
async fn a_schema_comes_out_as_it_went_in() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "format": { "type": "string", "format": "made-up", "default": null },
            "$ref": { "$ref": "#/$defs/node" },
            "type": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            "properties": { "const": 18_446_744_073_709_551_615_u64 },
            "additionalProperties": { "minimum": -0.5, "x-unknown": [1, {}, []] },
        },
        "$defs": { "node": { "type": "object", "properties": { "next": { "$ref": "#/$defs/node" } } } },
        "required": ["type"],
        "x-unknown": { "deep": { "er": true } },
    });
    let output =
        json!({ "type": "object", "properties": { "n": { "type": ["integer", "null"] } } });
    let script = Script::new([json!({
        "name": "t",
        "inputSchema": schema,
        "outputSchema": output,
        "_meta": { "vendor/thing": [1] },
    })]);
    let registry = script.registry().await;
    let row = registry.tool("t").expect("it is there");
    assert_eq!(row.input_schema(), &schema);
    assert_eq!(row.output_schema(), Some(&output));
    let mut shown = schema;
    shown.as_object_mut().expect("an object").remove("$schema");
    assert_eq!(registry.definitions()[0].parameters, shown);
    let RegistryEntry::Mcp(entry) = row else {
        panic!("{row:?}")
    };
    assert_eq!(entry.server_tool()["_meta"], json!({ "vendor/thing": [1] }));
}

#[tokio::test]
async fn arguments_are_an_object() {
    for schema in [
        json!({}),
        json!({ "type": "string" }),
        json!({ "type": ["object"] }),
    ] {
        let script = Script::new([json!({ "name": "t", "inputSchema": schema })]);
        let problem = refusal(script, |_| {}).await;
        assert!(
            problem.starts_with("the tool `t`: the schema of the arguments"),
            "{problem}"
        );
    }
}

#[tokio::test]
async fn a_schema_for_answers_that_costs_too_much_is_not_used() {
    let answers = |schema: Value| json!({ "name": "t", "inputSchema": { "type": "object" }, "outputSchema": schema });
    // Each level twice: a validator would look at the innermost a million times.
    let doubling: serde_json::Map<_, _> = (0..20)
        .map(|level| {
            let next = json!({ "$ref": format!("#/$defs/l{}", level + 1) });
            let both = json!({ "type": "object", "anyOf": [next.clone(), next] });
            (format!("l{level}"), both)
        })
        .chain([("l20".to_owned(), json!({ "type": "object" }))])
        .collect();
    let doubling =
        json!({ "type": "object", "anyOf": [{ "$ref": "#/$defs/l0" }], "$defs": doubling });
    let patterns: serde_json::Map<_, _> = (0..=1_000)
        .map(|n| (format!("p{n}"), json!({ "pattern": "a" })))
        .collect();
    for (schema, words) in [
        (doubling, "more than 10000 steps"),
        (
            json!({ "type": "object", "properties": patterns }),
            "more than 1000 patterns",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "pattern": "\\w{9}{99}{99}" } } }),
            "is not a \"regex\"",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "$ref": "https://example.org/a" } } }),
            "leads nowhere in it",
        ),
    ] {
        let script = Script::new([answers(schema)]);
        let connection = script.connect().await;
        let tools = connection.tools();
        let capabilities = tools[0].capabilities();
        assert!(!capabilities.output_schema);
        let note = &capabilities.notes[0];
        assert!(
            note.starts_with("the answers are not checked") && note.contains(words),
            "{note}"
        );
        let called = within(registry_of(&connection).dispatch("t", "", &ctx())).await;
        called.expect("it is called all the same");
    }
}

#[tokio::test]
async fn capabilities_promise_no_more_than_the_server_does() {
    let checked = json!({
        "name": "checked",
        "inputSchema": { "type": "object" },
        "outputSchema": { "type": "object" },
    });
    let unusable = json!({
        "name": "unusable",
        "inputSchema": { "type": "object" },
        "outputSchema": { "type": "object", "properties": { "a": { "pattern": "(?=x)" } } },
    });
    let script = Script::new([checked, unusable, tool("plain")]);
    let connection = connect(script.server("remote")).await;
    let tools = connection.tools();
    let [checked, plain, unusable] = &tools[..] else {
        panic!("{tools:?}")
    };
    let capabilities = plain.capabilities();
    assert_eq!(capabilities.task_support, TaskSupport::NotStated);
    assert_eq!(capabilities.io_mode, ToolIoMode::Unary);
    assert_eq!(capabilities.bridge, Bridge::Transport);
    assert!(!capabilities.output_schema && !capabilities.emits_progress);
    assert!(!capabilities.may_elicit && !capabilities.may_sample);
    assert!(capabilities.notes.is_empty());
    assert!(checked.capabilities().output_schema);
    assert!(!unusable.capabilities().output_schema);
    assert!(
        unusable.capabilities().notes[0].starts_with("the answers are not checked"),
        "{:?}",
        unusable.capabilities().notes
    );
    let registry = registry_of(&connect(script.server("remote").ask_callers()).await);
    let row = registry.tool("plain").expect("it is there");
    assert_eq!(
        *row.policy(),
        ToolPolicy::unstated().with_timeout(Some(Duration::from_secs(60)))
    );
    let RegistryEntry::Mcp(entry) = row else {
        panic!("{row:?}")
    };
    assert!(entry.capabilities().may_elicit && entry.capabilities().may_sample);
}
