//! A call on its way to a server: what goes over the wire, and what stops it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use callboard::{
    CallPeer, CancellationToken, DispatchError, Progress, ToolCallContext, TraceContext,
};
use serde_json::json;

use crate::common::ctx;
use crate::script::{Reply, Script, connect, method, registry_of, text, tool, within};

/// A caller that keeps what it is told.
#[derive(Default)]
struct Told(Mutex<Vec<Progress>>);

impl CallPeer for Told {
    fn progress(&self, progress: Progress) {
        self.0.lock().expect("no panics").push(progress);
    }
}

#[tokio::test]
async fn arguments_arrive_as_they_were_written() {
    let script = Script::new([tool("t")]);
    let registry = script.registry().await;
    for (written, heard) in [
        ("", json!({})),
        (
            r#"{"u":18446744073709551615,"i":-9223372036854775808,"n":9007199254740993}"#,
            json!({"u": u64::MAX, "i": i64::MIN, "n": 9_007_199_254_740_993_u64}),
        ),
        (
            r#" {"format":"x","$ref":["\u00e9\n",null,1.5,{"a":{}}]} "#,
            json!({"format": "x", "$ref": ["é\n", null, 1.5, {"a": {}}]}),
        ),
    ] {
        within(registry.dispatch("t", written, &ctx()))
            .await
            .expect("it is called");
        let calls = script.heard("tools/call");
        assert_eq!(calls.last().expect("a call")["params"]["arguments"], heard);
    }
    let before = script.heard("tools/call").len();
    for wrong in ["[]", "{", r#"{"a":1,"a":2}"#, r#"{"a":1e400}"#] {
        let error = within(registry.dispatch("t", wrong, &ctx())).await;
        assert!(
            matches!(error, Err(DispatchError::InvalidArguments { .. })),
            "{wrong}: {error:?}"
        );
    }
    assert_eq!(script.heard("tools/call").len(), before, "nothing went out");
}

#[tokio::test]
async fn a_call_says_which_trace_it_belongs_to() {
    let script = Script::new([tool("t")]);
    let registry = script.registry().await;
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let trace = TraceContext::new(parent)
        .expect("well formed")
        .with_tracestate("a=1")
        .with_baggage("user=ada");
    within(registry.dispatch("t", "", &ctx().with_trace(trace)))
        .await
        .expect("it is called");
    within(registry.dispatch("t", "", &ctx()))
        .await
        .expect("it is called");
    let calls = script.heard("tools/call");
    let meta = &calls[0]["params"]["_meta"];
    assert_eq!(meta["traceparent"], parent);
    assert_eq!(meta["tracestate"], "a=1");
    assert_eq!(meta["baggage"], "user=ada");
    assert!(!meta["progressToken"].is_null());
    assert!(calls[1]["params"]["_meta"].get("traceparent").is_none());
    assert_ne!(
        meta["progressToken"],
        calls[1]["params"]["_meta"]["progressToken"]
    );
}

#[tokio::test]
async fn progress_comes_in_the_order_in_which_it_was_sent() {
    let script = Script::new([tool("t")]).on_call(|message| {
        let token = &message["params"]["_meta"]["progressToken"];
        let report = |token: &serde_json::Value, n: u32| {
            json!({
                "jsonrpc": "2.0",
                "method": "notifications/progress",
                "params": { "progressToken": token, "progress": n, "total": 200, "message": format!("step {n}") },
            })
        };
        let mut reports: Vec<_> = (0..200).map(|n| report(token, n)).collect();
        // Of nobody's call.
        reports.push(report(&json!("stray"), 7));
        Reply::First(reports, text("done"))
    });
    let registry = script.registry().await;
    let told = Arc::new(Told::default());
    let listening = ctx().with_peer(Arc::clone(&told) as _);
    within(registry.dispatch("t", "", &listening))
        .await
        .expect("it is called");
    {
        let told = told.0.lock().expect("no panics");
        let expected: Vec<_> = (0..200)
            .map(|n| Progress::of(n.into(), 200.0).with_message(format!("step {n}")))
            .collect();
        assert_eq!(*told, expected);
    }
    // Without anyone who listens, it is no trouble.
    within(registry.dispatch("t", "", &ctx()))
        .await
        .expect("it is called");
}

#[tokio::test]
async fn a_caller_that_panics_at_progress_loses_nothing() {
    struct Panics;
    impl CallPeer for Panics {
        fn progress(&self, _: Progress) {
            panic!("no bar to draw")
        }
    }
    let script = Script::new([tool("t")]).on_call(|message| {
        let token = &message["params"]["_meta"]["progressToken"];
        let report = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": token, "progress": 1 } });
        Reply::First(vec![report], text("done"))
    });
    let registry = script.registry().await;
    for _ in 0..2 {
        let ctx = ctx().with_peer(Arc::new(Panics));
        let output = within(registry.dispatch("t", "", &ctx)).await;
        assert_eq!(output.expect("it is called").to_text(), "done");
    }
    assert_eq!(script.connections(), 1);
}

/// The server was told that this call is off, and serves the next one.
async fn is_cancelled_on_the_wire(script: &Script, registry: &callboard::Registry) {
    let cancelled = script.hears("notifications/cancelled", 1).await;
    let call = &script.heard("tools/call")[0];
    assert_eq!(cancelled[0]["params"]["requestId"], call["id"]);
    let next = within(registry.dispatch("quick", "", &ctx())).await;
    assert_eq!(next.expect("it is called").to_text(), "quick was called");
    assert_eq!(registry.in_flight(), 0);
    assert_eq!(script.heard("notifications/cancelled").len(), 1);
}

/// A server with a tool that never answers.
fn stuck() -> Script {
    Script::new([tool("stuck"), tool("quick")]).on(|message| {
        (method(message) == "tools/call" && message["params"]["name"] == "stuck")
            .then_some(Reply::Silence)
    })
}

#[tokio::test]
async fn a_row_always_has_a_deadline_and_the_server_learns_of_it() {
    let script = stuck();
    let limit = Duration::from_millis(150);
    let registry = registry_of(&connect(script.server("remote").with_timeout(limit)).await);
    assert_eq!(
        registry
            .tool("stuck")
            .expect("it is there")
            .policy()
            .timeout,
        Some(limit)
    );
    let error = within(registry.dispatch("stuck", "", &ctx())).await;
    assert!(
        matches!(&error, Err(DispatchError::TimedOut { limit: told, .. }) if *told == limit),
        "{error:?}"
    );
    is_cancelled_on_the_wire(&script, &registry).await;
}

#[tokio::test]
async fn a_callers_own_deadline_counts_too() {
    let script = stuck();
    let registry = script.registry().await;
    let hurried = ctx().with_time_limit(Duration::from_millis(100));
    let error = within(registry.dispatch("stuck", "", &hurried)).await;
    assert!(
        matches!(error, Err(DispatchError::TimedOut { .. })),
        "{error:?}"
    );
    is_cancelled_on_the_wire(&script, &registry).await;
}

#[tokio::test]
async fn a_cancelled_call_is_cancelled_on_the_wire() {
    let script = stuck();
    let registry = script.registry().await;
    let stop = CancellationToken::new();
    let ctx = ToolCallContext::new("call_1").with_cancel(stop.clone());
    let calling = registry.dispatch("stuck", "", &ctx);
    let stopping = async {
        script.hears("tools/call", 1).await;
        stop.cancel();
    };
    let (error, ()) = within(async { tokio::join!(calling, stopping) }).await;
    assert!(
        matches!(error, Err(DispatchError::Cancelled { .. })),
        "{error:?}"
    );
    is_cancelled_on_the_wire(&script, &registry).await;
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_on_the_wire() {
    let script = stuck();
    let registry = script.registry().await;
    let ctx = ctx();
    within(async {
        tokio::select! {
            answer = registry.dispatch("stuck", "", &ctx) => panic!("{answer:?}"),
            _ = script.hears("tools/call", 1) => {}
        }
    })
    .await;
    is_cancelled_on_the_wire(&script, &registry).await;
}

#[tokio::test]
async fn many_calls_at_once_each_get_their_own_answer() {
    let script = Script::new([tool("t")]).on_call(|message| {
        let n = message["params"]["arguments"]["n"]
            .as_u64()
            .expect("a number");
        // The later ones first.
        Reply::After(Duration::from_millis(100 - n % 100), text(&n.to_string()))
    });
    let registry = script.registry().await;
    let calls: Vec<_> = (0..200)
        .map(|n| {
            let registry = registry.clone();
            tokio::spawn(async move {
                let output = registry
                    .dispatch("t", &format!(r#"{{"n":{n}}}"#), &ctx())
                    .await;
                (n, output.expect("it is called").to_text().into_owned())
            })
        })
        .collect();
    for call in calls {
        let (n, answer) = within(call).await.expect("no panics");
        assert_eq!(answer, n.to_string());
    }
}
