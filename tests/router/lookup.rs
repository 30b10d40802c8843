//! What a router says of its routes.

use callboard::catalog::{Capability, CapabilitySet};
use callboard::{ChatModel, ModelRouter, RouterDefinition, WorkloadRoute, model};
use serde_json::json;

use super::{Client, chat, models, routed, sealed, vision};

#[test]
fn each_question_about_a_route_has_its_answer() {
    let registry = sealed([vision(), chat()]);
    let router = registry.model_router("workload").expect("it is registered");
    let aliases: Vec<&str> = router.routes().map(|route| &*route.alias).collect();
    assert_eq!(aliases, ["vision-v1", "chat-v1"]);
    assert_eq!(router.route("chat-v1"), Ok(&chat()));
    let target = router.target_model("vision-v1").expect("a route");
    assert_eq!(target.name(), "large");
    assert_eq!(target.entry().map(|entry| entry.key()), Some("acme/large"));
    assert_eq!(
        target.handle().map(|handle| handle.model_id()),
        Some("large")
    );
    assert_eq!(
        router.required_capabilities("vision-v1"),
        Ok(CapabilitySet::of(&[
            Capability::Vision,
            Capability::ToolCalling
        ]))
    );
    let policy = router.fallback_policy("chat-v1").expect("a route");
    let names: Vec<&str> = policy.iter().map(|candidate| candidate.name()).collect();
    assert_eq!(names, ["small", "unpriced", "large", "bare"]);
    assert!(policy[3].entry().is_none() && policy[3].handle().is_some());
}

#[test]
fn a_candidate_has_the_name_of_its_model_whatever_the_route_calls_it() {
    let registry = sealed([WorkloadRoute::new("a", "large").fallback("mini")]);
    let router = registry.model_router("a").expect("it is a route");
    assert_eq!(
        router.route("a").map(|route| &*route.fallbacks[0]),
        Ok("mini")
    );
    let policy = router.fallback_policy("a").expect("a route");
    assert_eq!(policy[1].name(), "small");
    assert!(policy[1].entry().is_some() && policy[1].handle().is_some());
}

/// Made when the registry is sealed.
#[model(provider = "acme", supports(tool_calling))]
fn made() -> impl ChatModel {
    Client("made")
}

#[test]
fn a_model_that_is_made_when_the_registry_is_sealed_is_there() {
    let mut reg = models();
    reg.register_model_of::<Made>()
        .and_then(|reg| {
            let route = WorkloadRoute::new("a", "made").requires([Capability::ToolCalling]);
            reg.register_model_router(routed([route]))
        })
        .expect("the names are free");
    let registry = reg.seal().expect("it can be made");
    let router = registry.model_router("a").expect("it is a route");
    let target = router.target_model("a").expect("it is a route");
    assert_eq!(
        target.handle().map(|handle| handle.model_id()),
        Some("made")
    );
}

#[test]
fn an_unknown_route_is_told_with_those_near_it() {
    let registry = sealed([chat()]);
    let router: &ModelRouter = registry.model_router("workload").expect("it is registered");
    let error = router.route("chat-v2").expect_err("no such route");
    assert_eq!(error.closest, ["chat-v1"]);
    assert!(
        error.to_string().contains("did you mean `chat-v1`?"),
        "{error}"
    );
    assert_eq!(router.target_model("chat-v2").err().as_ref(), Some(&error));
    assert_eq!(
        router.required_capabilities("chat-v2").err().as_ref(),
        Some(&error)
    );
    assert_eq!(router.fallback_policy("chat-v2").err(), Some(error));
    // The router's own name is none of its routes.
    assert!(router.route("workload").is_err());
    let error = router
        .route("x".repeat(1 << 20))
        .expect_err("no such route");
    assert!(error.to_string().len() < 300);
    assert!(error.closest.is_empty());
}

#[test]
fn the_schema_is_a_choice_of_names_with_what_they_are_for() {
    let registry = sealed([chat(), vision()]);
    let router = registry.model_router("workload").expect("it is registered");
    let schema = router.schema();
    assert_eq!(
        schema,
        json!({
            "type": "string",
            "oneOf": [
                {"const": "chat-v1", "description": "Everyday chat."},
                {"const": "vision-v1"},
            ],
        })
    );
    jsonschema::draft202012::meta::validate(&schema).expect("it is a schema");
    let validator = jsonschema::draft202012::new(&schema).expect("it is a schema");
    for (value, valid) in [("chat-v1", true), ("vision-v1", true), ("workload", false)] {
        assert_eq!(validator.is_valid(&json!(value)), valid, "{value}");
    }
    let mut reg = models();
    reg.register_model_router(routed([chat()]).description("Pick one."))
        .expect("it is well-formed");
    let registry = reg.seal().expect("all is there");
    let router = registry.model_router("workload").expect("it is registered");
    assert_eq!(router.schema()["description"], "Pick one.");
    let definition: &RouterDefinition = registry
        .router_definition("chat-v1")
        .expect("it has routes");
    assert_eq!(definition.description, "Pick one.");
}
