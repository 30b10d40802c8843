//! What can happen between a host and a server over HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use callboard::mcp::{HttpEndpoint, McpError, McpEvent, McpLimits};
use callboard::{DispatchError, Registry};
use serde_json::json;

use crate::common::ctx;
use crate::script::{connect, event, method, observed, registry_of, text, within};
use crate::web::{Answer, Web, begun};

async fn call(registry: &Registry) -> Result<String, DispatchError> {
    let output = within(registry.dispatch("t", "", &ctx())).await?;
    Ok(output.to_text().into_owned())
}

#[tokio::test]
async fn what_a_host_sends_along_goes_with_each_request_and_is_not_shown() {
    let web = Web::new(|_| None).await;
    let endpoint = |endpoint: HttpEndpoint| endpoint.bearer("s3cret").header("X-Tenant", "4da");
    let shown = format!("{:?}", endpoint(HttpEndpoint::new(web.url())));
    assert!(
        !shown.contains("s3cret") && !shown.contains("4da") && shown.contains("X-Tenant"),
        "{shown}"
    );
    let registry = registry_of(&connect(web.server_with(endpoint)).await);
    assert_eq!(call(&registry).await.expect("it is called"), "called");
    let heard = web.heard();
    assert!(heard.len() >= 4, "{}", heard.len());
    for heard in heard {
        let head = heard.head;
        assert!(head.contains("authorization: bearer s3cret"), "{head}");
        assert!(head.contains("x-tenant: 4da"), "{head}");
    }
    let broken = web.server_with(|endpoint| endpoint.header("X-Tenant", "a\nb"));
    let error = within(broken.connect())
        .await
        .expect_err("it can't be sent");
    let error = error.to_string();
    assert!(error.contains("`X-Tenant` can't be sent"), "{error}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Web::new(|_| None).await;
    let location = format!("location: {}\r\n", elsewhere.url());
    let web = Web::new(move |heard| {
        (method(&heard.message) == "tools/call")
            .then(|| Answer::Http(307, location.clone(), Vec::new()))
    })
    .await;
    let registry = registry_of(&connect(web.server_with(|to| to.bearer("s3cret"))).await);
    call(&registry).await.expect_err("it is nowhere else");
    assert!(elsewhere.heard().is_empty());
}

#[tokio::test]
async fn a_call_that_gets_lost_fails_at_once_and_the_next_is_tried() {
    let calls = Arc::new(AtomicUsize::new(0));
    let called = Arc::clone(&calls);
    let web = Web::new(move |heard| {
        if method(&heard.message) != "tools/call" {
            return None;
        }
        Some(match called.fetch_add(1, Ordering::SeqCst) {
            0 => Answer::HangUp,
            1 => Answer::Http(503, String::new(), b"busy".to_vec()),
            2 => Answer::Http(401, String::new(), Vec::new()),
            _ => Answer::Result(text("at last")),
        })
    })
    .await;
    let server = web
        .server()
        .with_backoff(Duration::from_millis(10), Duration::from_millis(10));
    let connection = connect(server).await;
    let registry = registry_of(&connection);
    for lost in 1..=3 {
        let error = call(&registry).await.expect_err("it is lost");
        assert!(
            matches!(error, DispatchError::Disconnected { .. }),
            "{error:?}"
        );
        within(async {
            while !connection.is_connected() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
        // None is made again by itself: a call may not be made twice.
        assert_eq!(calls.load(Ordering::SeqCst), lost);
    }
    assert_eq!(call(&registry).await.expect("it is called"), "at last");
}

#[tokio::test]
async fn a_session_that_expired_is_begun_anew() {
    let sessions = Arc::new(AtomicUsize::new(0));
    let begins = Arc::clone(&sessions);
    let web = Web::new(move |heard| match method(&heard.message) {
        "initialize" => {
            let session = begins.fetch_add(1, Ordering::SeqCst) + 1;
            let headers =
                format!("content-type: application/json\r\nmcp-session-id: s{session}\r\n");
            let id = &heard.message["id"];
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": begun(heard) });
            Some(Answer::Http(200, headers, answer.to_string().into_bytes()))
        }
        "tools/call" if heard.head.contains("mcp-session-id: s1") => {
            Some(Answer::Http(404, String::new(), Vec::new()))
        }
        _ => None,
    })
    .await;
    let registry = registry_of(&connect(web.server()).await);
    assert_eq!(call(&registry).await.expect("it is called"), "called");
    assert_eq!(sessions.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_message_that_is_too_long_is_not_taken_in() {
    let web = Web::new(|heard| {
        let mut tool = crate::script::tool("t");
        tool["description"] = json!("x".repeat(2 << 20));
        (method(&heard.message) == "tools/list").then(|| Answer::Result(json!({ "tools": [tool] })))
    })
    .await;
    let mut limits = McpLimits::default();
    limits.message_bytes = 1 << 20;
    let error = within(web.server().with_limits(limits).connect()).await;
    assert!(
        matches!(
            error,
            Err(McpError::BadList { .. } | McpError::Unreachable { .. })
        ),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled_on_the_wire() {
    let web =
        Web::new(|heard| (method(&heard.message) == "tools/call").then_some(Answer::Silence)).await;
    let server = web.server().with_timeout(Duration::from_millis(100));
    let registry = registry_of(&connect(server).await);
    let error = call(&registry).await.expect_err("it takes too long");
    assert!(matches!(error, DispatchError::TimedOut { .. }), "{error:?}");
    let cancelled = web.hears("notifications/cancelled").await;
    let called = web.hears("tools/call").await;
    assert_eq!(
        cancelled.message["params"]["requestId"],
        called.message["id"]
    );
}

#[tokio::test]
async fn a_server_that_is_gone_is_told_of_by_the_first_call() {
    let is_up = Arc::new(AtomicUsize::new(1));
    let up = Arc::clone(&is_up);
    let web = Web::new(move |_| (up.load(Ordering::SeqCst) == 0).then_some(Answer::HangUp)).await;
    let server = web
        .server()
        .with_debounce(Duration::from_millis(10))
        .with_backoff(Duration::from_millis(10), Duration::from_millis(20));
    let (server, mut events) = observed(server);
    let registry = registry_of(&connect(server).await);
    is_up.store(0, Ordering::SeqCst);
    call(&registry).await.expect_err("nobody answers");
    event(&mut events, |event| {
        matches!(event, McpEvent::ReconnectFailed { .. }).then_some(())
    })
    .await;
    is_up.store(1, Ordering::SeqCst);
    event(&mut events, |event| {
        matches!(event, McpEvent::Connected { .. }).then_some(())
    })
    .await;
    assert_eq!(call(&registry).await.expect("it is back"), "called");
}
