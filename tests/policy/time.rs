//! Deadlines, cancellation, and what is left behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use callboard::{
    CallError, CancellationToken, DispatchError, Registry, ToolCall, ToolCallContext, tool,
};
use serde_json::json;

use crate::common::{ask, ctx, sealed};

/// Counts the guards that ran.
#[derive(Clone, Default)]
struct Guards(Arc<AtomicUsize>);

struct Guard(Guards);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn guard(call: ToolCall<'_>) -> Option<Guard> {
    call.context().extension::<Guards>().cloned().map(Guard)
}

#[tool(timeout = "20ms")]
async fn hangs(#[inject] call: ToolCall<'_>) {
    let _guard = guard(call);
    std::future::pending::<()>().await;
}

#[tool(timeout = "none")]
async fn hangs_for_good(#[inject] call: ToolCall<'_>) {
    let _guard = guard(call);
    std::future::pending::<()>().await;
}

#[tool]
async fn naps(millis: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    millis
}

#[tool]
fn at_once() -> u8 {
    1
}

fn registry() -> Registry {
    sealed(|reg| {
        reg.register_tool::<Hangs>()?
            .register_tool::<HangsForGood>()?
            .register_tool::<Naps>()?
            .register_tool::<AtOnce>()?;
        Ok(())
    })
}

fn guarded() -> (Guards, ToolCallContext) {
    let guards = Guards::default();
    (guards.clone(), ctx().with_extension(guards))
}

#[tokio::test(start_paused = true)]
async fn a_timeout_drops_the_tool_runs_its_guards_and_leaves_its_siblings() {
    let registry = registry();
    let (guards, ctx) = guarded();
    let (stopped, sibling, typed) = tokio::join!(
        registry.dispatch("hangs", "", &ctx),
        registry.dispatch("naps", r#"{"millis":100}"#, &ctx),
        registry.call::<Hangs>(HangsArgs {}, &ctx),
    );
    let error = stopped.expect_err("it never ends");
    assert!(
        matches!(&error, DispatchError::TimedOut { tool, limit } if tool == "hangs" && *limit == Duration::from_millis(20)),
        "{error:?}"
    );
    assert_eq!(
        error.for_model(),
        "The tool took longer than 20ms and was stopped."
    );
    assert!(matches!(
        typed,
        Err(CallError::Refused(DispatchError::TimedOut { .. }))
    ));
    assert_eq!(sibling.expect("it ends").as_json(), Some("100"));
    assert_eq!(guards.0.load(Ordering::Relaxed), 2);
    assert_eq!(registry.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn thirty_seconds_are_the_timeout_of_a_tool_that_names_none() {
    let begun = tokio::time::Instant::now();
    let error = ask::<Naps>(&registry(), r#"{"millis":3600000}"#)
        .await
        .expect_err("an hour is too long");
    assert!(
        matches!(error, DispatchError::TimedOut { limit, .. } if limit == Duration::from_secs(30)),
        "{error:?}"
    );
    assert!(begun.elapsed() >= Duration::from_secs(30));
    assert!(begun.elapsed() < Duration::from_secs(31));
}

#[tokio::test]
async fn a_deadline_of_the_context_comes_before_a_later_timeout() {
    let registry = registry();
    let ctx = ctx().with_time_limit(Duration::from_millis(30));
    let begun = Instant::now();
    for name in ["naps", "hangs_for_good"] {
        let arguments = if name == "naps" {
            r#"{"millis":20000}"#
        } else {
            ""
        };
        let error = registry
            .dispatch(name, arguments, &ctx)
            .await
            .expect_err("the deadline passes");
        assert!(
            matches!(error, DispatchError::TimedOut { limit, .. } if limit <= Duration::from_millis(30)),
            "{name}: {error:?}"
        );
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn a_later_deadline_does_not_lengthen_a_timeout() {
    let ctx = ctx().with_time_limit(Duration::from_secs(3600));
    let error = registry()
        .dispatch("hangs", "", &ctx)
        .await
        .expect_err("it never ends");
    assert!(
        matches!(error, DispatchError::TimedOut { limit, .. } if limit == Duration::from_millis(20)),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_call_whose_deadline_has_passed_never_begins() {
    let registry = registry();
    let (guards, ctx) = guarded();
    let ctx = ctx.with_deadline(Instant::now());
    for name in ["hangs", "at_once"] {
        let error = registry
            .dispatch(name, "", &ctx)
            .await
            .expect_err("no time is left");
        assert!(
            matches!(error, DispatchError::TimedOut { limit, .. } if limit == Duration::ZERO),
            "{error:?}"
        );
        assert_eq!(error.for_model(), "There was no time left for the call.");
        assert!(error.to_string().contains(name), "{error}");
    }
    let answer = registry.call::<AtOnce>(AtOnceArgs {}, &ctx).await;
    assert!(
        matches!(
            answer,
            Err(CallError::Refused(DispatchError::TimedOut { .. }))
        ),
        "{answer:?}"
    );
    assert_eq!(guards.0.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn a_tool_without_a_timeout_is_stopped_by_its_caller_alone() {
    let registry = registry();
    let (guards, ctx) = guarded();
    let waited = tokio::time::timeout(
        Duration::from_secs(86_400),
        registry.dispatch("hangs_for_good", "", &ctx),
    );
    assert!(waited.await.is_err());
    assert_eq!(guards.0.load(Ordering::Relaxed), 1);
    assert_eq!(registry.in_flight(), 0);
}

#[tokio::test]
async fn a_cancelled_call_drops_the_tool_and_runs_its_guards() {
    let registry = registry();
    let (guards, ctx) = guarded();
    let token = CancellationToken::new();
    let ctx = ctx.with_cancel(token.clone());
    let stop = async {
        tokio::task::yield_now().await;
        assert_eq!(registry.in_flight(), 2);
        token.cancel();
    };
    let (named, typed, ()) = tokio::join!(
        registry.dispatch("hangs_for_good", "", &ctx),
        registry.call::<HangsForGood>(HangsForGoodArgs {}, &ctx),
        stop,
    );
    let error = named.expect_err("cancelled");
    assert!(matches!(&error, DispatchError::Cancelled { tool } if tool == "hangs_for_good"));
    assert_eq!(error.for_model(), "The call was cancelled.");
    assert!(matches!(
        typed,
        Err(CallError::Refused(DispatchError::Cancelled { .. }))
    ));
    assert_eq!(guards.0.load(Ordering::Relaxed), 2);
    assert_eq!(registry.in_flight(), 0);
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_never_begins() {
    let registry = registry();
    let (guards, ctx) = guarded();
    let token = CancellationToken::new();
    token.cancel();
    let ctx = ctx.with_cancel(token);
    for name in ["hangs", "at_once"] {
        let error = registry
            .dispatch(name, "", &ctx)
            .await
            .expect_err("cancelled before");
        assert!(
            matches!(error, DispatchError::Cancelled { .. }),
            "{error:?}"
        );
    }
    assert_eq!(guards.0.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_nothing_and_the_next_one_works() {
    let registry = registry();
    let (guards, ctx) = guarded();
    let calling = tokio::spawn({
        let registry = registry.clone();
        async move { registry.dispatch("hangs_for_good", "", &ctx).await }
    });
    while registry.in_flight() == 0 {
        tokio::task::yield_now().await;
    }
    calling.abort();
    assert!(calling.await.expect_err("aborted").is_cancelled());
    assert_eq!(guards.0.load(Ordering::Relaxed), 1);
    assert_eq!(registry.in_flight(), 0);
    let answer = ask::<AtOnce>(&registry, "").await;
    assert_eq!(answer.expect("the next call works"), json!(1));
}
