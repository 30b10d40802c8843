//! Names that are declared more than once, found when a program starts.
//!
//! The attributes make this impossible within a crate, and the linker between crates, where it
//! can. What is left is for `collect` to find. So the second declarations stand here as the
//! attributes would expand them, each with a guard symbol of its own.

use callboard::rt::{
    AgentDescriptor, ComponentDescriptor, ComponentKind, SourceLocation, ToolDescriptor,
    ToolIoMode, ToolParts,
};
use callboard::{CapabilityRegistry, Tool, ToolPolicy, agent, component, tool};

/// Adds.
#[tool(tags("numbers"))]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

/// Answers.
#[agent]
async fn helper(prompt: &str) -> String {
    prompt.to_owned()
}

component!(Reducer, "append", "Appends.");
component!(Reducer, "add", "Of another kind: no conflict.");

const fn elsewhere(line: u32) -> SourceLocation {
    SourceLocation::__new(
        Some("more-tools"),
        Some("2.0.1"),
        "more_tools::numbers",
        "src/numbers.rs",
        line,
        10,
    )
}

macro_rules! second_tool {
    ($line:literal, $symbol:literal) => {
        const _: () = {
            static DESCRIPTOR: ToolDescriptor = ToolDescriptor::__new(ToolParts {
                component: ComponentDescriptor::__new(
                    ComponentKind::Tool,
                    "add",
                    "Adds, too.",
                    &[],
                    elsewhere($line),
                ),
                title: None,
                version: "",
                policy: ToolPolicy::unstated(),
                io_mode: ToolIoMode::Unary,
                coerce_strings: false,
                args_are_declared: false,
                type_id: std::any::TypeId::of::<Add>(),
                requires: |_| {},
                input_schema: callboard::rt::Probe::<AddArgs>::INPUT_SCHEMA,
                output_schema: None,
                args_to_json: None,
                invoke: callboard::rt::Probe::<callboard::rt::JsonDoorOf<Add, false>>::INVOKE,
            });
            callboard::rt::declare!(CALLBOARD_TOOLS_V1, ToolDescriptor, &DESCRIPTOR, $symbol);
        };
    };
}

second_tool!(20, "second_declaration_of_add");
second_tool!(3, "third_declaration_of_add");

const _: () = {
    static DESCRIPTOR: AgentDescriptor = AgentDescriptor::__new(
        ComponentDescriptor::__new(ComponentKind::Agent, "helper", "", &[], elsewhere(7)),
        || std::sync::Arc::new(Helper),
    );
    callboard::rt::declare!(
        CALLBOARD_AGENTS_V1,
        AgentDescriptor,
        &DESCRIPTOR,
        "second_declaration_of_helper"
    );
};

const _: () = {
    static DESCRIPTOR: ComponentDescriptor =
        ComponentDescriptor::__new(ComponentKind::Reducer, "append", "", &[], elsewhere(9));
    callboard::rt::declare!(
        CALLBOARD_COMPONENTS_V1,
        ComponentDescriptor,
        &DESCRIPTOR,
        "second_declaration_of_append"
    );
};

#[test]
fn one_error_lists_every_conflict_with_all_its_places() {
    let error = CapabilityRegistry::collect().expect_err("three names are declared twice or more");
    let conflicts: Vec<(String, Vec<String>)> = error
        .conflicts
        .iter()
        .map(|conflict| {
            let places = conflict.places.iter().map(ToString::to_string).collect();
            (conflict.id.to_string(), places)
        })
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    let here =
        |line: u32, column: u32| format!("{}:{line}:{column} (in callboard {version})", file!());
    let there = |line: u32| format!("src/numbers.rs:{line}:10 (in more-tools 2.0.1)");
    assert_eq!(
        conflicts,
        [
            (
                "tool:add".to_owned(),
                vec![
                    here(Add::descriptor().source().line, 10),
                    there(3),
                    there(20)
                ]
            ),
            (
                "agent:helper".to_owned(),
                vec![here(Add::descriptor().source().line + 6, 10), there(7)]
            ),
            (
                "reducer:append".to_owned(),
                vec![here(Add::descriptor().source().line + 10, 21), there(9)]
            ),
        ]
    );
}

#[test]
fn the_message_has_a_line_a_place_and_the_remedy() {
    let error = CapabilityRegistry::collect().expect_err("three names are declared twice or more");
    let text = error.to_string();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(
            "3 names are declared more than once; rename all but one of each, with `name = \"…\"` for example"
        )
    );
    assert_eq!(lines.next(), Some("  the tool `add` is declared 3 times:"));
    assert_eq!(lines.count(), 3 + 1 + 2 + 1 + 2);
}

#[test]
fn a_conflict_among_what_is_not_collected_does_no_harm() {
    let reg = CapabilityRegistry::collect_where(|declared| {
        declared.kind() != ComponentKind::Agent
            && declared.name() != "append"
            && (declared.name() != "add"
                || declared.kind() == ComponentKind::Reducer
                || declared.has_tag("numbers"))
    })
    .expect("what is left is unique");
    assert_eq!(reg.names(ComponentKind::Tool), ["add"]);
    assert_eq!(reg.names(ComponentKind::Reducer), ["add"]);
}
