//! Panics in code that isn't the registry's.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use callboard::schemars::{JsonSchema, Schema, SchemaGenerator};
use callboard::serde::{Deserialize, Serialize, Serializer};
use callboard::{
    ApprovalDecision, CallError, CancellationToken, CapabilityRegistry, Decision, Diagnostic,
    DispatchError, FromToolCall, Registry, Requirements, Respond, Risk, SchemaOf, SealProblem,
    Tool, ToolCall, agent, tool,
};
use serde_json::json;

use crate::common::{ask, ctx, only, poll_once, sealed};

#[tool]
async fn panics_at_once(words: String) -> u8 {
    if words.is_empty() {
        panic!("a literal");
    }
    panic!("{words}")
}

#[tool]
fn panics_before_any_future() -> u8 {
    panic!("no future yet")
}

#[tool]
async fn panics_later() -> u8 {
    tokio::task::yield_now().await;
    panic!("after a wait")
}

struct PanicOnDrop;

impl Drop for PanicOnDrop {
    fn drop(&mut self) {
        // A second panic while one unwinds would end the process.
        if !std::thread::panicking() {
            panic!("in a drop");
        }
    }
}

#[tool]
async fn panics_in_a_guard(wait: bool) -> u8 {
    let _guard = PanicOnDrop;
    if wait {
        std::future::pending::<()>().await;
    }
    7
}

#[tool]
async fn panics_with_a_value() -> u8 {
    std::panic::panic_any(PanicOnDrop)
}

struct Explosive;

impl Serialize for Explosive {
    fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
        panic!("while it is written")
    }
}

#[tool]
async fn panics_when_written() -> Explosive {
    Explosive
}

impl<'a> FromToolCall<'a> for Explosive {
    type Rejection = DispatchError;

    fn from_tool_call(_call: &ToolCall<'a>) -> Result<Self, DispatchError> {
        panic!("while it is injected")
    }
}

#[tool]
async fn panics_when_injected(#[inject] _explosive: Explosive) {}

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(from = "u8")]
struct Touchy(#[expect(dead_code, reason = "it is made, and not read")] u8);

impl From<u8> for Touchy {
    fn from(n: u8) -> Self {
        assert_ne!(n, 13, "while it is read");
        Self(n)
    }
}

impl Serialize for Touchy {
    fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
        panic!("while its digest is made")
    }
}

#[tool]
async fn panics_when_read(touchy: Touchy) -> u8 {
    let _ = touchy;
    1
}

#[tool]
async fn fine(n: u8) -> u8 {
    n
}

fn registry<T: Tool>() -> Registry {
    sealed(|reg| {
        reg.register_tool::<T>()?.register_tool::<Fine>()?;
        Ok(())
    })
}

/// The message of the panic of `T`; the registry then serves the next call.
async fn panic_of<T: Tool>(arguments: &str) -> String {
    let registry = registry::<T>();
    let error = ask::<T>(&registry, arguments).await.expect_err("it panics");
    assert_eq!(error.for_model(), "The tool failed with an internal error.");
    assert_eq!(registry.in_flight(), 0);
    let next = ask::<Fine>(&registry, r#"{"n":5}"#).await;
    assert_eq!(next.expect("the next call works"), json!(5));
    match error {
        DispatchError::Panicked { tool, message } => {
            assert_eq!(tool, T::descriptor().name());
            message
        }
        other => panic!("not a panic: {other:?}"),
    }
}

#[tokio::test]
async fn a_panic_is_an_answer_with_its_message_wherever_it_happens() {
    assert_eq!(
        panic_of::<PanicsAtOnce>(r#"{"words":"own words"}"#).await,
        "own words"
    );
    assert_eq!(
        panic_of::<PanicsAtOnce>(r#"{"words":""}"#).await,
        "a literal"
    );
    assert_eq!(panic_of::<PanicsBeforeAnyFuture>("").await, "no future yet");
    assert_eq!(panic_of::<PanicsLater>("").await, "after a wait");
    assert_eq!(
        panic_of::<PanicsInAGuard>(r#"{"wait":false}"#).await,
        "in a drop"
    );
    assert_eq!(
        panic_of::<PanicsWithAValue>("").await,
        "a value that is not text"
    );
    assert_eq!(
        panic_of::<PanicsWhenWritten>("").await,
        "while it is written"
    );
    assert_eq!(
        panic_of::<PanicsWhenInjected>("").await,
        "while it is injected"
    );
    assert!(
        panic_of::<PanicsWhenRead>(r#"{"touchy":13}"#)
            .await
            .contains("while it is read")
    );
}

#[tokio::test]
async fn a_panic_is_an_answer_at_the_typed_door_too() {
    let error = only::<PanicsLater>()
        .call::<PanicsLater>(PanicsLaterArgs {}, &ctx())
        .await
        .expect_err("it panics");
    assert!(
        matches!(&error, CallError::Refused(DispatchError::Panicked { message, .. }) if message == "after a wait"),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_panic_while_the_digest_is_made_refuses_the_call_at_both_doors() {
    let mut reg = registry::<PanicsWhenRead>().to_builder();
    reg.require_approval_from(Risk::Low);
    let registry = reg.seal().expect("it seals");
    let args = PanicsWhenReadArgs { touchy: Touchy(1) };
    let typed = registry.call::<PanicsWhenRead>(args, &ctx()).await;
    let CallError::Refused(typed) = typed.expect_err("no digest");
    let named = ask::<PanicsWhenRead>(&registry, r#"{"touchy":1}"#)
        .await
        .expect_err("no digest");
    for error in [typed, named] {
        assert!(
            matches!(&error, DispatchError::NotApproved { reason, .. } if reason.contains("while its digest is made")),
            "{error:?}"
        );
    }
}

/// Adds one when it is dropped, and panics.
struct CountsAndPanics(Arc<AtomicUsize>);

impl Drop for CountsAndPanics {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
        if !std::thread::panicking() {
            panic!("in a drop");
        }
    }
}

#[tool]
async fn never_ends(#[inject] call: ToolCall<'_>) {
    let dropped = call.context().extension::<Arc<AtomicUsize>>();
    let _guard = dropped.map(|dropped| CountsAndPanics(Arc::clone(dropped)));
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_caller_that_drops_the_call_hears_nothing_of_a_panic_in_a_drop() {
    let registry = registry::<NeverEnds>();
    let dropped = Arc::new(AtomicUsize::new(0));
    let ctx = ctx().with_extension(Arc::clone(&dropped));
    for doors in 1..=2 {
        let mut named = Box::pin(registry.dispatch("never_ends", "", &ctx));
        let mut typed = Box::pin(registry.call::<NeverEnds>(NeverEndsArgs {}, &ctx));
        assert!(poll_once(named.as_mut()).is_pending());
        assert!(poll_once(typed.as_mut()).is_pending());
        assert_eq!(registry.in_flight(), 2);
        drop(named);
        drop(typed);
        assert_eq!(dropped.load(Ordering::Relaxed), 2 * doors);
        assert_eq!(registry.in_flight(), 0);
    }
    let next = ask::<Fine>(&registry, r#"{"n":5}"#).await;
    assert_eq!(next.expect("the next call works"), json!(5));
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_drop_after_a_timeout_leaves_the_timeout() {
    let error = ask::<PanicsInAGuard>(&registry::<PanicsInAGuard>(), r#"{"wait":true}"#)
        .await
        .expect_err("it never ends");
    assert!(matches!(error, DispatchError::TimedOut { .. }), "{error:?}");
}

/// Arguments whose drop panics; each is counted.
#[derive(Deserialize, JsonSchema)]
#[serde(from = "u8")]
#[schemars(with = "u8")]
struct Brittle(u8);

static DROPPED: AtomicUsize = AtomicUsize::new(0);

impl From<u8> for Brittle {
    fn from(n: u8) -> Self {
        Self(n)
    }
}

impl Serialize for Brittle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl Drop for Brittle {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
        if !std::thread::panicking() {
            panic!("in a drop");
        }
    }
}

#[tool]
async fn takes_brittle(brittle: Brittle) -> Result<u8, Brittle> {
    std::future::pending::<()>().await;
    Err(brittle)
}

impl std::fmt::Display for Brittle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("brittle")
    }
}

/// A tool that stops when it is told to, with an error that panics when it is dropped.
#[tool]
async fn stops_with_brittle(#[inject] call: ToolCall<'_>) -> Result<u8, Brittle> {
    if let Some(cancel) = call.context().cancel() {
        cancel.cancel();
    }
    Err(Brittle(1))
}

#[tokio::test]
async fn a_panic_in_the_drop_of_arguments_leaves_the_refusal_that_let_go_of_them() {
    let args = || TakesBrittleArgs {
        brittle: Brittle(1),
    };
    let json = r#"{"brittle":1}"#;
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let with = |rule: fn(&mut CapabilityRegistry)| {
        let mut reg = CapabilityRegistry::new();
        reg.register_tool::<TakesBrittle>()
            .expect("the name is free");
        rule(&mut reg);
        reg.seal().expect("it seals")
    };
    for (registry, ctx, kind) in [
        (
            with(|reg| {
                reg.set_authorizer(|_: &_, _: &_| Decision::deny("no"));
            }),
            ctx(),
            "denied",
        ),
        (
            with(|reg| {
                reg.require_approval_from(Risk::Low)
                    .set_approver(|_: &_| ApprovalDecision::deny("no"));
            }),
            ctx(),
            "not_approved",
        ),
        (
            with(|reg| {
                reg.require_approval_from(Risk::Low);
            }),
            ctx(),
            "approval_required",
        ),
        (with(|_| ()), ctx().with_cancel(cancelled), "cancelled"),
    ] {
        let before = DROPPED.load(Ordering::Relaxed);
        let typed = registry.call::<TakesBrittle>(args(), &ctx).await;
        let CallError::Refused(typed) = typed.expect_err(kind) else {
            panic!("{kind}: the tool didn't fail");
        };
        assert_eq!(typed.kind(), kind);
        let named = registry.dispatch("takes_brittle", json, &ctx).await;
        assert_eq!(named.expect_err(kind).kind(), kind);
        assert!(DROPPED.load(Ordering::Relaxed) > before, "{kind}");
        // A caller that never polls.
        drop(registry.call::<TakesBrittle>(args(), &ctx));
    }
    let none = CapabilityRegistry::new().seal().expect("it is empty");
    let error = none.call::<TakesBrittle>(args(), &ctx()).await;
    assert!(matches!(
        error,
        Err(CallError::Refused(DispatchError::UnknownTool { .. }))
    ));
}

#[tokio::test]
async fn a_panic_in_the_drop_of_an_error_leaves_the_cancellation() {
    let registry = only::<StopsWithBrittle>();
    let ctx = ctx().with_cancel(CancellationToken::new());
    let typed = registry
        .call::<StopsWithBrittle>(StopsWithBrittleArgs {}, &ctx)
        .await;
    assert!(matches!(
        typed,
        Err(CallError::Refused(DispatchError::Cancelled { .. }))
    ));
}

/// A type whose schema can't be made.
#[derive(Serialize, Deserialize)]
struct Unsketchable;

impl JsonSchema for Unsketchable {
    fn schema_name() -> Cow<'static, str> {
        "Unsketchable".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        panic!("while it is sketched")
    }
}

#[tool]
async fn takes_unsketchable(it: Option<Unsketchable>) -> u8 {
    u8::from(it.is_some())
}

#[tool]
async fn gives_unsketchable() -> Option<Unsketchable> {
    None
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "never read")]
struct Declared {
    it: Option<Unsketchable>,
}

#[tool]
async fn declares_unsketchable(#[args] declared: Declared) -> u8 {
    let _ = declared;
    1
}

#[tokio::test]
async fn a_tool_whose_schema_panics_is_left_out_of_definitions_and_told_of() {
    let registry = registry::<TakesUnsketchable>();
    for _ in 0..2 {
        let shown = registry.definitions();
        let names: Vec<&str> = shown.iter().map(|shown| shown.name.as_str()).collect();
        assert_eq!(names, ["fine"]);
        assert_eq!(registry.definitions_for(&ctx()), shown);
        assert_eq!(registry.definitions_where(|_| true), shown);
    }
    let row = registry.tool("takes_unsketchable").expect("it is there");
    assert_eq!(*row.input_schema(), json!(false));
    let told: Vec<Diagnostic> = registry
        .diagnostics()
        .into_iter()
        .filter(|found| matches!(found, Diagnostic::NoSchema { .. }))
        .collect();
    assert_eq!(
        told,
        [Diagnostic::NoSchema {
            tool: "takes_unsketchable".to_owned(),
            of: SchemaOf::Arguments,
            message: "while it is sketched".to_owned(),
        }]
    );
    assert!(
        told[0].to_string().contains("no model is shown it"),
        "{}",
        told[0]
    );
    // The program may call it all the same.
    let answer = ask::<TakesUnsketchable>(&registry, "").await;
    assert_eq!(answer.expect("no schema is needed"), json!(0));
}

#[test]
fn a_tool_whose_output_has_a_schema_that_panics_is_shown_without_one() {
    let registry = only::<GivesUnsketchable>();
    assert_eq!(registry.definitions().len(), 1);
    let row = registry.tool("gives_unsketchable").expect("it is there");
    assert_eq!(row.output_schema(), None);
    let told = registry.diagnostics();
    assert!(
        told.iter().any(|found| matches!(
            found,
            Diagnostic::NoSchema {
                of: SchemaOf::Output,
                ..
            }
        )),
        "{told:?}"
    );
}

struct Careless;

impl<'a> FromToolCall<'a> for Careless {
    type Rejection = DispatchError;

    fn requires(_requirements: &mut Requirements) {
        panic!("while it says what it needs")
    }

    fn from_tool_call(_call: &ToolCall<'a>) -> Result<Self, DispatchError> {
        Ok(Self)
    }
}

#[tool]
async fn injects_careless(#[inject] _careless: Careless) {}

#[test]
fn a_panic_while_sealing_is_a_problem_of_its_tool() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<InjectsCareless>()
        .and_then(CapabilityRegistry::register_tool::<DeclaresUnsketchable>)
        .expect("the names are free");
    let error = reg.seal().expect_err("both panic");
    let told: Vec<_> = error
        .problems
        .iter()
        .map(|problem| match problem {
            SealProblem::Panicked {
                tool,
                function,
                message,
                ..
            } => (tool.as_str(), *function, message.as_str()),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                "declares_unsketchable",
                "JsonSchema::json_schema",
                "while it is sketched"
            ),
            (
                "injects_careless",
                "FromToolCall::requires",
                "while it says what it needs"
            ),
        ]
    );
    let text = error.to_string();
    assert!(
        text.contains("`injects_careless`") && text.contains(file!()),
        "{text}"
    );
}

/// An agent that can't be made.
#[agent(tags("unmade"))]
struct Unmade;

impl Default for Unmade {
    fn default() -> Self {
        panic!("while it is made")
    }
}

impl Respond for Unmade {
    type Error = String;

    async fn respond(&self, _prompt: &str) -> Result<String, String> {
        Ok(String::new())
    }
}

#[test]
fn an_agent_that_cannot_be_made_is_named_with_its_place() {
    let error = CapabilityRegistry::collect_where(|declared| declared.has_tag("unmade"))
        .expect_err("its `Default` panics");
    assert!(error.conflicts.is_empty());
    assert_eq!(error.unmade.len(), 1);
    assert_eq!(error.unmade[0].message, "while it is made");
    assert_eq!(error.unmade[0].agent, "unmade");
    let text = error.to_string();
    assert!(
        text.contains("`unmade`") && text.contains(file!()),
        "{text}"
    );
}

#[tokio::test]
async fn an_authorizer_that_panics_shows_nothing_and_denies() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Fine>().expect("the name is free");
    reg.set_authorizer(|_: &_, _: &_| -> Decision { panic!("while it decides") });
    let registry = reg.seal().expect("it seals");
    assert_eq!(registry.definitions_for(&ctx()), []);
    assert!(matches!(
        registry.authorization("fine", &ctx()),
        Some(Decision::Deny { reason }) if reason.contains("while it decides")
    ));
    let error = ask::<Fine>(&registry, r#"{"n":1}"#).await;
    assert!(
        matches!(error, Err(DispatchError::Denied { .. })),
        "{error:?}"
    );
}
