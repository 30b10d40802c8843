//! Tools that notice themselves that their call was stopped.

use callboard::{
    CallError, CancellationToken, CapabilityRegistry, DispatchError, Registry, ToolCallContext,
    tool,
};

/// Waits to be stopped, and then says what it was told to say.
#[tool(read_only)]
async fn wait_for_stop(
    #[inject] context: &ToolCallContext,
    finish: bool,
) -> Result<&'static str, String> {
    match context.cancel() {
        Some(stop) => stop.cancelled().await,
        None => return Err("nothing can stop this".to_owned()),
    }
    if finish {
        Ok("done")
    } else {
        Err("interrupted".to_owned())
    }
}

fn registry() -> Registry {
    let mut registry = CapabilityRegistry::new();
    registry.register_tool::<WaitForStop>().unwrap();
    registry.seal().unwrap()
}

/// A context whose token is cancelled as soon as the call waits.
fn stopped_soon() -> ToolCallContext {
    let stop = CancellationToken::new();
    let cancel = stop.clone();
    tokio::spawn(async move { cancel.cancel() });
    ToolCallContext::new("call_1").with_cancel(stop)
}

#[tokio::test]
async fn a_tool_that_stops_when_told_to_was_cancelled_and_did_not_fail() {
    let registry = registry();
    let named = registry
        .dispatch("wait_for_stop", r#"{"finish":false}"#, &stopped_soon())
        .await;
    assert!(
        matches!(named, Err(DispatchError::Cancelled { .. })),
        "{named:?}"
    );
    let typed = registry
        .call::<WaitForStop>(WaitForStopArgs { finish: false }, &stopped_soon())
        .await;
    assert!(
        matches!(
            typed,
            Err(CallError::Refused(DispatchError::Cancelled { .. }))
        ),
        "{typed:?}"
    );
}

#[tokio::test]
async fn a_tool_that_finishes_while_it_is_stopped_keeps_its_output() {
    let registry = registry();
    let output = registry
        .dispatch("wait_for_stop", r#"{"finish":true}"#, &stopped_soon())
        .await
        .unwrap();
    assert_eq!(output.as_json(), Some(r#""done""#));
}

#[tokio::test]
async fn a_failure_of_a_call_that_nobody_stopped_stays_a_failure() {
    let registry = registry();
    let failed = registry
        .dispatch(
            "wait_for_stop",
            r#"{"finish":true}"#,
            &ToolCallContext::new("call_1"),
        )
        .await;
    assert!(
        matches!(failed, Err(DispatchError::Failed(_))),
        "{failed:?}"
    );
}
