//! What a server answers, and what a caller gets of it.

use callboard::{Content, DispatchError, ResourceBody, ToolFailure, ToolOutput};
use serde_json::{Value, json};

use crate::common::ctx;
use crate::script::{Reply, Script, tool, within};

fn checked() -> Value {
    json!({
        "name": "t",
        "inputSchema": { "type": "object" },
        "outputSchema": {
            "type": "object",
            "properties": { "items": { "type": "array", "items": { "type": "integer" } } },
            "required": ["items"],
        },
    })
}

/// Calls the tool `t` once, which is answered so.
async fn called(
    tool: Value,
    mut reply: impl FnMut() -> Reply + Send + 'static,
) -> Result<ToolOutput, DispatchError> {
    let registry = Script::new([tool])
        .on_call(move |_| reply())
        .registry()
        .await;
    within(registry.dispatch("t", "", &ctx())).await
}

async fn answered(tool: Value, result: Value) -> Result<ToolOutput, DispatchError> {
    called(tool, move || Reply::Result(result.clone())).await
}

fn failure(error: DispatchError) -> ToolFailure {
    match error {
        DispatchError::Failed(failure) => failure,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_sort_of_content_arrives() {
    let output = answered(
        tool("t"),
        json!({ "content": [
            { "type": "text", "text": "see", "annotations": { "priority": 1.0 } },
            { "type": "image", "data": "AAEC", "mimeType": "image/png" },
            { "type": "audio", "data": "AwQ=", "mimeType": "audio/wav" },
            { "type": "resource_link", "uri": "file:///a", "name": "a", "mimeType": "text/plain" },
            { "type": "resource", "resource": { "uri": "x:1", "mimeType": "text/plain", "text": "in it" } },
            { "type": "resource", "resource": { "uri": "x:2", "blob": "BQY=" } },
        ] }),
    )
    .await
    .expect("it is an output");
    assert_eq!(
        output.as_content().expect("content"),
        [
            Content::text("see"),
            Content::image([0, 1, 2], "image/png"),
            Content::audio([3, 4], "audio/wav"),
            Content::ResourceLink {
                uri: "file:///a".into(),
                name: "a".into(),
                mime_type: Some("text/plain".into())
            },
            Content::Resource {
                uri: "x:1".into(),
                mime_type: Some("text/plain".into()),
                body: ResourceBody::Text("in it".into())
            },
            Content::Resource {
                uri: "x:2".into(),
                mime_type: None,
                body: ResourceBody::Bytes(vec![5, 6])
            },
        ]
    );
    assert_eq!(output.as_json(), None);
    assert_eq!(
        output.to_text(),
        "see\n[image/png, 3 bytes]\n[audio/wav, 2 bytes]\n[a: file:///a]\nin it\n[x:2, 2 bytes]"
    );
}

#[tokio::test]
async fn structured_content_is_checked_and_kept_beside_the_rest() {
    let output = answered(
        checked(),
        json!({
            "content": [{ "type": "text", "text": "two" }],
            "structuredContent": { "items": [1, 18_446_744_073_709_551_615_u64] },
        }),
    )
    .await
    .expect("it fits");
    assert_eq!(
        output.as_json(),
        Some(r#"{"items":[1,18446744073709551615]}"#)
    );
    assert_eq!(output.to_text(), "two");
    let bare = answered(checked(), json!({ "structuredContent": { "items": [] } })).await;
    assert_eq!(bare.expect("it fits").to_text(), r#"{"items":[]}"#);
    // Where none is declared, any JSON will do.
    let any = answered(
        tool("t"),
        json!({ "content": [], "structuredContent": null }),
    )
    .await;
    assert_eq!(any.expect("it is an output").as_json(), Some("null"));
}

#[tokio::test]
async fn structured_content_that_does_not_fit_is_refused() {
    let error = answered(
        checked(),
        json!({ "structuredContent": { "items": [1, "x"] } }),
    )
    .await
    .expect_err("it doesn't fit");
    let DispatchError::InvalidOutput {
        tool: named,
        path,
        message,
    } = &error
    else {
        panic!("{error:?}")
    };
    assert_eq!((named.as_str(), path.as_str()), ("t", "items[1]"));
    assert!(message.contains("integer"), "{message}");
    assert_eq!(error.kind(), "invalid_output");
    assert_eq!(
        error.for_model(),
        "The tool answered with something other than it declares."
    );
    let missing = answered(checked(), json!({ "content": [] })).await;
    assert!(
        matches!(&missing, Err(DispatchError::InvalidOutput { path, .. }) if path.is_empty()),
        "{missing:?}"
    );
    let no_base64 =
        json!({ "content": [{ "type": "image", "data": "?", "mimeType": "image/png" }] });
    let error = answered(tool("t"), no_base64).await;
    assert!(
        matches!(error, Err(DispatchError::InvalidOutput { .. })),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_answer_that_costs_too_much_to_check_is_refused() {
    // Each value is looked at in a thousand ways.
    let branches: Vec<_> = (0..1_000).map(|n| json!({ "minimum": n })).collect();
    let mut costly = checked();
    costly["outputSchema"]["properties"]["items"]["items"] = json!({ "anyOf": branches });
    let items = |count: i64| json!({ "structuredContent": { "items": vec![5; count as usize] } });
    answered(costly.clone(), items(100))
        .await
        .expect("it is little");
    let error = answered(costly, items(10_000))
        .await
        .expect_err("it is much");
    assert!(
        matches!(&error, DispatchError::InvalidOutput { path, message, .. } if path == "items[0]" && message.contains("too much to be checked")),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_failure_keeps_what_came_with_it() {
    let error = answered(
        checked(),
        json!({
            "isError": true,
            "content": [{ "type": "text", "text": "no such page" }, { "type": "image", "data": "AA==", "mimeType": "image/png" }],
            "structuredContent": { "code": 404 },
        }),
    )
    .await
    .expect_err("it failed");
    assert_eq!(error.for_model(), "no such page\n[image/png, 1 bytes]");
    let failure = failure(error);
    let output = failure.output().expect("it is kept");
    assert_eq!(output.as_json(), Some(r#"{"code":404}"#));
    assert_eq!(output.as_content().expect("content").len(), 2);
    let silent = answered(tool("t"), json!({ "isError": true, "content": [] })).await;
    assert_eq!(
        silent.expect_err("it failed").for_model(),
        "The tool failed, and didn't say why."
    );
}

#[tokio::test]
async fn errors_of_the_protocol_are_told_apart() {
    let arguments = called(tool("t"), || Reply::Error(-32602, "`x` is missing")).await;
    assert!(
        matches!(&arguments, Err(DispatchError::InvalidArguments { message, .. }) if message == "`x` is missing"),
        "{arguments:?}"
    );
    let other = called(tool("t"), || Reply::Error(-32603, "out of order")).await;
    let failure = failure(other.expect_err("it failed"));
    assert_eq!(failure.message(), "out of order");
    assert!(failure.source().is_some());
    for result in [json!({ "tools": [] }), json!(7), json!({ "content": 7 })] {
        let error = answered(tool("t"), result.clone()).await;
        assert!(
            matches!(error, Err(DispatchError::Failed(_))),
            "{result}: {error:?}"
        );
    }
    let nothing = answered(tool("t"), json!({}))
        .await
        .expect("it is an output");
    assert_eq!(nothing.as_content(), Some(&[][..]));
}
