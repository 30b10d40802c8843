//! Second names.

use callboard::{
    AliasBinding, CapabilityRegistry, ComponentKind, Diagnostic, RegistryError, SealProblem,
};

use super::{Add, Negate, model, quiet};
use crate::common::ctx;

fn with_alias() -> CapabilityRegistry {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Add>()
        .and_then(|reg| reg.alias(ComponentKind::Tool, "plus", "add"))
        .expect("the names are free");
    reg
}

#[tokio::test]
async fn a_tool_is_called_by_its_alias_and_shown_by_its_name() {
    let registry = with_alias().seal().expect("it seals");
    let sum = registry
        .dispatch("plus", r#"{"left":1,"right":2}"#, &ctx())
        .await;
    assert_eq!(sum.expect("it is an alias").as_json(), Some("3"));
    let shown: Vec<_> = registry
        .definitions()
        .into_iter()
        .map(|definition| definition.name)
        .collect();
    assert_eq!(shown, ["add"]);
    assert_eq!(
        registry.tool("plus").map(callboard::RegistryEntry::name),
        Some("add")
    );
    assert_eq!(registry.names(ComponentKind::Tool), ["add"]);
    assert_eq!(
        registry.names_including_aliases(ComponentKind::Tool),
        ["add", "plus"]
    );
    assert!(registry.has(ComponentKind::Tool, "plus"));
    assert!(!registry.has(ComponentKind::Agent, "plus"));
    assert_eq!(
        registry.metadata(ComponentKind::Tool, "plus"),
        registry.metadata(ComponentKind::Tool, "add")
    );
}

#[test]
fn an_alias_needs_a_target_that_is_registered_and_no_alias() {
    let mut reg = with_alias();
    let before = reg.snapshot();
    let error = reg.alias(ComponentKind::Tool, "sum", "plus").map(drop);
    assert!(
        matches!(&error, Err(RegistryError::AliasOfAlias { canonical, .. }) if canonical == "add"),
        "{error:?}"
    );
    let error = reg.alias(ComponentKind::Tool, "sum", "adds").map(drop);
    assert!(
        matches!(&error, Err(RegistryError::Unknown { closest, .. }) if closest == &["add"]),
        "{error:?}"
    );
    let error = reg.alias(ComponentKind::Model, "sum", "add").map(drop);
    assert!(
        matches!(&error, Err(RegistryError::Unknown { .. })),
        "{error:?}"
    );
    assert_eq!(reg.snapshot(), before);
}

#[test]
fn a_component_can_not_take_the_name_of_an_alias() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Negate>()
        .and_then(|reg| reg.alias(ComponentKind::Tool, "add", "negate"))
        .and_then(|reg| reg.register_model("big", model("m")))
        .and_then(|reg| reg.alias(ComponentKind::Model, "default", "big"))
        .expect("the names are free");
    let before = reg.snapshot();
    for refused in [
        reg.register_tool::<Add>().map(drop),
        reg.replace_tool::<Add>().map(drop),
        reg.register_model("default", model("n")).map(drop),
        reg.replace_model("default", model("n")).map(drop),
        reg.alias(ComponentKind::Model, "default", "big").map(drop),
    ] {
        assert!(
            matches!(&refused, Err(RegistryError::TakenByAlias { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(reg.snapshot(), before);
    // Kinds are apart.
    reg.register_agent(quiet("default", "Free."))
        .expect("it is another kind");
}

#[test]
fn an_alias_of_a_component_that_is_gone_stops_sealing() {
    let mut reg = with_alias();
    assert!(reg.remove(ComponentKind::Tool, "add"));
    let binding = AliasBinding {
        kind: ComponentKind::Tool,
        alias: "plus".to_owned(),
        canonical: "add".to_owned(),
    };
    assert_eq!(reg.diagnostics(), [Diagnostic::DanglingAlias(binding)]);
    let error = reg.seal().expect_err("`plus` stands for nothing");
    assert!(
        matches!(error.problems.as_slice(), [SealProblem::DanglingAlias { canonical, .. }] if canonical == "add")
    );
    let mut reg = error.into_builder();
    assert!(reg.remove(ComponentKind::Tool, "plus"));
    assert!(reg.seal().is_ok());
}

#[test]
fn an_alias_is_one_hop_also_when_another_takes_its_targets_name() {
    let mut reg = with_alias();
    assert!(reg.remove(ComponentKind::Tool, "add"));
    reg.register_tool::<Negate>()
        .and_then(|reg| reg.alias(ComponentKind::Tool, "add", "negate"))
        .expect("`add` is free again");
    let error = reg.seal().expect_err("`plus` stands for an alias");
    assert!(
        matches!(error.problems.as_slice(), [SealProblem::DanglingAlias { alias, .. }] if alias.name() == "plus"),
        "{error}"
    );
}

#[test]
fn a_component_that_comes_back_has_its_aliases() {
    let mut reg = with_alias();
    let before = reg.snapshot();
    assert!(reg.remove(ComponentKind::Tool, "add"));
    reg.register_tool::<Add>().expect("it is free again");
    assert_eq!(reg.snapshot(), before);
    assert!(reg.seal().is_ok());
}

#[test]
fn a_removed_alias_is_gone_from_its_component() {
    let mut reg = with_alias();
    assert!(reg.remove(ComponentKind::Tool, "plus"));
    assert!(!reg.has(ComponentKind::Tool, "plus"));
    let metadata = reg.metadata(ComponentKind::Tool, "add").expect("there");
    assert!(metadata.aliases.is_empty());
}
