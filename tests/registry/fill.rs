//! `register_*`, `replace_*`, `describe` and `remove`.

use std::sync::Arc;

use callboard::{
    AgentRegistry, CapabilityRegistry, ComponentId, ComponentKind, ComponentMetadata, NameError,
    Origin, RegistryError,
};

use super::{Add, Negate, model, quiet};

fn filled() -> CapabilityRegistry {
    let mut reg = CapabilityRegistry::new();
    for registered in [
        reg.register_tool::<Add>().map(drop),
        reg.register_model("fast", model("m-1")).map(drop),
        reg.register_agent(quiet("helper", "Helps.")).map(drop),
        reg.register_router("by_intent").map(drop),
        reg.register_descriptor(ComponentKind::Store, "sessions")
            .map(drop),
        reg.alias(ComponentKind::Model, "default", "fast").map(drop),
    ] {
        registered.expect("every name is free");
    }
    reg
}

/// Fails unless `change` is refused and leaves the registry exactly as it was.
fn refused(
    reg: &mut CapabilityRegistry,
    change: impl FnOnce(&mut CapabilityRegistry) -> Result<(), RegistryError>,
) -> RegistryError {
    let before = (reg.snapshot(), reg.to_dot(), format!("{reg:?}"));
    let error = change(reg).expect_err("it is refused");
    assert_eq!(
        (reg.snapshot(), reg.to_dot(), format!("{reg:?}")),
        before,
        "{error}"
    );
    error
}

#[test]
fn a_taken_name_is_refused_with_both_places() {
    let mut reg = filled();
    let (name, other) = ("fast", model("m-2"));
    let here = line!() + 1;
    let change = |reg: &mut CapabilityRegistry| reg.register_model(name, other).map(drop);
    let error = refused(&mut reg, change);
    let RegistryError::Taken {
        id,
        existing,
        refused,
    } = &error
    else {
        panic!("{error:?}");
    };
    assert_eq!(id.to_string(), "model:fast");
    let line_of = |origin: &Origin| match origin {
        Origin::Registered(place) => {
            assert_eq!(place.file(), file!());
            place.line()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(line_of(refused), here);
    assert!(line_of(existing) < here);
    assert!(error.to_string().contains("replace_*"), "{error}");
    assert_eq!(reg.model("fast").map(|model| model.model_id()), Some("m-1"));
}

#[test]
fn each_kind_refuses_a_taken_name_and_stays_as_it_was() {
    let mut reg = filled();
    type Change = fn(&mut CapabilityRegistry) -> Result<(), RegistryError>;
    let changes: [Change; 5] = [
        |reg| reg.register_tool::<Add>().map(drop),
        |reg| reg.register_agent(quiet("helper", "Other.")).map(drop),
        |reg| reg.register_router("by_intent").map(drop),
        |reg| {
            reg.register_descriptor(ComponentKind::Store, "sessions")
                .map(drop)
        },
        |reg| reg.alias(ComponentKind::Tool, "add", "add").map(drop),
    ];
    for change in changes {
        let error = refused(&mut reg, change);
        assert!(matches!(error, RegistryError::Taken { .. }), "{error:?}");
    }
}

#[test]
fn a_name_that_breaks_the_rule_is_refused_everywhere() {
    let long = "x".repeat(65);
    for name in ["", &long, "two words", "naïve", "../x", "a\n"] {
        let mut reg = filled();
        let errors = [
            refused(&mut reg, |reg| {
                reg.register_model(name, model("m")).map(drop)
            }),
            refused(&mut reg, |reg| {
                reg.replace_model(name, model("m")).map(drop)
            }),
            refused(&mut reg, |reg| {
                reg.register_agent(quiet(name, "")).map(drop)
            }),
            refused(&mut reg, |reg| reg.replace_agent(quiet(name, "")).map(drop)),
            refused(&mut reg, |reg| reg.register_router(name).map(drop)),
            refused(&mut reg, |reg| {
                reg.register_descriptor(ComponentKind::Script, name)
                    .map(drop)
            }),
            refused(&mut reg, |reg| {
                reg.alias(ComponentKind::Tool, name, "add").map(drop)
            }),
            refused(&mut reg, |reg| {
                reg.alias(ComponentKind::Tool, "plus", name).map(drop)
            }),
            refused(&mut reg, |reg| {
                reg.describe(ComponentKind::Tool, name, "", ["x"]).map(drop)
            }),
        ];
        for error in errors {
            assert!(
                matches!(error, RegistryError::InvalidName { .. }),
                "{name:?}: {error:?}"
            );
            assert!(error.to_string().contains("1 to 64 of a-z"), "{error}");
        }
        assert!(!reg.has(ComponentKind::Model, name));
        assert!(!reg.remove(ComponentKind::Model, name));
    }
    let mut reg = CapabilityRegistry::new();
    let longest = "x".repeat(64);
    reg.register_router(longest.as_str())
        .expect("64 is the most");
    assert!(reg.has(ComponentKind::Router, &longest));
    assert_eq!(
        ComponentId::new(ComponentKind::Tool, ""),
        Err(NameError::Empty)
    );
}

#[test]
fn names_that_differ_in_case_or_punctuation_are_different() {
    let mut reg = CapabilityRegistry::new();
    for name in ["a-b", "a_b", "a.b", "A_b"] {
        reg.register_router(name).expect("it is free");
    }
    assert_eq!(
        reg.names(ComponentKind::Router),
        ["A_b", "a-b", "a.b", "a_b"]
    );
}

#[test]
fn a_kind_with_handles_is_not_registered_by_name_alone() {
    for kind in [
        ComponentKind::Tool,
        ComponentKind::Model,
        ComponentKind::Agent,
    ] {
        let mut reg = filled();
        let by_name = refused(&mut reg, |reg| reg.register_descriptor(kind, "x").map(drop));
        let id = ComponentId::new(kind, "x").expect("a name");
        let replaced = refused(&mut reg, |reg| {
            reg.replace_descriptor(ComponentMetadata::new(id)).map(drop)
        });
        for error in [by_name, replaced] {
            assert_eq!(error, RegistryError::NeedsHandle { kind });
            assert!(error.to_string().contains(&format!("`register_{kind}`")));
        }
    }
}

#[test]
fn a_replacement_takes_the_place_and_keeps_the_richer_words() {
    let mut reg = filled();
    reg.describe(ComponentKind::Model, "fast", "Quick.", ["b", "a", "b"])
        .expect("it is registered");
    reg.replace_model("fast", model("m-2"))
        .expect("it is a name");
    assert_eq!(
        reg.model("default").map(|model| model.model_id()),
        Some("m-2")
    );
    let metadata = reg.metadata(ComponentKind::Model, "fast").expect("there");
    assert_eq!(metadata.description, "Quick.");
    assert_eq!(metadata.tags, ["a", "b"]);
    assert_eq!(metadata.aliases, ["default"]);
    reg.replace_agent(quiet("helper", ""))
        .expect("it is a name");
    let kept = reg.metadata(ComponentKind::Agent, "helper").expect("there");
    assert_eq!(kept.description, "Helps.");
    reg.replace_agent(quiet("helper", "Helps more."))
        .expect("it is a name");
    let newer = reg.metadata(ComponentKind::Agent, "helper").expect("there");
    assert_eq!(newer.description, "Helps more.");
    let id = ComponentId::new(ComponentKind::Store, "sessions").expect("a name");
    reg.replace_descriptor(ComponentMetadata::new(id).with_description("Kept."))
        .expect("it is a name");
    let store = reg
        .metadata(ComponentKind::Store, "sessions")
        .expect("there");
    assert_eq!(store.description, "Kept.");
    reg.replace_tool::<Add>()
        .and_then(CapabilityRegistry::replace_tool::<Negate>)
        .expect("one replaces, one is new");
    assert_eq!(reg.names(ComponentKind::Tool), ["add", "negate"]);
    assert_eq!(reg.len(), filled().len() + 1);
}

#[test]
fn what_is_not_registered_can_not_be_described() {
    let mut reg = filled();
    let error = refused(&mut reg, |reg| {
        reg.describe(ComponentKind::Tool, "ad", "Adds.", ["x"])
            .map(drop)
    });
    assert!(
        matches!(&error, RegistryError::Unknown { closest, .. } if closest == &["add"]),
        "{error:?}"
    );
    assert_eq!(
        error.to_string(),
        "there is no tool `ad`; did you mean `add`?"
    );
}

#[test]
fn a_component_can_be_removed_and_registered_again() {
    let mut reg = filled();
    assert!(reg.remove(ComponentKind::Tool, "add"));
    assert!(!reg.remove(ComponentKind::Tool, "add"));
    assert!(reg.tool("add").is_none());
    assert!(!reg.has(ComponentKind::Tool, "add"));
    assert!(reg.remove(ComponentKind::Agent, "helper"));
    assert!(AgentRegistry::agent(&reg, "helper").is_none());
    assert!(reg.remove(ComponentKind::Router, "by_intent"));
    reg.register_tool::<Add>().expect("it is free again");
    assert!(reg.tool("add").is_some());
}

#[test]
fn the_models_are_handed_on_with_their_aliases_and_the_tools_without() {
    let mut reg = filled();
    reg.alias(ComponentKind::Tool, "plus", "add").expect("free");
    let models = reg.to_model_registry();
    let names: Vec<_> = models.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["default", "fast"]);
    assert_eq!(models.len(), 2);
    let (one, other) = (models.get("default"), models.get("fast"));
    assert!(Arc::ptr_eq(one.expect("an alias"), other.expect("a name")));
    assert!(models.get("slow").is_none());
    let tools = reg.to_tool_registry();
    assert_eq!(tools.keys().collect::<Vec<_>>(), ["add"]);
    assert!(CapabilityRegistry::new().to_model_registry().is_empty());
}

#[test]
fn what_describe_says_of_a_tool_is_what_models_are_shown() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Add>()
        .and_then(|reg| reg.describe(ComponentKind::Tool, "add", "Sums two amounts.", ["money"]))
        .expect("it is there");
    let registry = reg.seal().expect("it seals");
    assert_eq!(registry.definitions()[0].description, "Sums two amounts.");
    assert_eq!(
        registry.definitions_for(&crate::common::ctx())[0].description,
        "Sums two amounts."
    );
    // The row is still what the code declares: what an authorizer goes by.
    let row = registry.tool("add").expect("it is there");
    assert_eq!(row.description(), "Adds two numbers.");
    assert!(row.has_tag("math") && !row.has_tag("money"));
    // Nothing said leaves what was said.
    let mut reg = registry.to_builder();
    reg.describe(ComponentKind::Tool, "add", "", [""; 0])
        .expect("it is there");
    let registry = reg.seal().expect("it seals");
    assert_eq!(registry.definitions()[0].description, "Sums two amounts.");
}
