//! One rule for showing a tool and running it.

use callboard::{
    AllowList, Authorizer, CallError, CapabilityRegistry, Decision, DispatchError, Registry,
    RegistryEntry, ToolCallContext, ToolDefinition, tool,
};

use crate::common::ctx;

#[tool(read_only)]
async fn look() -> u8 {
    1
}

#[tool]
async fn change(n: u8) -> u8 {
    n
}

struct Tenant(&'static str);

fn registry(authorizer: Option<impl Authorizer>) -> Registry {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Look>()
        .and_then(CapabilityRegistry::register_tool::<Change>)
        .expect("the names are free");
    reg.alias(callboard::ComponentKind::Tool, "modify", "change")
        .expect("the name is free");
    if let Some(authorizer) = authorizer {
        reg.set_authorizer(authorizer);
    }
    reg.seal().expect("it seals")
}

fn shown(registry: &Registry, ctx: &ToolCallContext) -> Vec<String> {
    registry
        .definitions_for(ctx)
        .into_iter()
        .map(|ToolDefinition { name, .. }| name)
        .collect()
}

/// The reason of the refusal of `change`, which must be the same at both doors, by name, by
/// alias, and whatever the arguments.
async fn refusal_of_change(registry: &Registry, ctx: &ToolCallContext) -> String {
    let mut reasons = Vec::new();
    for (name, arguments) in [
        ("change", r#"{"n":1}"#),
        ("change", "nonsense"),
        ("modify", ""),
    ] {
        match registry.dispatch(name, arguments, ctx).await {
            Err(DispatchError::Denied { tool, reason }) => {
                assert_eq!(tool, name, "the name that was asked for, and no other");
                reasons.push(reason);
            }
            other => panic!("{name}({arguments}): {other:?}"),
        }
    }
    match registry.dispatch_bytes("change", b"\xff", ctx).await {
        Err(DispatchError::Denied { reason, .. }) => reasons.push(reason),
        other => panic!("{other:?}"),
    }
    match registry.call::<Change>(ChangeArgs { n: 1 }, ctx).await {
        Err(CallError::Refused(DispatchError::Denied { reason, .. })) => reasons.push(reason),
        other => panic!("{other:?}"),
    }
    match registry.authorization("change", ctx) {
        Some(Decision::Deny { reason }) => reasons.push(reason),
        other => panic!("{other:?}"),
    }
    reasons.dedup();
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    reasons.remove(0)
}

#[tokio::test]
async fn a_tool_that_is_not_shown_can_not_be_run_by_naming_it() {
    let registry = registry(Some(|row: &RegistryEntry, _: &ToolCallContext| {
        if row.policy().read_only {
            Decision::Allow
        } else {
            Decision::deny("only reading here")
        }
    }));
    assert_eq!(shown(&registry, &ctx()), ["look"]);
    assert_eq!(
        refusal_of_change(&registry, &ctx()).await,
        "only reading here"
    );
    let looked = registry.call::<Look>(LookArgs {}, &ctx()).await;
    assert_eq!(looked.expect("it is shown"), 1);
    // The whole catalog, for the host alone.
    assert_eq!(registry.definitions().len(), 2);
}

#[tokio::test]
async fn the_context_decides_too() {
    let registry = registry(Some(|row: &RegistryEntry, ctx: &ToolCallContext| match ctx
        .extension::<Tenant>()
    {
        Some(Tenant("acme")) => Decision::Allow,
        Some(Tenant(name)) => Decision::deny(format!("{name} may not {}", row.name())),
        None => Decision::deny("no tenant"),
    }));
    let acme = ctx().with_extension(Tenant("acme"));
    assert_eq!(shown(&registry, &acme), ["change", "look"]);
    let changed = registry.dispatch("modify", r#"{"n":4}"#, &acme).await;
    assert_eq!(changed.expect("acme may").as_json(), Some("4"));
    let other = ctx().with_extension(Tenant("other"));
    assert!(shown(&registry, &other).is_empty());
    assert_eq!(
        refusal_of_change(&registry, &other).await,
        "other may not change"
    );
    assert_eq!(refusal_of_change(&registry, &ctx()).await, "no tenant");
}

#[tokio::test]
async fn an_authorizer_that_panics_denies() {
    let registry = registry(Some(|row: &RegistryEntry, _: &ToolCallContext| {
        assert!(row.policy().read_only, "the rules are lost");
        Decision::Allow
    }));
    assert_eq!(shown(&registry, &ctx()), ["look"]);
    let reason = refusal_of_change(&registry, &ctx()).await;
    assert!(reason.contains("the rules are lost"), "{reason}");
}

#[tokio::test]
async fn an_empty_allow_list_allows_nothing_and_an_absent_one_everything() {
    let empty = registry(Some(AllowList::default()));
    assert!(shown(&empty, &ctx()).is_empty());
    assert_eq!(
        refusal_of_change(&empty, &ctx()).await,
        "not on the allow-list"
    );
    let one = registry(Some(AllowList::new(["look"])));
    assert_eq!(shown(&one, &ctx()), ["look"]);
    refusal_of_change(&one, &ctx()).await;
    // A list names tools, not their aliases.
    let aliased = registry(Some(AllowList::new(["modify"])));
    refusal_of_change(&aliased, &ctx()).await;
    let absent = registry(None::<AllowList>);
    assert_eq!(shown(&absent, &ctx()), ["change", "look"]);
    let changed = absent.call::<Change>(ChangeArgs { n: 3 }, &ctx()).await;
    assert_eq!(changed.expect("nothing forbids it"), 3);
}

#[tokio::test]
async fn a_rule_outlives_a_new_version_of_the_registry() {
    let registry = registry(Some(AllowList::new(["look"])));
    let next = registry.to_builder().seal().expect("it seals again");
    assert_eq!(shown(&next, &ctx()), ["look"]);
    refusal_of_change(&next, &ctx()).await;
    assert_eq!(next.authorization("nowhere", &ctx()), None);
}

#[tokio::test]
async fn a_denied_alias_tells_no_other_name() {
    let registry = registry(Some(AllowList::default()));
    let denied = registry.dispatch("modify", "{}", &ctx()).await;
    let denied = denied.expect_err("nothing is allowed");
    assert!(!denied.for_model().contains("change"), "{denied:?}");
    let unknown = registry.dispatch("modifi", "{}", &ctx()).await;
    let unknown = unknown.expect_err("there is no such tool");
    assert_eq!(
        denied.for_model().replace("modify", "modifi"),
        unknown.for_model()
    );
}
