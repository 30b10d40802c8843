//! Panics in code that isn't the registry's.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use callboard::serde::{Serialize, Serializer};
use callboard::{CallError, DispatchError, FromToolCall, Registry, Risk, Tool, ToolCall, tool};
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
