//! Tools that are registered at run time.

use callboard::{
    CallError, CapabilityRegistry, ComponentKind, DispatchError, DynamicTool, Origin,
    RegistryError, RowFamily, ToolPolicy,
};
use serde_json::{Value, json};

use super::{Add, AddArgs};
use crate::common::ctx;

fn tool(name: &str, schema: Value) -> DynamicTool {
    DynamicTool::new(name, schema, |_, _| async { Ok::<_, String>("dynamic") })
}

fn object() -> Value {
    json!({ "type": "object" })
}

#[tokio::test]
async fn a_dynamic_tool_is_a_row_like_any_other() {
    let mut reg = CapabilityRegistry::new();
    reg.register_dynamic(
        tool("shout", object())
            .with_title("Shout")
            .with_description("Says it louder.")
            .with_tags(["b", "a"])
            .with_version("3")
            .with_policy(ToolPolicy::read_only())
            .with_output_schema(json!({ "type": "string" })),
    )
    .expect("the name is free");
    assert!(matches!(
        reg.origin(ComponentKind::Tool, "shout"),
        Some(Origin::Registered(place)) if place.file() == file!()
    ));
    let registry = reg.seal().expect("it seals");
    let row = registry.tool("shout").expect("it is there");
    assert_eq!(row.family(), RowFamily::Dynamic);
    assert_eq!(row.title(), Some("Shout"));
    assert_eq!(row.version(), "3");
    assert!(row.policy().read_only);
    assert_eq!(row.output_schema(), Some(&json!({ "type": "string" })));
    let metadata = registry
        .metadata(ComponentKind::Tool, "shout")
        .expect("it is there");
    assert_eq!(metadata.tags, ["a", "b"]);
    assert_eq!(metadata.description, "Says it louder.");
    let output = registry.dispatch("shout", "{}", &ctx()).await;
    assert_eq!(output.expect("it runs").as_json(), Some("\"dynamic\""));
}

#[test]
fn a_dynamic_tool_that_says_nothing_is_taken_for_the_worse() {
    let mut reg = CapabilityRegistry::new();
    reg.register_dynamic(tool("t", object())).expect("free");
    let row = reg.tool("t").expect("it is there");
    assert_eq!(*row.policy(), ToolPolicy::unstated());
}

#[test]
fn what_is_wrong_with_a_dynamic_tool_is_told_and_leaves_the_registry_as_it_was() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Add>().expect("the name is free");
    let before = reg.snapshot();
    for (wrong, words) in [
        (tool("../x", object()), "1 to 64 of a-z"),
        (tool("add", object()), "there is a tool `add` already"),
        (tool("t", json!(true)), "not a JSON object"),
        (
            tool("t", json!({ "type": "array" })),
            "has type \"array\" at the top",
        ),
        (tool("t", json!({})), "no type at the top"),
        (tool("t", json!({ "type": "objekt" })), "not a JSON Schema"),
        (
            tool(
                "t",
                json!({ "type": "object", "properties": { "a": { "pattern": "(" } } }),
            ),
            "not a JSON Schema",
        ),
        (
            tool(
                "t",
                json!({ "type": "object", "$ref": "https://example.com/x.json" }),
            ),
            "not a JSON Schema",
        ),
        (
            tool("t", object()).with_output_schema(json!({ "minimum": "x" })),
            "the schema of the output",
        ),
        (
            tool(
                "t",
                json!({ "type": "object", "description": "x".repeat(1 << 20) }),
            ),
            "262144 is the most",
        ),
        (
            tool(
                "t",
                (0..80).fold(
                    object(),
                    |inner, _| json!({ "type": "object", "not": inner }),
                ),
            ),
            "more than 64 levels deep",
        ),
    ] {
        let error = reg.register_dynamic(wrong).map(drop).expect_err(words);
        assert!(error.to_string().contains(words), "{words}: {error}");
        assert_eq!(reg.snapshot(), before, "{error}");
    }
}

#[tokio::test]
async fn a_tool_replaced_at_run_time_is_no_longer_called_by_its_type() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Add>()
        .and_then(|reg| reg.replace_dynamic(tool("add", object())))
        .expect("it takes the place");
    // The words of the one it replaced stay.
    let metadata = reg.metadata(ComponentKind::Tool, "add").expect("there");
    assert_eq!(metadata.description, "Adds two numbers.");
    let registry = reg.seal().expect("it seals");
    let typed = registry
        .call::<Add>(AddArgs { left: 1, right: 1 }, &ctx())
        .await;
    assert!(matches!(
        typed,
        Err(CallError::Refused(DispatchError::UnknownTool { .. }))
    ));
    let named = registry.dispatch("add", "", &ctx()).await;
    assert_eq!(named.expect("it runs").as_json(), Some("\"dynamic\""));
}

#[tokio::test]
async fn a_handler_that_panics_or_fails_is_an_answer() {
    let mut reg = CapabilityRegistry::new();
    let fails = DynamicTool::new("fails", object(), |_, _| async { Err::<u8, _>("no") });
    let early = DynamicTool::new("early", object(), |arguments: Value, _| {
        assert!(arguments.is_null(), "before any future");
        async { Ok::<_, String>(1) }
    });
    reg.register_dynamic(fails)
        .and_then(|reg| reg.register_dynamic(early))
        .expect("the names are free");
    let registry = reg.seal().expect("it seals");
    let error = registry.dispatch("fails", "", &ctx()).await;
    assert_eq!(error.expect_err("it fails").for_model(), "no");
    let error = registry.dispatch("early", "", &ctx()).await;
    assert!(
        matches!(&error, Err(DispatchError::Panicked { message, .. }) if message == "before any future"),
        "{error:?}"
    );
}

#[test]
fn one_name_is_one_tool_whatever_its_family() {
    let mut reg = CapabilityRegistry::new();
    reg.register_dynamic(tool("add", object())).expect("free");
    let error = reg.register_tool::<Add>().map(drop);
    let Err(RegistryError::Taken {
        existing, refused, ..
    }) = error
    else {
        panic!("{error:?}");
    };
    assert!(matches!(existing, Origin::Registered(_)));
    assert!(matches!(refused, Origin::Declared(_)));
}
