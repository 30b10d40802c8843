//! Routers that `#[router]` declares.

use callboard::catalog::{Capability, CapabilitySet};
use callboard::{
    CapabilityRegistry, ComponentKind, Model, Need, RegistryError, Router, RouterDefinition,
    WorkloadRoute, model, router,
};
use serde_json::json;

#[model(provider = "declared", context = 8_000, supports(tool_calling))]
struct Near;

#[model(
    provider = "declared",
    context = 200_000,
    supports(tool_calling, vision)
)]
struct Far;

/// Kinds of work.
#[router(name = "declared-work", tags("declared"))]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Work {
    /// Everyday chat.
    #[route(alias = "chat-v1", model = Near, requires(tool_calling), fallbacks(Far))]
    Chat,
    #[route(model = Far, requires(vision), min_context = 100_000)]
    LookAround,
    #[cfg(any())]
    #[route(model = NothingThatExists)]
    Gone,
}

/// Asks a small model.
#[router(tags("declared"))]
async fn by_intent(prompt: &str) -> Work {
    match prompt.len() {
        0 => Work::LookAround,
        _ => Work::Chat,
    }
}

fn collected() -> CapabilityRegistry {
    CapabilityRegistry::collect_where(|declared| {
        declared.has_tag("declared") || ["near", "far"].contains(&declared.name())
    })
    .unwrap()
}

#[test]
fn a_declared_router_is_collected_with_its_models_and_can_choose() {
    let registry = collected().seal().unwrap();
    let router = registry.router_of::<Work>().unwrap();
    let need = Need::default().prompt_tokens(10_000);
    let choice = router.select(Work::Chat, &need).unwrap();
    assert_eq!(choice.candidate.name(), "far");
    assert_eq!(choice.skipped[0].model, "near");
    assert_eq!(choice.candidate.entry(), Some(Far::ENTRY));
    assert_eq!(
        router.required_capabilities(Work::LookAround).unwrap(),
        CapabilitySet::of(&[Capability::Vision])
    );
    assert_eq!(router.routes().len(), 2);
    // By name and by the name of a route, too.
    for name in ["declared-work", "chat-v1", "look_around"] {
        assert_eq!(registry.model_router(name).unwrap().name(), "declared-work");
    }
}

#[test]
fn its_words_are_in_the_registry() {
    let reg = collected();
    let metadata = reg
        .metadata(ComponentKind::Router, "declared-work")
        .unwrap();
    assert_eq!(metadata.description, "Kinds of work.");
    assert_eq!(metadata.tags, ["declared"]);
    assert_eq!(metadata.aliases, ["chat-v1", "look_around"]);
    assert_eq!(
        reg.router_definition("chat-v1").unwrap(),
        &Work::DESCRIPTOR.definition()
    );
}

#[test]
fn the_enum_is_named_and_read_by_its_routes() {
    assert_eq!(Work::ALL, [Work::Chat, Work::LookAround]);
    for route in Work::ALL {
        assert_eq!(route.alias().parse(), Ok(*route));
    }
    let error = "chat-v2".parse::<Work>().unwrap_err();
    assert_eq!(error.router, "declared-work");
    assert_eq!(error.closest, ["chat-v1"]);
}

#[test]
fn a_model_can_be_asked_to_pick_a_route() {
    let schema = Work::schema();
    assert_eq!(
        schema,
        json!({
            "type": "string",
            "description": "Kinds of work.",
            "oneOf": [
                {"const": "chat-v1", "description": "Everyday chat."},
                {"const": "look_around"},
            ],
        })
    );
    let registry = collected().seal().unwrap();
    assert_eq!(registry.router_of::<Work>().unwrap().schema(), schema);
}

#[test]
fn a_router_is_registered_by_its_type_and_only_once() {
    let mut reg = CapabilityRegistry::new();
    reg.register_router_of::<Work>().unwrap();
    let error = reg.register_router_of::<Work>().unwrap_err();
    assert!(matches!(error, RegistryError::RouteTaken { .. }), "{error}");
    // Its models have to be there.
    let error = reg.seal().unwrap_err();
    assert_eq!(error.problems.len(), 3, "{error}");
    let mut reg = error.into_builder();
    reg.register_model_of::<Near>().unwrap();
    reg.register_model_of::<Far>().unwrap();
    reg.seal().unwrap();
}

#[test]
fn a_router_under_the_same_name_is_not_the_declared_one() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model_of::<Near>().unwrap();
    reg.register_model_router(
        RouterDefinition::new("declared-work").route(WorkloadRoute::new("chat-v1", "near")),
    )
    .unwrap();
    let registry = reg.seal().unwrap();
    assert!(registry.router_of::<Work>().is_none());
    assert!(registry.model_router("declared-work").is_some());
}

#[tokio::test]
async fn a_function_is_a_policy_by_name_and_stays_callable() {
    assert_eq!(by_intent("hello").await, Work::Chat);
    let registry = collected().seal().unwrap();
    let metadata = registry
        .metadata(ComponentKind::Router, "by_intent")
        .unwrap();
    assert_eq!(metadata.description, "Asks a small model.");
    // The application's own: callboard knows no routes of it.
    assert!(registry.model_router("by_intent").is_none());
}
