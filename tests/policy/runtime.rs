//! Calls where there is no runtime, or one without a clock.

use callboard::{CallError, DispatchError, Registry, tool};
use serde_json::json;

use crate::common::{ask, block_on, ctx, sealed};

#[tool]
async fn ready(n: u8) -> u8 {
    n
}

/// Waits once, for nothing.
async fn wait_once() {
    let mut waited = false;
    std::future::poll_fn(|cx| {
        if std::mem::replace(&mut waited, true) {
            return std::task::Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}

#[tool]
async fn waits() -> u8 {
    wait_once().await;
    2
}

#[tool(timeout = "none")]
async fn waits_without_a_limit() -> u8 {
    wait_once().await;
    3
}

fn registry() -> Registry {
    sealed(|reg| {
        reg.register_tool::<Ready>()?
            .register_tool::<Waits>()?
            .register_tool::<WaitsWithoutALimit>()?;
        Ok(())
    })
}

/// What holds wherever there is no clock.
async fn without_a_clock(registry: Registry) {
    let answer = ask::<Ready>(&registry, r#"{"n":1}"#).await;
    assert_eq!(answer.expect("it answers at once"), json!(1));
    let answer = registry.call::<Ready>(ReadyArgs { n: 4 }, &ctx()).await;
    assert_eq!(answer.expect("it answers at once"), 4);
    let error = ask::<Waits>(&registry, "").await.expect_err("no clock");
    assert!(
        matches!(&error, DispatchError::NoRuntime { tool } if tool == "waits"),
        "{error:?}"
    );
    assert!(error.to_string().contains("timeout = \"none\""), "{error}");
    let error = registry.call::<Waits>(WaitsArgs {}, &ctx()).await;
    assert!(matches!(
        error,
        Err(CallError::Refused(DispatchError::NoRuntime { .. }))
    ));
    let answer = ask::<WaitsWithoutALimit>(&registry, "").await;
    assert_eq!(answer.expect("it needs no clock"), json!(3));
    // A deadline needs one, whatever the tool says.
    let limited = ctx().with_time_limit(std::time::Duration::from_secs(60));
    let error = registry
        .dispatch("waits_without_a_limit", "", &limited)
        .await;
    assert!(
        matches!(error, Err(DispatchError::NoRuntime { .. })),
        "{error:?}"
    );
    assert_eq!(registry.in_flight(), 0);
}

#[test]
fn without_a_runtime_what_answers_at_once_works() {
    block_on(without_a_clock(registry()));
}

#[test]
fn a_runtime_without_time_is_as_none() {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime")
        .block_on(without_a_clock(registry()));
}

#[test]
fn a_runtime_with_time_serves_all() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let answer = runtime.block_on(async { ask::<Waits>(&registry(), "").await });
    assert_eq!(answer.expect("there is a clock"), json!(2));
}
