//! Methods as tools.

use callboard::{
    CapabilityRegistry, DispatchError, Registry, SealProblem, Tool, ToolCallContext, tools,
};
use serde_json::json;

use crate::common::{ask, ctx};

struct Calculator {
    base: i64,
}

#[tools]
impl Calculator {
    /// Adds to the base.
    #[tool(read_only)]
    async fn plus(&self, n: i64) -> i64 {
        self.base + n
    }

    /// Divides the base.
    #[tool(name = "divide")]
    fn over(&self, #[inject] ctx: &ToolCallContext, n: i64) -> Result<i64, String> {
        self.base
            .checked_div(n)
            .ok_or_else(|| format!("{}: division by zero", ctx.call_id()))
    }

    #[tool(blocking)]
    fn slowly(&self) -> i64 {
        self.base
    }

    /// Needs no calculator.
    #[tool]
    fn start() -> i64 {
        Self::ZERO
    }

    const ZERO: i64 = 0;

    fn not_a_tool(&self) -> i64 {
        self.base
    }
}

fn registry() -> Registry {
    let mut reg = CapabilityRegistry::collect_where(|declared| {
        declared.source().module_path == module_path!()
    })
    .expect("no conflicts");
    reg.provide(Calculator { base: 10 });
    reg.seal().expect("the calculator is there")
}

#[tokio::test]
async fn a_method_is_a_tool_of_the_provided_value() {
    let registry = registry();
    assert_eq!(
        ask::<Plus>(&registry, r#"{"n":5}"#).await.expect("10 + 5"),
        json!(15)
    );
    assert_eq!(
        registry
            .call::<Plus>(PlusArgs { n: 1 }, &ctx())
            .await
            .expect("10 + 1"),
        11
    );
    assert_eq!(
        ask::<Over>(&registry, r#"{"n":3}"#).await.expect("10 / 3"),
        json!(3)
    );
    assert_eq!(ask::<Slowly>(&registry, "").await.expect("10"), json!(10));
    assert_eq!(ask::<Start>(&registry, "").await.expect("0"), json!(0));
    assert_eq!(Calculator { base: 2 }.not_a_tool(), 2);
}

#[tokio::test]
async fn a_method_may_fail_in_its_own_words() {
    let error = ask::<Over>(&registry(), r#"{"n":0}"#)
        .await
        .expect_err("no division by zero");
    assert!(matches!(error, DispatchError::Failed(_)));
    assert_eq!(error.for_model(), "call_1: division by zero");
}

#[test]
fn only_marked_methods_are_tools_and_each_by_its_name() {
    assert_eq!(
        registry()
            .tools()
            .map(callboard::RegistryEntry::name)
            .collect::<Vec<_>>(),
        ["divide", "plus", "slowly", "start"]
    );
    assert_eq!(Over::descriptor().description(), "Divides the base.");
    assert!(Plus::descriptor().policy().read_only);
}

#[test]
fn a_method_requires_its_receiver_and_an_associated_function_does_not() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Plus>()
        .and_then(CapabilityRegistry::register_tool::<Start>)
        .expect("the names are free");
    let error = reg.seal().expect_err("no calculator was provided");
    assert!(
        matches!(error.problems.as_slice(), [SealProblem::MissingState { name, .. }] if name == "plus"),
        "{error}"
    );
}
