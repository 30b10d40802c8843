//! Tools that run on a thread that may block.

use std::sync::{Arc, Mutex, mpsc};
use std::thread::ThreadId;
use std::time::Duration;

use callboard::{
    CallError, CancellationToken, CapabilityRegistry, DispatchError, State, ToolCallContext, tool,
};

use crate::common::{ask_only, block_on, ctx, only};

type Seen = Arc<Mutex<Vec<ThreadId>>>;

fn note(seen: &Seen) {
    seen.lock()
        .expect("not poisoned")
        .push(std::thread::current().id());
}

#[tool(blocking)]
fn on_another_thread(#[inject] seen: State<'_, Seen>) {
    note(&seen);
}

#[tool]
fn on_this_thread(#[inject] seen: State<'_, Seen>) {
    note(&seen);
}

#[tool(blocking)]
fn panics_on_its_thread() {
    panic!("on another thread");
}

#[tool(blocking)]
fn fails_on_its_thread(n: u8) -> Result<u8, String> {
    Err(format!("{n} won't do"))
}

/// Tells its test that a tool began, and whether it saw that it was stopped.
struct Reports {
    begun: mpsc::Sender<()>,
    stopped: mpsc::Sender<bool>,
}

fn watch_for_the_end(ctx: &ToolCallContext, reports: &Reports) {
    reports.begun.send(()).expect("the test listens");
    for _ in 0..10_000 {
        if ctx.is_cancelled() {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    reports
        .stopped
        .send(ctx.is_cancelled())
        .expect("the test listens");
}

#[tool(blocking, timeout = "50ms")]
fn outlives_its_timeout(#[inject] ctx: &ToolCallContext, #[inject] reports: State<'_, Reports>) {
    watch_for_the_end(ctx, &reports);
}

#[tool(blocking, timeout = "none")]
fn outlives_its_call(#[inject] ctx: &ToolCallContext, #[inject] reports: State<'_, Reports>) {
    watch_for_the_end(ctx, &reports);
}

/// What the tools above report, and the registry that has them.
fn watched() -> (
    callboard::Registry,
    mpsc::Receiver<()>,
    mpsc::Receiver<bool>,
) {
    let (begun, has_begun) = mpsc::channel();
    let (stopped, was_stopped) = mpsc::channel();
    let mut reg = CapabilityRegistry::new();
    reg.provide(Reports { begun, stopped });
    reg.register_tool::<OutlivesItsTimeout>()
        .and_then(CapabilityRegistry::register_tool::<OutlivesItsCall>)
        .expect("the names are free");
    let registry = reg.seal().expect("the reports are provided");
    (registry, has_begun, was_stopped)
}

#[tokio::test]
async fn a_blocking_tool_runs_on_another_thread_and_a_plain_one_does_not() {
    let seen = Seen::default();
    let mut reg = CapabilityRegistry::new();
    reg.provide(Arc::clone(&seen));
    reg.register_tool::<OnAnotherThread>()
        .and_then(CapabilityRegistry::register_tool::<OnThisThread>)
        .expect("the names are free");
    let registry = reg.seal().expect("the state is there");
    registry
        .call::<OnThisThread>(OnThisThreadArgs {}, &ctx())
        .await
        .expect("it runs");
    registry
        .dispatch("on_another_thread", "", &ctx())
        .await
        .expect("it runs");
    let here = std::thread::current().id();
    let seen = seen.lock().expect("not poisoned");
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0], here);
    assert_ne!(seen[1], here);
}

#[tokio::test]
async fn a_timeout_stops_waiting_and_tells_the_thread() {
    let (registry, _begun, was_stopped) = watched();
    let error = registry
        .dispatch("outlives_its_timeout", "", &ctx())
        .await
        .expect_err("50 ms are not enough");
    assert!(matches!(error, DispatchError::TimedOut { .. }), "{error:?}");
    assert_eq!(was_stopped.recv(), Ok(true));
}

#[tokio::test]
async fn a_cancelled_call_tells_the_thread() {
    let (registry, begun, was_stopped) = watched();
    let token = CancellationToken::new();
    let ctx = ctx().with_cancel(token.clone());
    let calling = tokio::spawn(async move {
        registry
            .call::<OutlivesItsCall>(OutlivesItsCallArgs {}, &ctx)
            .await
    });
    tokio::task::spawn_blocking(move || begun.recv())
        .await
        .expect("no panic")
        .expect("the tool begins");
    token.cancel();
    let error = calling.await.expect("no panic").expect_err("cancelled");
    assert!(
        matches!(error, CallError::Refused(DispatchError::Cancelled { .. })),
        "{error:?}"
    );
    assert_eq!(was_stopped.recv(), Ok(true));
}

#[tokio::test]
async fn a_dropped_call_tells_the_thread() {
    let (registry, begun, was_stopped) = watched();
    let calling =
        tokio::spawn(async move { registry.dispatch("outlives_its_call", "", &ctx()).await });
    tokio::task::spawn_blocking(move || begun.recv())
        .await
        .expect("no panic")
        .expect("the tool begins");
    calling.abort();
    assert!(calling.await.expect_err("aborted").is_cancelled());
    assert_eq!(was_stopped.recv(), Ok(true));
}

#[tokio::test]
async fn a_panic_on_the_other_thread_is_an_answer() {
    let registry = only::<PanicsOnItsThread>();
    let error = registry
        .dispatch("panics_on_its_thread", "", &ctx())
        .await
        .expect_err("it panics");
    assert!(
        matches!(&error, DispatchError::Panicked { message, .. } if message == "on another thread"),
        "{error:?}"
    );
    assert_eq!(registry.in_flight(), 0);
}

#[tokio::test]
async fn a_failure_on_the_other_thread_keeps_its_words() {
    let error = ask_only::<FailsOnItsThread>(r#"{"n":7}"#)
        .await
        .expect_err("it fails");
    assert!(matches!(error, DispatchError::Failed(_)), "{error:?}");
    assert_eq!(error.for_model(), "7 won't do");
}

#[test]
fn without_a_runtime_there_is_no_thread_to_block() {
    let error = block_on(ask_only::<FailsOnItsThread>(r#"{"n":7}"#)).expect_err("no runtime");
    assert!(
        matches!(&error, DispatchError::NoRuntime { tool } if tool == "fails_on_its_thread"),
        "{error:?}"
    );
}
