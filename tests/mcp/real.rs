//! Servers that others wrote, as they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use callboard::mcp::{McpConnection, McpEvent, McpServer, Naming, connect_all};
use callboard::{
    BoxFuture, Bridge, CallPeer, CapabilityRegistry, ComponentKind, Content, DispatchError,
    ElicitRequest, Elicited, LiveRegistry, LogMessage, PeerError, PeerSupport, Progress, Registry,
    RegistryEntry, ResourceBody, SampleRequest, Sampled, ToolOutput,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::common::ctx;
use crate::peers::{self, Peer};
use crate::script::{connect, event, observed, registry_of, within};

/// Who answers what server-everything asks.
#[derive(Default)]
struct Host {
    told: Mutex<Vec<Progress>>,
    log: Mutex<Vec<LogMessage>>,
    logged: Notify,
}

impl CallPeer for Host {
    fn support(&self) -> PeerSupport {
        PeerSupport::NONE.with_elicitation(true).with_sampling(true)
    }

    fn progress(&self, progress: Progress) {
        self.told.lock().expect("no panics").push(progress);
    }

    fn log(&self, message: LogMessage) {
        self.log.lock().expect("no panics").push(message);
        self.logged.notify_one();
    }

    fn elicit(&self, request: ElicitRequest) -> BoxFuture<'_, Result<Elicited<Value>, PeerError>> {
        Box::pin(async move {
            assert_eq!(request.schema["type"], "object");
            assert_eq!(request.schema["properties"]["check"]["type"], "boolean");
            Ok(Elicited::Accept(
                json!({ "name": "Ada Lovelace", "check": true }),
            ))
        })
    }

    fn sample(&self, request: SampleRequest) -> BoxFuture<'_, Result<Sampled, PeerError>> {
        Box::pin(async move {
            let heard = request.messages[0].content[0].as_text().unwrap_or_default();
            assert_eq!(request.max_tokens, 12);
            Ok(Sampled::new(
                "parrot-1",
                [Content::text(format!("It says: {heard}"))],
            ))
        })
    }
}

async fn call(
    registry: &Registry,
    name: &str,
    arguments: Value,
) -> Result<ToolOutput, DispatchError> {
    within(registry.dispatch(name, &arguments.to_string(), &ctx())).await
}

async fn done(registry: &Registry, name: &str, arguments: Value) -> ToolOutput {
    call(registry, name, arguments)
        .await
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The rows are what the server lists, and their schemas to the letter.
fn assert_is_listed(connection: &McpConnection, listed: &BTreeMap<String, Value>) {
    let registry = registry_of(connection);
    let names: Vec<_> = listed.keys().map(String::as_str).collect();
    assert_eq!(registry.names(ComponentKind::Tool), names);
    for row in registry.tools() {
        let tool = &listed[row.name()];
        let name = row.name();
        assert_eq!(row.input_schema(), &tool["inputSchema"], "{name}");
        assert_eq!(row.output_schema(), tool.get("outputSchema"), "{name}");
        assert_eq!(
            Some(row.description()),
            tool["description"].as_str(),
            "{name}"
        );
        let RegistryEntry::Mcp(entry) = row else {
            panic!("{row:?}")
        };
        assert_eq!(
            json!(entry.claims().read_only),
            tool["annotations"]["readOnlyHint"],
            "{name}"
        );
        assert_eq!(
            entry.capabilities().output_schema,
            tool.get("outputSchema").is_some(),
            "{name}"
        );
        assert!(
            entry.capabilities().notes.is_empty(),
            "{name}: {:?}",
            entry.capabilities().notes
        );
        assert!(
            !row.policy().read_only && row.policy().timeout.is_some(),
            "{name}"
        );
    }
}

/// What a client that can be asked is shown: a tool for each sort of question more.
const EVERYTHING: usize = 15;

async fn everything(server: McpServer, peer: &Peer, bridge: Bridge) {
    let host = Arc::new(Host::default());
    let (server, mut events) = observed(server.with_peer(Arc::clone(&host) as _));
    let connection = connect(server).await;
    // It lists some of its tools only once it knows the client.
    while connection.tools().len() < EVERYTHING {
        event(&mut events, |event| {
            matches!(event, McpEvent::ToolsChanged { .. }).then_some(())
        })
        .await;
    }
    let asked = json!({ "elicitation": { "form": {} }, "sampling": {} });
    assert_is_listed(&connection, &peer.listed(&asked, EVERYTHING));
    assert_eq!(connection.protocol().as_deref(), Some("2025-11-25"));
    assert!(
        connection
            .instructions()
            .is_some_and(|words| words.starts_with("# Everything Server"))
    );
    assert!(
        connection
            .tools()
            .iter()
            .all(|tool| tool.capabilities().bridge == bridge)
    );

    let registry = registry_of(&connection);
    let echoed = done(&registry, "echo", json!({ "message": "héllo\n" })).await;
    assert_eq!(echoed.to_text(), "Echo: héllo\n");
    let sum = done(&registry, "get-sum", json!({ "a": 2, "b": 40.5 })).await;
    assert!(sum.to_text().contains("42.5"), "{}", sum.to_text());
    let image = done(&registry, "get-tiny-image", json!({})).await;
    let is_png = |piece: &Content| matches!(piece, Content::Image { data, mime_type } if mime_type == "image/png" && data.starts_with(b"\x89PNG"));
    assert!(
        image.as_content().expect("content").iter().any(is_png),
        "{image:?}"
    );
    let links = done(&registry, "get-resource-links", json!({ "count": 3 })).await;
    let is_link = |piece: &&Content| matches!(piece, Content::ResourceLink { uri, .. } if uri.starts_with("demo://"));
    assert_eq!(
        links
            .as_content()
            .expect("content")
            .iter()
            .filter(is_link)
            .count(),
        3
    );
    let reference = json!({ "resourceType": "Text", "resourceId": 1 });
    let resource = done(&registry, "get-resource-reference", reference).await;
    let is_resource = |piece: &Content| matches!(piece, Content::Resource { body: ResourceBody::Text(text), .. } if !text.is_empty());
    assert!(
        resource
            .as_content()
            .expect("content")
            .iter()
            .any(is_resource),
        "{resource:?}"
    );
    let zipped = json!({ "name": "a.gz", "data": "data:text/plain,hi", "outputType": "resource" });
    let zipped = done(&registry, "gzip-file-as-resource", zipped).await;
    let is_gzip = |piece: &Content| matches!(piece, Content::Resource { body: ResourceBody::Bytes(bytes), .. } if bytes.starts_with(&[0x1f, 0x8b]));
    assert!(
        zipped.as_content().expect("content").iter().any(is_gzip),
        "{zipped:?}"
    );
    let updates = done(&registry, "toggle-subscriber-updates", json!({})).await;
    assert!(updates.to_text().starts_with("Started"), "{updates:?}");
    done(&registry, "toggle-subscriber-updates", json!({})).await;
    // It logs something of its choice at once.
    done(&registry, "toggle-simulated-logging", json!({})).await;
    within(host.logged.notified()).await;
    done(&registry, "toggle-simulated-logging", json!({})).await;
    {
        let log = host.log.lock().expect("no panics");
        let words = log[0].data.as_str().expect("a text").to_lowercase();
        assert!(words.starts_with(log[0].level.as_str()), "{log:?}");
    }
    let weather = done(
        &registry,
        "get-structured-content",
        json!({ "location": "Chicago" }),
    )
    .await;
    let structured: Value = serde_json::from_str(weather.as_json().expect("JSON")).expect("JSON");
    assert_eq!(
        structured,
        json!({ "temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82 })
    );
    let annotated = json!({ "messageType": "error", "includeImage": true });
    let annotated = done(&registry, "get-annotated-message", annotated).await;
    assert_eq!(annotated.as_content().expect("content").len(), 2);
    let asked = done(&registry, "trigger-elicitation-request", json!({})).await;
    assert!(
        asked.to_text().contains("Ada Lovelace"),
        "{}",
        asked.to_text()
    );
    let sampled = json!({ "prompt": "boo", "maxTokens": 12 });
    let sampled = done(&registry, "trigger-sampling-request", sampled).await;
    assert!(
        sampled
            .to_text()
            .contains("It says: Resource trigger-sampling-request context: boo"),
        "{}",
        sampled.to_text()
    );

    // Progress, in order, to whoever called.
    let told = Arc::new(Host::default());
    let listening = ctx().with_peer(Arc::clone(&told) as _);
    let steps = r#"{"duration":0.4,"steps":4}"#;
    within(registry.dispatch("trigger-long-running-operation", steps, &listening))
        .await
        .expect("it comes to an end");
    let expected: Vec<_> = (1..=4).map(|step| Progress::of(step.into(), 4.0)).collect();
    assert_eq!(*told.told.lock().expect("no panics"), expected);
    assert!(host.told.lock().expect("no panics").is_empty());
    // What takes too long is left, and the next call is served.
    let hurried = ctx().with_time_limit(Duration::from_millis(200));
    let late = registry.dispatch(
        "trigger-long-running-operation",
        r#"{"duration":60}"#,
        &hurried,
    );
    let late = within(late).await;
    assert!(
        matches!(late, Err(DispatchError::TimedOut { .. })),
        "{late:?}"
    );
    let wrong = call(&registry, "echo", json!({ "message": 7 }))
        .await
        .expect_err("a number");
    assert!(
        wrong.for_model().contains("message"),
        "{}",
        wrong.for_model()
    );
    // It can only be called as a task, which callboard doesn't do.
    let task = call(
        &registry,
        "simulate-research-query",
        json!({ "topic": "x" }),
    )
    .await;
    assert!(matches!(task, Err(DispatchError::Failed(_))), "{task:?}");
    let echoed = done(&registry, "echo", json!({ "message": "still here" })).await;
    assert_eq!(echoed.to_text(), "Echo: still here");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_over_pipes() {
    let Some(peer) = peers::npm("server-everything") else {
        return;
    };
    let server = McpServer::stdio("everything", peer.clone().env("GREETING", "hi").command());
    everything(server.clone(), &peer, Bridge::Stdio).await;
    // It sees what a program needs, what the host names, and nothing else of this process.
    let registry = registry_of(&connect(server).await);
    let environment = done(&registry, "get-env", json!({})).await;
    let environment: BTreeMap<String, String> =
        serde_json::from_str(&environment.to_text()).expect("an object");
    assert_eq!(environment.get("GREETING").map(String::as_str), Some("hi"));
    assert!(environment.contains_key("PATH"));
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert!(
        !environment.contains_key("CARGO_MANIFEST_DIR"),
        "{environment:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_over_http_and_back_again() {
    let Some(peer) = peers::npm("server-everything") else {
        return;
    };
    let port = peers::free_port();
    let served = peer.serve(port);
    let server = McpServer::http("everything", &*format!("http://127.0.0.1:{port}/mcp"));
    everything(server.clone(), &peer, Bridge::Http).await;

    let server = server.with_backoff(Duration::from_millis(50), Duration::from_millis(200));
    let (server, mut events) = observed(server);
    let registry = registry_of(&connect(server).await);
    done(&registry, "echo", json!({ "message": "before" })).await;
    drop(served);
    let away = call(&registry, "echo", json!({ "message": "away" })).await;
    assert!(
        matches!(away, Err(DispatchError::Disconnected { .. })),
        "{away:?}"
    );
    event(&mut events, |event| {
        matches!(event, McpEvent::Disconnected { .. }).then_some(())
    })
    .await;
    let _served = peer.serve(port);
    event(&mut events, |event| {
        matches!(event, McpEvent::Connected { .. }).then_some(())
    })
    .await;
    let back = done(&registry, "echo", json!({ "message": "back" })).await;
    assert_eq!(back.to_text(), "Echo: back");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_memory_remembers() {
    let Some(peer) = peers::npm("server-memory") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("memory.jsonl");
    let peer = peer.env("MEMORY_FILE_PATH", &file);
    let server = McpServer::stdio("memory", peer.command());
    let connection = connect(server.clone()).await;
    assert_is_listed(&connection, &peer.listed(&json!({}), 9));
    let registry = registry_of(&connection);
    let ada = json!({ "entities": [{ "name": "Ada", "entityType": "person", "observations": ["counts"] }] });
    let created = done(&registry, "create_entities", ada).await;
    let created: Value = serde_json::from_str(created.as_json().expect("JSON")).expect("JSON");
    assert_eq!(created["entities"][0]["name"], "Ada");
    let more = json!({ "observations": [{ "entityName": "Ada", "contents": ["writes"] }] });
    done(&registry, "add_observations", more).await;
    within(connection.close()).await;
    // Another process reads what this one wrote.
    assert!(
        std::fs::read_to_string(&file)
            .expect("it is there")
            .contains("Ada")
    );
    let registry = registry_of(&connect(server).await);
    let graph = done(&registry, "read_graph", json!({})).await;
    let graph: Value = serde_json::from_str(graph.as_json().expect("JSON")).expect("JSON");
    assert_eq!(
        graph["entities"][0]["observations"],
        json!(["counts", "writes"])
    );
    let missing = json!({ "observations": [{ "entityName": "Bob", "contents": ["x"] }] });
    let missing = call(&registry, "add_observations", missing)
        .await
        .expect_err("nobody");
    assert!(
        missing.for_model().contains("Bob"),
        "{}",
        missing.for_model()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn server_filesystem_writes_and_reads_back() {
    let Some(peer) = peers::npm("server-filesystem") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it is there");
    let peer = peer.arg(&root);
    let connection = connect(McpServer::stdio("files", peer.command())).await;
    assert_is_listed(&connection, &peer.listed(&json!({}), 14));
    let registry = registry_of(&connection);
    let path = root.join("notes.txt");
    let words = "one\nzwei\n三\n";
    done(
        &registry,
        "write_file",
        json!({ "path": path, "content": words }),
    )
    .await;
    assert_eq!(
        std::fs::read_to_string(&path).expect("it was written"),
        words
    );
    let read = done(&registry, "read_text_file", json!({ "path": path })).await;
    assert_eq!(read.to_text(), words);
    let structured: Value = serde_json::from_str(read.as_json().expect("JSON")).expect("JSON");
    assert_eq!(structured["content"], words);
    let edit = json!({ "path": path, "edits": [{ "oldText": "zwei", "newText": "two" }] });
    done(&registry, "edit_file", edit).await;
    assert_eq!(
        std::fs::read_to_string(&path).expect("it is there"),
        words.replace("zwei", "two")
    );
    let outside = call(
        &registry,
        "read_text_file",
        json!({ "path": "/etc/hostname" }),
    )
    .await;
    let outside = outside.expect_err("it is outside").for_model();
    assert!(outside.contains("Access denied"), "{outside}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mcp_server_time_speaks_the_protocol_of_2026() {
    let Some(peer) = peers::pip("mcp-server-time") else {
        return;
    };
    let connection = connect(McpServer::stdio("time", peer.command())).await;
    assert_eq!(connection.protocol().as_deref(), Some("2026-07-28"));
    assert_is_listed(&connection, &peer.listed(&json!({}), 2));
    let registry = registry_of(&connection);
    let noon = json!({ "source_timezone": "Europe/Warsaw", "time": "12:00", "target_timezone": "Asia/Tokyo" });
    let converted = done(&registry, "convert_time", noon).await;
    let converted = converted.to_text();
    assert!(converted.contains("Asia/Tokyo"), "{converted}");
    // Warsaw has summer time, and Tokyo none.
    assert!(
        converted.contains("+7.0h") || converted.contains("+8.0h"),
        "{converted}"
    );
    let nowhere = json!({ "timezone": "Nowhere/Land" });
    let nowhere = call(&registry, "get_current_time", nowhere).await;
    let nowhere = nowhere.expect_err("no such place").for_model();
    assert!(nowhere.contains("Nowhere/Land"), "{nowhere}");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_servers_are_one_registry() {
    let (Some(memory), Some(files), Some(time)) = (
        peers::npm("server-memory"),
        peers::npm("server-filesystem"),
        peers::pip("mcp-server-time"),
    ) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let memory = memory.env("MEMORY_FILE_PATH", folder.path().join("memory.jsonl"));
    let servers = [
        McpServer::stdio("memory", memory.command()),
        McpServer::stdio("files", files.arg(folder.path()).command()),
        McpServer::stdio("time", time.command()),
    ];
    let live = CapabilityRegistry::new().seal().expect("it seals");
    let live = Arc::new(LiveRegistry::new(live));
    let namespaced = servers.map(|server| server.with_naming(Naming::Namespaced));
    let mut connections = Vec::new();
    for connection in within(connect_all(namespaced)).await {
        let connection = connection.expect("it connects");
        connection.publish_into(&live).expect("the names are free");
        connections.push(connection);
    }
    let registry = live.current();
    assert_eq!(
        (registry.version(), registry.tools().len()),
        (4, 9 + 14 + 2)
    );
    done(&registry, "memory.read_graph", json!({})).await;
    done(
        &registry,
        "files.list_directory",
        json!({ "path": folder.path() }),
    )
    .await;
    done(
        &registry,
        "time.get_current_time",
        json!({ "timezone": "Asia/Tokyo" }),
    )
    .await;
}
