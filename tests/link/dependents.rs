//! Crates that depend on callboard in each of the ways that Cargo offers.

use std::sync::LazyLock;

use crate::project::{Package, Project};

/// Every attribute, with types of its own; `callboard` stands for the path to callboard.
const EVERY_ATTRIBUTE: &str = r#"#![forbid(unsafe_code)]
#![deny(missing_docs, unused)]
//! Every attribute.

use callboard::{ChatModel, agent, component, model, router, schemars, serde, tool, tools};

/// One order.
#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
pub struct Order {
    /// How many.
    pub count: u32,
}

/// Orders.
#[tool(SETTING read_only)]
pub async fn place_order(
    /// What to order.
    order: Order,
) -> Order {
    order
}

/// Counts.
#[derive(Debug)]
pub struct Counter;

#[tools(SETTING)]
impl Counter {
    /// Counts.
    #[tool]
    pub fn count(&self, orders: Vec<Order>) -> u32 {
        orders.iter().map(|order| order.count).sum()
    }
}

/// Answers.
#[agent(SETTING)]
pub async fn clerk(prompt: &str) -> Result<String, String> {
    Ok(prompt.to_owned())
}

component!(Store, "orders", "Where orders are.", SETTING);

/// Small.
#[model(SETTING provider = "acme", context = 1_000, supports(tool_calling))]
#[derive(Debug)]
pub struct Small;

/// Never there.
#[derive(Debug)]
pub struct Client;

impl ChatModel for Client {
    fn model_id(&self) -> &str {
        "large"
    }

    fn chat<'a>(
        &'a self,
        _messages: &'a [callboard::ChatMessage],
    ) -> callboard::BoxFuture<
        'a,
        Result<callboard::ChatMessage, Box<dyn std::error::Error + Send + Sync>>,
    > {
        Box::pin(async { Err("nobody is there".into()) })
    }
}

/// Large.
#[model(SETTING provider = "acme", supports(tool_calling))]
pub fn large(#[inject] _counter: callboard::State<'_, Counter>) -> impl ChatModel {
    Client
}

/// Work.
#[router(SETTING)]
#[derive(Debug)]
pub enum Work {
    /// Chat.
    #[route(model = Small, requires(tool_calling), fallbacks(Large))]
    Chat,
}
"#;

/// Prints what is collected, and calls the two tools.
const CALL: &str = r##"
use callboard::{CapabilityRegistry, ComponentKind, ToolCallContext};
use std::task::{Context, Poll, Waker};

fn main() {
    let mut reg = CapabilityRegistry::collect().unwrap();
    reg.provide(dependent::Counter);
    for kind in ComponentKind::ALL {
        for name in reg.names(*kind) {
            println!("{kind} {name}");
        }
    }
    let registry = reg.seal().unwrap();
    println!("{}", registry.model("large").unwrap().model_id());
    println!("{}", registry.model_router("chat").unwrap().target_model("chat").unwrap().name());
    let ctx = ToolCallContext::new("call_1");
    let calls = [("place_order", r#"{"order":{"count":2}}"#), ("count", r#"{"orders":[{"count":2},{"count":3}]}"#)];
    for (name, arguments) in calls {
        let call = std::pin::pin!(registry.dispatch(name, arguments, &ctx));
        match call.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => println!("{}", output.unwrap().to_text()),
            Poll::Pending => panic!("a tool that doesn't wait is ready at once"),
        }
    }
}
"##;

const CALLED: &[&str] = &[
    "model large",
    "model small",
    "tool count",
    "tool place_order",
    "agent clerk",
    "router work",
    "store orders",
    "large",
    "small",
    r#"{"count":2}"#,
    "5",
];

/// [`EVERY_ATTRIBUTE`] for a crate to which callboard is `path`.
fn declarations(path: &str, setting: &str) -> String {
    EVERY_ATTRIBUTE
        .replace("callboard", path)
        .replace("SETTING", setting)
}

/// A project of one library with every attribute, and a program that calls its tools.
fn called(name: &str, library: Package, others: Vec<Package>) -> Vec<String> {
    let program = format!("{name}_program");
    let mut members = vec![
        Package::new(&program)
            .dependency(&format!(
                "dependent = {{ package = \"{name}\", path = \"../{name}\" }}"
            ))
            .bin(CALL),
        library,
    ];
    members.extend(others);
    Project::write(name, &members, &[])
        .cargo(&["build", "--workspace"])
        .assert_clean()
        .run(&program)
}

#[test]
fn a_crate_that_depends_on_callboard_alone() {
    let library = Package::new("alone").lib(&declarations("callboard", ""));
    assert_eq!(called("alone", library, vec![]), CALLED);
}

#[test]
fn a_crate_of_edition_2021() {
    let library = Package::new("older")
        .edition("2021")
        .lib(&declarations("callboard", ""));
    assert_eq!(called("older", library, vec![]), CALLED);
}

#[test]
fn a_crate_that_has_callboard_under_another_name() {
    let library = Package::with_callboard_as("renamed", "cb").lib(&declarations("cb", ""));
    assert_eq!(called("renamed", library, vec![]), CALLED);
}

#[test]
fn a_crate_that_has_callboard_through_another_crate() {
    let facade = Package::new("facade").lib("pub mod inner {\n    pub use callboard;\n}\n");
    let library = Package::without_callboard("through")
        .needs(&["facade"])
        .lib(&declarations(
            "facade::inner::callboard",
            "crate = facade::inner::callboard,",
        ));
    assert_eq!(called("through", library, vec![facade]), CALLED);
}

#[test]
fn a_key_of_the_catalog_where_the_catalog_is_not_compiled_in() {
    let program = Package::with_bare_callboard("uncatalogued")
        .bin("#[callboard::model(catalog = \"openai/gpt-4o\")]\nstruct Gpt4o;\n\nfn main() {}\n");
    let build = Project::write("uncatalogued", &[program], &[]).cargo(&["build"]);
    let said = build.refusal("uncatalogued");
    assert!(
        said.contains("switch on callboard's feature `catalog`"),
        "{said}"
    );
}

/// A tool, and a parameter of another, behind features of their own.
static GATED: LazyLock<Project> = LazyLock::new(|| {
    let member = Package::new("gated")
        .feature("tool = []")
        .feature("parameter = []")
        .bin(
            r#"#![forbid(unsafe_code)]
#![deny(unused)]

/// Only there with its feature.
#[cfg(feature = "tool")]
#[callboard::tool]
fn optional() {}

#[callboard::tool]
fn always(number: u8, #[cfg(feature = "parameter")] more: u8) -> u8 {
    #[cfg(feature = "parameter")]
    let number = number + more;
    number
}

fn main() {
    let registry = callboard::CapabilityRegistry::collect().unwrap().seal().unwrap();
    for tool in registry.tools() {
        println!("{} {}", tool.name(), tool.input_schema()["required"]);
    }
}
"#,
        );
    Project::write("gated", &[member], &[])
});

#[test]
fn a_tool_and_a_parameter_behind_features() {
    let with = |features: &str| {
        GATED
            .cargo(&["build", "--features", features])
            .assert_clean()
            .run("gated")
    };
    assert_eq!(with(""), [r#"always ["number"]"#]);
    assert_eq!(with("tool"), [r#"always ["number"]"#, r#"optional null"#]);
    assert_eq!(with("parameter"), [r#"always ["number","more"]"#]);
}

#[test]
fn tests_of_a_crate_collect_its_tools_and_their_own() {
    let tested = Package::new("tested")
        .lib(
            r#"#[callboard::tool]
pub fn of_the_library() {}

#[cfg(test)]
mod tests {
    #[callboard::tool]
    fn of_the_unit_tests() {}

    #[test]
    fn collects() {
        let reg = callboard::CapabilityRegistry::collect().unwrap();
        let names = reg.names(callboard::ComponentKind::Tool);
        assert_eq!(names, ["of_the_library", "of_the_unit_tests"]);
    }
}
"#,
        )
        .file(
            "tests/outside.rs",
            r#"callboard::link!(tested);

#[callboard::tool]
fn of_the_integration_test() {}

#[test]
fn collects() {
    let reg = callboard::CapabilityRegistry::collect().unwrap();
    let names = reg.names(callboard::ComponentKind::Tool);
    assert_eq!(names, ["of_the_integration_test", "of_the_library"]);
}
"#,
        );
    let build = Project::write("tested", &[tested], &[]).cargo(&["test", "--lib", "--tests"]);
    build.assert_clean();
    assert_eq!(
        build.printed().matches("test result: ok. 1 passed").count(),
        2
    );
}
