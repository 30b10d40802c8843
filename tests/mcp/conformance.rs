//! The protocol's own suite for servers, against a registry that is served over HTTP.

use std::process::Command;
use std::time::Duration;

use callboard::mcp::McpService;
use callboard::{
    CapabilityRegistry, Content, ElicitRequest, Elicited, LogLevel, PeerError, Progress,
    ResourceBody, SampleMessage, SampleRequest, ToolCallContext, ToolFailure, tool,
};
use serde_json::{Value, json};

use crate::peers;
use crate::script::Script;
use crate::served_http::serve;

/// What the suite doesn't find here, and why; everything else has to pass.
///
/// - Resources, prompts and completions: a registry has tools alone.
/// - `server-sse-polling`: its tool closes the stream of its own call, which a tool here can't: it
///   doesn't know over what it was called.
const OUT: &str = "server:
  - completion-complete
  - prompts-get-embedded-resource
  - prompts-get-simple
  - prompts-get-with-args
  - prompts-get-with-image
  - prompts-list
  - resources-list
  - resources-read-binary
  - resources-read-text
  - resources-subscribe
  - resources-templates-read
  - resources-unsubscribe
  - server-sse-polling
";

const PNG: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

fn resource(uri: &str, mime_type: &str, text: &str) -> Content {
    Content::Resource {
        uri: uri.into(),
        mime_type: Some(mime_type.into()),
        body: ResourceBody::Text(text.into()),
    }
}

/// Text.
#[tool]
async fn test_simple_text() -> String {
    "This is a simple text response for testing.".into()
}

/// A picture.
#[tool]
async fn test_image_content() -> Content {
    Content::image(PNG, "image/png")
}

/// A sound.
#[tool]
async fn test_audio_content() -> Content {
    Content::audio(*b"RIFF", "audio/wav")
}

/// A resource.
#[tool]
async fn test_embedded_resource() -> Content {
    let text = "This is an embedded resource content.";
    resource("test://embedded-resource", "text/plain", text)
}

/// One of each.
#[tool]
async fn test_multiple_content_types() -> Vec<Content> {
    let text = r#"{"test":"data","value":123}"#;
    vec![
        Content::text("Multiple content types test:"),
        Content::image(PNG, "image/png"),
        resource("test://mixed-content-resource", "application/json", text),
    ]
}

/// Messages.
#[tool]
async fn test_tool_with_logging(#[inject] ctx: &ToolCallContext) -> &'static str {
    ctx.log(LogLevel::Info, "Tool execution started");
    tokio::time::sleep(Duration::from_millis(50)).await;
    ctx.log(LogLevel::Info, "Tool processing data");
    tokio::time::sleep(Duration::from_millis(50)).await;
    ctx.log(LogLevel::Info, "Tool execution completed");
    "done"
}

/// A failure.
#[tool]
async fn test_error_handling() -> Result<(), ToolFailure> {
    let words = "This tool intentionally returns an error for testing";
    Err(ToolFailure::new(words))
}

/// Progress.
#[tool]
async fn test_tool_with_progress(#[inject] ctx: &ToolCallContext) -> &'static str {
    for done in [0.0, 50.0, 100.0] {
        ctx.progress(Progress::of(done, 100.0));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "done"
}

/// A question for a model.
#[tool]
async fn test_sampling(
    #[inject] ctx: &ToolCallContext,
    prompt: String,
) -> Result<String, PeerError> {
    let request = SampleRequest::new([SampleMessage::user(prompt)], 100);
    let sampled = ctx.sample(request).await?;
    let said = sampled.message.content.iter().find_map(Content::as_text);
    Ok(format!("LLM response: {}", said.unwrap_or_default()))
}

async fn elicit(ctx: &ToolCallContext, message: &str, schema: Value) -> Result<String, PeerError> {
    let peer = ctx.peer().ok_or(PeerError::Unavailable)?;
    Ok(
        match peer.elicit(ElicitRequest::new(message, schema)).await? {
            Elicited::Accept(content) => format!("action=accept, content={content}"),
            Elicited::Decline => "action=decline".into(),
            Elicited::Cancel => "action=cancel".into(),
        },
    )
}

/// A question for a person.
#[tool]
async fn test_elicitation(
    #[inject] ctx: &ToolCallContext,
    message: String,
) -> Result<String, PeerError> {
    let schema = json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        },
        "required": ["username", "email"],
    });
    Ok(format!(
        "User response: {}",
        elicit(ctx, &message, schema).await?
    ))
}

/// A form with defaults.
#[tool]
async fn test_elicitation_sep1034_defaults(
    #[inject] ctx: &ToolCallContext,
) -> Result<String, PeerError> {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": { "type": "boolean", "default": true },
        },
    });
    let done = elicit(ctx, "Well?", schema).await?;
    Ok(format!("Elicitation completed: {done}"))
}

/// A form with choices of each sort.
#[tool]
async fn test_elicitation_sep1330_enums(
    #[inject] ctx: &ToolCallContext,
) -> Result<String, PeerError> {
    let titled = |words: &str| {
        json!([
            { "const": "value1", "title": format!("First {words}") },
            { "const": "value2", "title": format!("Second {words}") },
            { "const": "value3", "title": format!("Third {words}") },
        ])
    };
    let options = json!(["option1", "option2", "option3"]);
    let schema = json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {
                "type": "array",
                "items": { "type": "string", "enum": options },
            },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        },
    });
    let done = elicit(ctx, "Well?", schema).await?;
    Ok(format!("Elicitation completed: {done}"))
}

/// The tools that the suite looks for; the one whose schema has to survive comes from a server.
async fn builder() -> CapabilityRegistry {
    let script = Script::new([json!({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "type": "object",
                    "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
                },
            },
            "properties": {
                "name": { "type": "string" },
                "address": { "$ref": "#/$defs/address" },
            },
            "additionalProperties": false,
        },
    })]);
    let mut reg = script.registry().await.to_builder();
    let mut fill = || {
        reg.register_tool::<TestSimpleText>()?;
        reg.register_tool::<TestImageContent>()?;
        reg.register_tool::<TestAudioContent>()?;
        reg.register_tool::<TestEmbeddedResource>()?;
        reg.register_tool::<TestMultipleContentTypes>()?;
        reg.register_tool::<TestToolWithLogging>()?;
        reg.register_tool::<TestErrorHandling>()?;
        reg.register_tool::<TestToolWithProgress>()?;
        reg.register_tool::<TestSampling>()?;
        reg.register_tool::<TestElicitation>()?;
        reg.register_tool::<TestElicitationSep1034Defaults>()?;
        reg.register_tool::<TestElicitationSep1330Enums>().map(drop)
    };
    fill().expect("the names are free");
    reg
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_protocols_own_suite_passes() {
    let Some((node, suite)) = peers::conformance() else {
        return;
    };
    let registry = builder().await.seal().expect("it seals");
    let port = serve(&McpService::new(registry)).await.port();
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.yml");
    std::fs::write(&out, OUT).expect("it is written");
    let output = tokio::task::spawn_blocking(move || {
        Command::new(node)
            .arg(suite)
            .args(["server", "--suite", "all", "--url"])
            .arg(format!("http://localhost:{port}/mcp"))
            .arg("--expected-failures")
            .arg(out)
            .arg("--output-dir")
            .arg(folder.path())
            .output()
    })
    .await
    .expect("no panics")
    .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
