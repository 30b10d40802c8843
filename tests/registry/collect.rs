//! What the attributes of this program declared.

use callboard::{
    AgentRegistry, CapabilityRegistry, ComponentKind, Origin, RegistryEntry, RegistryError, Tool,
};

use super::{Add, quiet};

callboard::link!(serde_json);

#[tokio::test]
async fn everything_that_was_declared_is_there_with_its_words() {
    let reg = CapabilityRegistry::collect_where(|declared| !declared.has_tag("stateful"))
        .expect("no conflicts");
    assert_eq!(reg.names(ComponentKind::Tool), ["add", "negate"]);
    assert_eq!(reg.names(ComponentKind::Agent), ["echo"]);
    assert_eq!(reg.names(ComponentKind::Reducer), ["append_messages"]);
    assert_eq!(reg.names(ComponentKind::Store), ["sessions"]);
    assert_eq!(reg.len(), 5);
    for (kind, name, description, tags) in [
        (
            ComponentKind::Tool,
            "add",
            "Adds two numbers.",
            &["basic", "math"][..],
        ),
        (ComponentKind::Agent, "echo", "Says it again.", &["talk"]),
        (
            ComponentKind::Reducer,
            "append_messages",
            "Appends to a list.",
            &["chat"],
        ),
        (ComponentKind::Store, "sessions", "", &[]),
    ] {
        let metadata = reg.metadata(kind, name).expect("it was declared");
        assert_eq!(metadata.description, description);
        assert_eq!(metadata.tags, tags);
        assert!(matches!(
            reg.origin(kind, name),
            Some(Origin::Declared(source)) if source.module_path == "registry"
        ));
    }
    let agent = AgentRegistry::agent(&reg, "echo").expect("it was declared");
    assert_eq!(agent.answer("hello").await.expect("it answers"), "hello");
    assert_eq!(reg.agent_names(), ["echo"]);
}

#[test]
fn a_part_can_be_collected() {
    let reg = CapabilityRegistry::collect_where(|declared| declared.has_tag("basic"))
        .expect("no conflicts");
    assert_eq!(reg.names(ComponentKind::Tool), ["add"]);
    assert_eq!(reg.len(), 1);
    let none = CapabilityRegistry::collect_where(|_| false).expect("no conflicts");
    assert!(none.is_empty());
    let stores =
        CapabilityRegistry::collect_where(|declared| declared.kind() == ComponentKind::Store)
            .expect("no conflicts");
    assert_eq!(stores.names(ComponentKind::Store), ["sessions"]);
}

#[test]
fn a_tool_registered_by_type_has_the_same_row_as_a_collected_one() {
    let mut by_type = CapabilityRegistry::new();
    by_type.register_tool::<Add>().expect("the name is free");
    let collected = CapabilityRegistry::collect_where(|declared| declared.name() == "add")
        .expect("no conflicts");
    assert_eq!(by_type.snapshot(), collected.snapshot());
    let descriptor = |reg: &CapabilityRegistry| match reg.tool("add") {
        Some(RegistryEntry::Native(native)) => native.descriptor() as *const _,
        other => panic!("{other:?}"),
    };
    assert_eq!(descriptor(&by_type), descriptor(&collected));
    assert_eq!(descriptor(&by_type), Add::descriptor() as *const _);
}

#[test]
fn a_collected_name_is_taken() {
    let mut reg = CapabilityRegistry::collect().expect("no conflicts");
    let error = reg.register_tool::<Add>().expect_err("it was collected");
    let text = error.to_string();
    assert_eq!(
        text.matches(file!().rsplit_once('/').map_or("", |(dir, _)| dir))
            .count(),
        2,
        "{text}"
    );
}

#[test]
fn a_crate_that_gave_nothing_is_named() {
    let mut reg = CapabilityRegistry::collect().expect("no conflicts");
    reg.expect_crates(["registry", "callboard"])
        .expect("this binary, by its name in code and by its package");
    let error = reg
        .expect_crates(["registry", "my-tools", "serde_json"])
        .expect_err("two of them declare nothing");
    assert_eq!(
        error,
        RegistryError::NothingFrom {
            crates: vec!["my-tools".to_owned(), "serde_json".to_owned()]
        }
    );
    assert_eq!(
        error.to_string(),
        "nothing in this registry was declared in `my-tools`, `serde_json`: name the crate in the program with `callboard::link!(my_tools, serde_json);`, or take it off the list"
    );
    let mut by_hand = CapabilityRegistry::new();
    by_hand.register_agent(quiet("a", "")).expect("it is free");
    assert!(by_hand.expect_crates(["registry"]).is_err());
}
