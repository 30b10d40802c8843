//! Routers as data.

use callboard::catalog::Capability;
use callboard::{
    CapabilityRegistry, InvalidRouter, RegistryError, RouterDefinition, WorkloadRoute,
};
use serde_json::{Value, json};

use super::{chat, routed, vision};

fn refusal(document: &Value) -> InvalidRouter {
    RouterDefinition::from_json(&document.to_string()).expect_err("it is not well-formed")
}

/// The field and the message of the one fault.
fn fault(document: &Value) -> (String, String) {
    let error = refusal(document);
    assert_eq!(error.faults.len(), 1, "{error}");
    (
        error.faults[0].field.clone(),
        error.faults[0].message.clone(),
    )
}

#[test]
fn code_and_data_make_the_same_router() {
    let definition = routed([chat(), vision()]).description("By the kind of work.");
    let document = json!({
        "name": "workload",
        "description": "By the kind of work.",
        "routes": [
            {
                "alias": "chat-v1", "description": "Everyday chat.", "model": "small",
                "fallbacks": ["unpriced", "large", "bare"],
            },
            {
                "alias": "vision-v1", "model": "large",
                "requires": ["tool_calling", "vision"], "min_context": 100_000,
            },
        ],
    });
    assert_eq!(
        RouterDefinition::from_json(&document.to_string()).as_ref(),
        Ok(&definition)
    );
    assert_eq!(serde_json::to_value(&definition).ok(), Some(document));
    let set = [Capability::Vision, Capability::ToolCalling];
    assert!(
        definition.routes[1]
            .requires
            .iter()
            .all(|one| set.contains(&one))
    );
    assert_eq!(definition.routes[1].requires.iter().count(), 2);
}

#[test]
fn what_cannot_be_read_is_shown_with_its_path() {
    let route = |route: Value| json!({"name": "r", "routes": [route]});
    for (document, field, words) in [
        (json!(1), "", "RouterDefinition"),
        (json!({"routes": []}), "", "missing field `name`"),
        (json!({"name": "r"}), "", "missing field `routes`"),
        (
            json!({"name": "r", "routes": [], "root": 1}),
            "root",
            "unknown field `root`",
        ),
        (json!({"name": 1, "routes": []}), "name", "string"),
        (
            route(json!({"alias": "a"})),
            "routes[0]",
            "missing field `model`",
        ),
        (
            route(json!({"alias": "a", "model": "m", "requires": ["vision", "visoin"]})),
            "routes[0].requires[1]",
            "tool_calling",
        ),
        (
            route(json!({"alias": "a", "model": "m", "min_context": -1})),
            "routes[0].min_context",
            "-1",
        ),
        (
            route(json!({"alias": "a", "model": "m", "min_context": 1.5})),
            "routes[0].min_context",
            "1.5",
        ),
        (
            route(json!({"alias": "a", "model": "m", "fallback": "b"})),
            "routes[0].fallback",
            "`fallbacks`",
        ),
    ] {
        let (at, message) = fault(&document);
        assert!(at == field && message.contains(words), "{at}: {message}");
    }
    for (text, words) in [
        ("", "EOF"),
        ("{", "EOF"),
        (r#"{"name":"r","routes":[]} {}"#, "trailing"),
        (r#"{"name":"r","name":"s","routes":[]}"#, "duplicate field"),
    ] {
        let error = RouterDefinition::from_json(text).expect_err("no document");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn everything_that_is_wrong_by_itself_is_told_at_once() {
    let error = refusal(&json!({
        "name": "workload",
        "routes": [
            {"alias": "a", "model": "../m"},
            {"alias": "workload", "model": "m"},
            {"alias": "a", "model": "m", "fallbacks": ["n", ""]},
        ],
    }));
    assert_eq!(error.router.as_deref(), Some("workload"));
    let fields: Vec<&str> = error.faults.iter().map(|fault| &*fault.field).collect();
    assert_eq!(
        fields,
        [
            "routes[0].model",
            "routes[1].alias",
            "routes[2].alias",
            "routes[2].fallbacks[1]"
        ]
    );
    let text = error.to_string();
    assert_eq!(text.lines().count(), 5, "{text}");
    for words in [
        "`workload` is the router's own name",
        "there is a route `a` before it",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn sizes_are_bounded() {
    let long = "x".repeat(1 << 20);
    let (field, message) = fault(&json!({"name": long, "routes": []}));
    assert_eq!(field, "");
    assert!(message.contains("1048576 is the most"), "{message}");

    let routes: Vec<Value> = (0..1_001)
        .map(|i| json!({"alias": format!("a{i}"), "model": "m"}))
        .collect();
    let (field, message) = fault(&json!({"name": "r", "routes": routes}));
    assert_eq!(
        (&*field, &*message),
        ("routes", "has 1001 routes, and 1000 is the most")
    );
    assert!(
        RouterDefinition::from_json(&json!({"name": "r", "routes": routes[..1_000]}).to_string())
            .is_ok()
    );

    let fallbacks: Vec<String> = (0..65).map(|i| format!("m{i}")).collect();
    let route = json!({"alias": "a", "model": "m", "fallbacks": fallbacks});
    let (field, message) = fault(&json!({"name": "r", "routes": [route]}));
    assert_eq!(field, "routes[0].fallbacks");
    assert!(message.contains("65 fallbacks"), "{message}");

    let description = "d".repeat((16 << 10) + 1);
    let (field, message) = fault(&json!({"name": "r", "description": description, "routes": []}));
    assert_eq!(field, "description");
    assert!(message.contains("16385 bytes"), "{message}");

    let deep = "[".repeat(100_000);
    let error = RouterDefinition::from_json(&deep).expect_err("not a router");
    assert!(error.to_string().len() < 500, "{error}");
}

#[test]
fn a_registry_takes_no_definition_that_is_not_well_formed() {
    let mut reg = CapabilityRegistry::new();
    for definition in [
        RouterDefinition::new("no name"),
        RouterDefinition::new("r").route(WorkloadRoute::new("r", "m")),
        RouterDefinition::new("r").route(WorkloadRoute::new("a", "m".repeat(65))),
    ] {
        let error = reg.register_model_router(definition).expect_err("it isn't");
        assert!(matches!(error, RegistryError::InvalidRouter(_)), "{error}");
    }
    assert!(reg.is_empty());
}
