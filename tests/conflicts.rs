//! Names that are declared more than once, found when a program starts.
//!
//! The attributes make this impossible within a crate, and the linker between crates, where it
//! can. What is left is for `collect` to find. So the second declarations stand here as the
//! attributes would expand them, without their guards.

use callboard::catalog::CapabilitySet;
use callboard::rt::{
    AgentDescriptor, ComponentDescriptor, ComponentKind, ModelDescriptor, RouteDescriptor,
    RouterDescriptor, SourceLocation, ToolDescriptor, ToolIoMode, ToolParts,
};
use callboard::{
    CapabilityRegistry, Model, Router, Tool, ToolPolicy, agent, component, model, router, tool,
};

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

#[model(provider = "acme")]
struct House;

#[router]
enum Work {
    #[route(model = House)]
    Chat,
}

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
    ($line:literal) => {
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
            callboard::rt::declare!(CALLBOARD_TOOLS_V1, ToolDescriptor, &DESCRIPTOR);
        };
    };
}

second_tool!(20);
second_tool!(3);

const _: () = {
    static DESCRIPTOR: AgentDescriptor = AgentDescriptor::__new(
        ComponentDescriptor::__new(ComponentKind::Agent, "helper", "", &[], elsewhere(7)),
        || std::sync::Arc::new(Helper),
    );
    callboard::rt::declare!(CALLBOARD_AGENTS_V1, AgentDescriptor, &DESCRIPTOR);
};

const _: () = {
    static DESCRIPTOR: ModelDescriptor = ModelDescriptor::__new(
        ComponentDescriptor::__new(ComponentKind::Model, "house", "", &[], elsewhere(11)),
        House::ENTRY,
        None,
    );
    callboard::rt::declare!(CALLBOARD_MODELS_V1, ModelDescriptor, &DESCRIPTOR);
};

/// Another router with a route of the same name.
const _: () = {
    static DESCRIPTOR: RouterDescriptor = RouterDescriptor::__new(
        ComponentDescriptor::__new(ComponentKind::Router, "other", "", &[], elsewhere(13)),
        &[RouteDescriptor::__new(
            "chat",
            "",
            House::DESCRIPTOR,
            CapabilitySet::EMPTY,
            None,
            &[],
            elsewhere(14),
        )],
    );
    callboard::rt::declare!(CALLBOARD_ROUTERS_V1, RouterDescriptor, &DESCRIPTOR);
};

/// And a policy that has the name of a route.
const _: () = {
    static DESCRIPTOR: ComponentDescriptor =
        ComponentDescriptor::__new(ComponentKind::Router, "chat", "", &[], elsewhere(15));
    callboard::rt::declare!(CALLBOARD_COMPONENTS_V1, ComponentDescriptor, &DESCRIPTOR);
};

const _: () = {
    static DESCRIPTOR: ComponentDescriptor =
        ComponentDescriptor::__new(ComponentKind::Reducer, "append", "", &[], elsewhere(9));
    callboard::rt::declare!(CALLBOARD_COMPONENTS_V1, ComponentDescriptor, &DESCRIPTOR);
};

#[test]
fn one_error_lists_every_conflict_with_all_its_places() {
    let error = CapabilityRegistry::collect().expect_err("five names are declared twice or more");
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
                "model:house".to_owned(),
                vec![
                    here(House::DESCRIPTOR.component().source().line, 8),
                    there(11)
                ]
            ),
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
                "router:chat".to_owned(),
                vec![
                    here(Work::DESCRIPTOR.routes()[0].source().line, 5),
                    there(14),
                    there(15)
                ]
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
    let error = CapabilityRegistry::collect().expect_err("five names are declared twice or more");
    let text = error.to_string();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(
            "5 names are declared more than once; rename all but one of each, with `name = \"…\"` for example"
        )
    );
    assert_eq!(
        lines.next(),
        Some("  the model `house` is declared 2 times:")
    );
    assert_eq!(lines.count(), 2 + (1 + 3) + (1 + 2) + (1 + 3) + (1 + 2));
}

#[test]
fn a_conflict_among_what_is_not_collected_does_no_harm() {
    let reg = CapabilityRegistry::collect_where(|declared| {
        !matches!(
            declared.kind(),
            ComponentKind::Agent | ComponentKind::Router | ComponentKind::Model
        ) && declared.name() != "append"
            && (declared.name() != "add"
                || declared.kind() == ComponentKind::Reducer
                || declared.has_tag("numbers"))
    })
    .expect("what is left is unique");
    assert_eq!(reg.names(ComponentKind::Tool), ["add"]);
    assert_eq!(reg.names(ComponentKind::Reducer), ["add"]);
}
