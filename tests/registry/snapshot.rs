//! A registry written down.

use callboard::{CapabilityRegistry, ComponentId, ComponentKind, Diagnostic, RegistrySnapshot};
use serde_json::json;

use super::{Add, model, quiet};

/// The same components, in this order or the other.
fn filled(backwards: bool) -> CapabilityRegistry {
    type Step = fn(&mut CapabilityRegistry);
    let mut steps: Vec<Step> = vec![
        |reg| drop(reg.register_descriptor(ComponentKind::TaskStore, "tasks")),
        |reg| drop(reg.register_model("z", model("m"))),
        |reg| drop(reg.register_tool::<Add>()),
        |reg| drop(reg.register_model("a", model("n"))),
        |reg| drop(reg.register_agent(quiet("helper", "Helps."))),
        |reg| drop(reg.register_router("add")),
    ];
    if backwards {
        steps.reverse();
    }
    let mut reg = CapabilityRegistry::new();
    for step in steps {
        step(&mut reg);
    }
    let mut aliases = [("fast", "z"), ("best", "z"), ("cheap", "a")];
    if backwards {
        aliases.reverse();
    }
    for (alias, target) in aliases {
        reg.alias(ComponentKind::Model, alias, target)
            .expect("the names are free");
    }
    assert_eq!(reg.len(), 6);
    reg
}

#[test]
fn a_snapshot_is_sorted_by_kind_and_name() {
    let snapshot = filled(false).snapshot();
    let ids: Vec<String> = snapshot
        .components
        .iter()
        .map(|component| component.id.to_string())
        .collect();
    assert_eq!(
        ids,
        [
            "model:a",
            "model:z",
            "tool:add",
            "agent:helper",
            "router:add",
            "task_store:tasks"
        ]
    );
    let aliases: Vec<&str> = snapshot
        .aliases
        .iter()
        .map(|binding| binding.alias.as_str())
        .collect();
    assert_eq!(aliases, ["best", "cheap", "fast"]);
    assert_eq!(snapshot.components[1].aliases, ["best", "fast"]);
}

#[test]
fn a_snapshot_is_json_and_back() {
    let snapshot = filled(false).snapshot();
    let text = serde_json::to_string(&snapshot).expect("it is written");
    let read: RegistrySnapshot = serde_json::from_str(&text).expect("it is read");
    assert_eq!(read, snapshot);
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(
        value["components"][2],
        json!({
            "id": "tool:add",
            "kind": "tool",
            "description": "Adds two numbers.",
            "tags": ["basic", "math"],
            "aliases": []
        })
    );
    assert_eq!(
        value["aliases"][0],
        json!({ "kind": "model", "alias": "best", "canonical": "z" })
    );
}

#[test]
fn the_order_of_registration_changes_no_byte() {
    let (one, other) = (filled(false), filled(true));
    let bytes = |reg: &CapabilityRegistry| serde_json::to_vec(&reg.snapshot()).expect("JSON");
    assert_eq!(bytes(&one), bytes(&other));
    assert_eq!(one.to_dot(), other.to_dot());
    assert_eq!(one.diagnostics(), other.diagnostics());
    let (one, other) = (
        one.seal().expect("it seals"),
        other.seal().expect("it seals"),
    );
    assert_eq!(
        serde_json::to_vec(&one.definitions()).expect("JSON"),
        serde_json::to_vec(&other.definitions()).expect("JSON")
    );
}

#[test]
fn a_name_of_two_kinds_and_a_missing_description_are_told() {
    let mut reg = filled(false);
    reg.register_agent(quiet("mute", " ")).expect("it is free");
    assert_eq!(
        reg.diagnostics(),
        [
            Diagnostic::SharedName {
                name: "add".to_owned(),
                kinds: vec![ComponentKind::Tool, ComponentKind::Router],
            },
            Diagnostic::NoDescription(
                ComponentId::new(ComponentKind::Agent, "mute").expect("a name")
            ),
        ]
    );
    let told: Vec<String> = reg.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(told[0], "`add` is the name of a tool and a router");
    assert_eq!(
        told[1],
        "the agent `mute` has no description: write a doc comment on it"
    );
}

#[test]
fn a_tool_and_a_model_of_one_name_are_legal_and_told() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Add>()
        .and_then(|reg| reg.register_model("add", model("m")))
        .expect("kinds are apart");
    assert_eq!(
        reg.diagnostics(),
        [Diagnostic::SharedName {
            name: "add".to_owned(),
            kinds: vec![ComponentKind::Model, ComponentKind::Tool],
        }]
    );
    assert!(reg.seal().is_ok());
}

#[test]
fn the_picture_has_a_cluster_a_kind_and_an_edge_an_alias() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model("z", model("m"))
        .and_then(|reg| reg.alias(ComponentKind::Model, "fast", "z"))
        .and_then(|reg| reg.register_router("r.1-a"))
        .expect("the names are free");
    assert_eq!(
        reg.to_dot(),
        r#"digraph registry {
  rankdir=LR;
  node [shape=box];
  subgraph "cluster_model" {
    label="model";
    "model:fast" [label="fast"];
    "model:z" [label="z"];
  }
  subgraph "cluster_router" {
    label="router";
    "router:r.1-a" [label="r.1-a"];
  }
  "model:fast" -> "model:z" [style=dashed];
}
"#
    );
}
