//! Routers in a registry that is filled: their routes are aliases.

use callboard::{
    CapabilityRegistry, ComponentId, ComponentKind, ComponentMetadata, RegistryError,
    RouterDefinition, SealProblem, WorkloadRoute,
};

use super::{chat, models, routed, vision};

const ROUTER: ComponentKind = ComponentKind::Router;

fn one(name: &str, alias: &str) -> RouterDefinition {
    RouterDefinition::new(name).route(WorkloadRoute::new(alias, "small"))
}

fn aliases(reg: &CapabilityRegistry, name: &str) -> Vec<String> {
    let metadata = reg.metadata(ROUTER, name).expect("it is registered");
    let bound: Vec<String> = reg
        .snapshot()
        .aliases
        .into_iter()
        .filter(|binding| binding.kind == ROUTER && binding.canonical == metadata.id.name())
        .map(|binding| binding.alias)
        .collect();
    assert_eq!(metadata.aliases, bound);
    bound
}

#[test]
fn routes_are_aliases_of_their_router() {
    let mut reg = models();
    reg.register_model_router(routed([vision(), chat()]).description("By work."))
        .expect("the names are free");
    assert_eq!(aliases(&reg, "workload"), ["chat-v1", "vision-v1"]);
    let metadata = reg.metadata(ROUTER, "chat-v1").expect("an alias");
    assert_eq!(metadata.id.to_string(), "router:workload");
    assert_eq!(metadata.description, "By work.");
    assert!(
        reg.origin(ROUTER, "workload")
            .is_some_and(|origin| origin.to_string().contains("register.rs"))
    );
    let definition = reg.router_definition("chat-v1").expect("it has routes");
    assert_eq!(definition.routes[1], chat());
    reg.register_router("by_hand").expect("the name is free");
    assert_eq!(reg.router_definition("by_hand"), None);
    let registry = reg.seal().expect("all is there");
    for name in ["workload", "chat-v1", "vision-v1"] {
        let router = registry.model_router(name).expect("a name or a route");
        assert_eq!(router.name(), "workload");
    }
    assert!(registry.model_router("by_hand").is_none());
    assert!(registry.model_router("small").is_none());
    assert!(format!("{registry:?}").contains("chat-v1"));
}

#[test]
fn a_refused_router_leaves_the_registry_as_it_was() {
    let mut reg = models();
    reg.register_model_router(one("first", "a"))
        .and_then(|reg| reg.register_router("named"))
        .and_then(|reg| reg.alias(ROUTER, "also", "named"))
        .expect("the names are free");
    let before = reg.snapshot();
    for (definition, words) in [
        // The route that is free comes before the one that isn't.
        (
            one("second", "free").route(WorkloadRoute::new("a", "small")),
            "the router `first` has it",
        ),
        (one("second", "first"), "it is the name of a router"),
        (one("second", "also"), "the router `named` has it"),
        (one("a", "free"), "alias"),
        (one("first", "free"), "already"),
    ] {
        let error = reg
            .register_model_router(definition.clone())
            .expect_err("a name is taken");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.to_string().contains("register.rs"), "{error}");
        if definition.name != "first" {
            assert!(reg.replace_model_router(definition).is_err());
        }
        assert_eq!(reg.snapshot(), before);
        assert!(reg.router_definition("second").is_none());
    }
    // What comes later can't take a route's name either.
    assert!(matches!(
        reg.register_router("a"),
        Err(RegistryError::TakenByAlias { .. })
    ));
    assert!(reg.alias(ROUTER, "a", "named").is_err());
    // Kinds partition the namespace.
    assert!(reg.register_descriptor(ComponentKind::Graph, "a").is_ok());
}

#[test]
fn a_replaced_router_has_its_new_routes_and_its_other_aliases() {
    let mut reg = models();
    reg.register_model_router(
        one("workload", "old")
            .route(WorkloadRoute::new("kept", "small"))
            .description("Words."),
    )
    .and_then(|reg| reg.alias(ROUTER, "main", "workload"))
    .and_then(|reg| {
        reg.replace_model_router(one("workload", "new").route(WorkloadRoute::new("kept", "large")))
    })
    .expect("the names are free");
    assert_eq!(aliases(&reg, "workload"), ["kept", "main", "new"]);
    let metadata = reg.metadata(ROUTER, "workload").expect("it is there");
    assert_eq!(metadata.description, "Words.");
    let refused = reg
        .replace_model_router(one("workload", "newer").route(WorkloadRoute::new("chat", "small")));
    assert!(refused.is_ok());
    assert_eq!(aliases(&reg, "workload"), ["chat", "main", "newer"]);
    // An alias may become a route of its own router, and a name get routes.
    reg.replace_model_router(one("workload", "main"))
        .and_then(|reg| reg.register_router("named"))
        .and_then(|reg| reg.replace_model_router(one("named", "r")))
        .expect("the names are free");
    assert_eq!(aliases(&reg, "workload"), ["main"]);
    let registry = reg.seal().expect("all is there");
    let router = registry.model_router("main").expect("it is a route");
    assert!(router.route("main").is_ok() && router.route("chat").is_err());
    assert!(registry.model_router("r").is_some());
}

#[test]
fn a_router_that_is_removed_takes_its_routes_along() {
    let mut reg = models();
    reg.register_model_router(routed([chat(), vision()]))
        .expect("the names are free");
    assert!(reg.remove(ROUTER, "workload"));
    assert!(!reg.has(ROUTER, "workload") && !reg.has(ROUTER, "chat-v1"));
    reg.register_model_router(routed([chat()]))
        .expect("the names are free again");
    let registry = reg.seal().expect("nothing dangles");
    assert_eq!(
        registry
            .model_router("workload")
            .map(|router| router.routes().len()),
        Some(1)
    );
}

#[test]
fn a_route_goes_with_its_alias() {
    let mut reg = models();
    reg.register_model_router(routed([chat(), vision()]))
        .expect("the names are free");
    assert!(reg.remove(ROUTER, "chat-v1"));
    assert_eq!(aliases(&reg, "workload"), ["vision-v1"]);
    let registry = reg.clone().seal().expect("one route is left");
    let router = registry.model_router("workload").expect("it is there");
    assert!(router.route("chat-v1").is_err() && router.route("vision-v1").is_ok());
    assert!(reg.remove(ROUTER, "vision-v1"));
    let error = reg.seal().expect_err("no route is left");
    assert!(
        matches!(&*error.problems, [SealProblem::NoRoutes { .. }]),
        "{error}"
    );
}

#[test]
fn a_name_in_the_place_of_a_router_has_no_routes() {
    let mut reg = models();
    reg.register_model_router(routed([chat()]))
        .and_then(|reg| reg.alias(ROUTER, "main", "workload"))
        .expect("the names are free");
    let id = ComponentId::new(ROUTER, "workload").expect("a name");
    reg.replace_descriptor(ComponentMetadata::new(id))
        .expect("the name makes room");
    assert_eq!(aliases(&reg, "workload"), ["main"]);
    let registry = reg.seal().expect("nothing dangles");
    assert!(registry.model_router("workload").is_none());
}

#[test]
fn a_sealed_registry_keeps_its_router_while_a_copy_changes() {
    let mut reg = models();
    reg.register_model_router(routed([chat()]))
        .expect("the names are free");
    let old = reg.seal().expect("all is there");
    let mut copy = old.to_builder();
    copy.replace_model_router(routed([vision()]))
        .expect("it is well-formed");
    let new = copy.seal().expect("all is there");
    assert!(old.model_router("chat-v1").is_some() && new.model_router("chat-v1").is_none());
    assert!(new.model_router("vision-v1").is_some());
}
