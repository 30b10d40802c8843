//! `unix` and its opposite stand for a feature.

#[path = "../common.rs"]
mod common;

use callboard::{ToolCallContext, tool, tools};

#[cfg(any())]
#[tool]
async fn absent(unknown: NoSuchType) -> NoSuchType {
    unknown
}

#[cfg(all())]
#[tool]
async fn present() -> u32 {
    1
}

#[cfg(all())]
#[tool(name = "either")]
fn either() -> u32 {
    1
}

#[cfg(not(all()))]
#[tool(name = "either")]
fn either() -> u32 {
    2
}

#[tool]
async fn parameters(
    first: u32,
    #[cfg(all())] second: u32,
    #[cfg(any())] third: NoSuchType,
    #[cfg(any())]
    #[inject]
    fourth: &NoSuchType,
    #[cfg(all())]
    #[inject]
    context: &ToolCallContext,
) -> Vec<u32> {
    let _ = context;
    vec![first, second]
}

struct Counter(u32);

#[tools]
impl Counter {
    #[cfg(any())]
    #[tool]
    fn absent_method(&self) -> NoSuchType {}

    #[tool]
    fn count(&self, #[cfg(any())] by: NoSuchType, #[cfg(all())] times: u32) -> u32 {
        self.0 * times
    }
}

fn main() {
    let mut builder = common::collect();
    builder.provide(Counter(2));
    let registry = builder.seal().expect("nothing is missing");
    let names: Vec<String> = registry
        .definitions()
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    assert_eq!(names, ["count", "either", "parameters", "present"]);
    let dispatch = |name, arguments| common::dispatch(&registry, name, arguments);
    assert_eq!(dispatch("parameters", r#"{"first":1,"second":2}"#), "[1,2]");
    assert_eq!(dispatch("count", r#"{"times":3}"#), "6");
    assert_eq!(dispatch("either", "{}"), "1");
    let arguments = ParametersArgs {
        first: 1,
        second: 2,
    };
    assert!(format!("{arguments:?}").starts_with("ParametersArgs { first: 1"));
}
