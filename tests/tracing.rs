//! The span of a call: what it holds, and what it doesn't.

mod common;
#[path = "common/spans.rs"]
mod spans;

use std::time::Duration;

use callboard::{
    AllowList, CancellationToken, CapabilityRegistry, Registry, ToolCallContext, ToolFailure, tool,
};

use common::{ctx, poll_once};
use spans::Kept;

#[tool]
async fn greet(name: String) -> String {
    tracing::info!("inside");
    format!("hello {name}")
}

#[tool]
async fn fails(secret: String) -> Result<(), ToolFailure> {
    Err(ToolFailure::new(format!("bad {secret}")))
}

#[tool]
async fn panics(secret: String) {
    panic!("on purpose: {secret}")
}

#[tool(timeout = "5ms")]
async fn hangs() {
    std::future::pending::<()>().await;
}

#[tool(requires_approval)]
async fn guarded(secret: String) -> usize {
    secret.len()
}

/// The outcome of the one call that was made; it has all its fields and no others.
fn outcome_of(kept: &Kept, tool: &str) -> String {
    let spans = kept.take();
    assert_eq!(spans.len(), 1, "{spans:?}");
    let fields = &spans[0];
    assert_eq!(
        fields.keys().copied().collect::<Vec<_>>(),
        ["call_id", "duration_us", "family", "outcome", "tool"]
    );
    assert_eq!(fields["tool"], tool);
    assert_eq!(fields["call_id"], "call_1");
    assert_eq!(fields["family"], "native");
    assert!(fields["duration_us"].parse::<u64>().is_ok(), "{fields:?}");
    assert!(
        !fields.values().any(|value| value.contains("hunter2")),
        "{fields:?}"
    );
    fields["outcome"].clone()
}

fn builder() -> CapabilityRegistry {
    CapabilityRegistry::collect().expect("no conflicts")
}

fn registry() -> Registry {
    builder().seal().expect("it seals")
}

const SECRET: &str = r#"{"secret":"hunter2"}"#;

#[tokio::test]
async fn each_outcome_has_its_word_and_nothing_of_what_was_said() {
    let kept = Kept::of("tool_call");
    let _listening = kept.listen();
    let registry = registry();
    for (name, arguments, outcome) in [
        ("greet", r#"{"name":"hunter2"}"#, "ok"),
        ("greet", r#"{"name":1,"hunter2":2}"#, "invalid_arguments"),
        ("fails", SECRET, "failed"),
        ("panics", SECRET, "panicked"),
        ("hangs", "", "timed_out"),
        ("guarded", SECRET, "approval_required"),
    ] {
        let result = registry.dispatch(name, arguments, &ctx()).await;
        assert_eq!(result.is_ok(), outcome == "ok");
        assert_eq!(outcome_of(&kept, name), outcome);
        if let Err(error) = result {
            assert_eq!(error.kind(), outcome);
        }
    }
    let mut reg = builder();
    reg.set_authorizer(AllowList::default());
    let closed = reg.seal().expect("it seals");
    let denied = closed.dispatch("greet", "", &ctx()).await;
    assert!(denied.is_err());
    assert_eq!(outcome_of(&kept, "greet"), "denied");
}

#[tokio::test]
async fn the_typed_door_has_the_same_span() {
    let kept = Kept::of("tool_call");
    let _listening = kept.listen();
    let registry = registry();
    let args = GreetArgs {
        name: "hunter2".to_owned(),
    };
    assert!(registry.call::<Greet>(args, &ctx()).await.is_ok());
    assert_eq!(outcome_of(&kept, "greet"), "ok");
    let args = FailsArgs {
        secret: "hunter2".to_owned(),
    };
    assert!(registry.call::<Fails>(args, &ctx()).await.is_err());
    assert_eq!(outcome_of(&kept, "fails"), "failed");
}

#[tokio::test]
async fn a_call_that_is_dropped_or_cancelled_says_so() {
    let kept = Kept::of("tool_call");
    let _listening = kept.listen();
    let registry = registry();
    let context = ctx();
    let mut dropped = Box::pin(registry.dispatch("hangs", "", &context));
    assert!(poll_once(dropped.as_mut()).is_pending());
    assert!(kept.take().is_empty());
    drop(dropped);
    assert_eq!(outcome_of(&kept, "hangs"), "dropped");
    let token = CancellationToken::new();
    let context = ctx().with_cancel(token.clone());
    let (cancelled, ()) = tokio::join!(registry.dispatch("hangs", "", &context), async {
        token.cancel();
    });
    assert!(cancelled.is_err());
    assert_eq!(outcome_of(&kept, "hangs"), "cancelled");
}

#[tokio::test]
async fn what_a_tool_says_is_said_in_its_span() {
    let kept = Kept::of("tool_call");
    let _listening = kept.listen();
    let output = registry()
        .dispatch("greet", r#"{"name":"ada"}"#, &ctx())
        .await;
    assert!(output.is_ok());
    assert_eq!(kept.events_in(), [Some("tool_call")]);
}

#[tokio::test]
async fn the_duration_is_that_of_the_call_in_microseconds() {
    let kept = Kept::of("tool_call");
    let _listening = kept.listen();
    let context = ToolCallContext::new("slow");
    let begun = std::time::Instant::now();
    assert!(registry().dispatch("hangs", "", &context).await.is_err());
    let whole = begun.elapsed();
    let spans = kept.take();
    let taken: u64 = spans[0]["duration_us"].parse().expect("a number");
    let taken = Duration::from_micros(taken);
    assert!(taken >= Duration::from_millis(5), "{taken:?}");
    assert!(taken <= whole, "{taken:?} of {whole:?}");
}

#[tokio::test]
async fn a_call_that_finds_no_row_has_a_span_with_a_short_name() {
    let kept = Kept::of("tool_call");
    let _listening = kept.listen();
    let registry = builder().seal().expect("it seals");
    let name = "no_such_tool".repeat(100);
    assert!(registry.dispatch(&name, SECRET, &ctx()).await.is_err());
    let spans = kept.take();
    assert_eq!(spans.len(), 1, "{spans:?}");
    assert_eq!(spans[0]["family"], "none");
    assert_eq!(spans[0]["outcome"], "unknown_tool");
    assert_eq!(spans[0]["tool"], name[..64]);
}

#[cfg(feature = "dynamic")]
#[tokio::test]
async fn the_family_is_that_of_the_row() {
    let kept = Kept::of("tool_call");
    let _listening = kept.listen();
    let mut reg = builder();
    let tool = callboard::DynamicTool::new(
        "given",
        serde_json::json!({ "type": "object" }),
        |arguments, _| async move { Ok::<_, String>(arguments) },
    );
    reg.register_dynamic(tool).expect("the name is free");
    let registry = reg.seal().expect("it seals");
    let output = registry.dispatch("given", SECRET, &ctx()).await;
    assert!(output.is_ok());
    let spans = kept.take();
    assert_eq!(spans[0]["family"], "dynamic");
    assert_eq!(spans[0]["outcome"], "ok");
    assert!(!spans[0].values().any(|value| value.contains("hunter2")));
}
