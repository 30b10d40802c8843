//! A server that does what a test's script says, over a pipe in memory. It speaks JSON-RPC by
//! hand: what it has to do, no library would.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use callboard::mcp::{McpConnection, McpEvent, McpServer};
use callboard::{CapabilityRegistry, Registry};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, WriteHalf};
use tokio::sync::{Notify, mpsc, watch};

/// What the server does with a request.
pub(crate) enum Reply {
    Result(Value),
    Error(i64, &'static str),
    /// Writes these bytes, and a line break.
    Raw(Vec<u8>),
    /// The result comes later; other requests are answered meanwhile.
    After(Duration, Value),
    Silence,
    /// Writes these messages, then the result.
    First(Vec<Value>, Value),
    /// Dies.
    HangUp,
}

type Answers = dyn FnMut(&Value) -> Option<Reply> + Send;

/// The server, as the test holds it.
#[derive(Clone)]
pub(crate) struct Script {
    inner: Arc<Inner>,
}

struct Inner {
    tools: Mutex<Vec<Value>>,
    answers: Mutex<Box<Answers>>,
    heard: Mutex<Vec<Value>>,
    hears: Notify,
    wire: watch::Sender<Option<Wire>>,
    is_up: AtomicBool,
    is_modern: bool,
    connections: AtomicUsize,
}

#[derive(Clone)]
struct Wire {
    writer: Arc<tokio::sync::Mutex<Option<WriteHalf<DuplexStream>>>>,
}

impl Wire {
    async fn write(&self, bytes: &[u8]) {
        if let Some(writer) = self.writer.lock().await.as_mut() {
            let _ = writer.write_all(bytes).await;
            let _ = writer.write_all(b"\n").await;
        }
    }

    async fn send(&self, message: &Value) {
        self.write(message.to_string().as_bytes()).await;
    }
}

/// A tool without parameters.
pub(crate) fn tool(name: &str) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" } })
}

pub(crate) fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

pub(crate) fn method(message: &Value) -> &str {
    message["method"].as_str().unwrap_or_default()
}

/// The notice that the list of tools changed.
pub(crate) fn list_changed() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" })
}

impl Script {
    pub(crate) fn new(tools: impl IntoIterator<Item = Value>) -> Self {
        Self::of(tools, false)
    }

    /// A server of 2026-07-28.
    pub(crate) fn modern(tools: impl IntoIterator<Item = Value>) -> Self {
        Self::of(tools, true)
    }

    fn of(tools: impl IntoIterator<Item = Value>, is_modern: bool) -> Self {
        Self {
            inner: Arc::new(Inner {
                tools: Mutex::new(tools.into_iter().collect()),
                answers: Mutex::new(Box::new(|_| None)),
                heard: Mutex::default(),
                hears: Notify::new(),
                wire: watch::Sender::new(None),
                is_up: AtomicBool::new(true),
                is_modern,
                connections: AtomicUsize::new(0),
            }),
        }
    }

    /// Sets what it does with requests, where that isn't the usual.
    pub(crate) fn on(self, answers: impl FnMut(&Value) -> Option<Reply> + Send + 'static) -> Self {
        *self.inner.answers.lock().expect("no panics") = Box::new(answers);
        self
    }

    /// As [`on`](Self::on), for calls of tools alone.
    pub(crate) fn on_call(self, mut answer: impl FnMut(&Value) -> Reply + Send + 'static) -> Self {
        self.on(move |message| (method(message) == "tools/call").then(|| answer(message)))
    }

    pub(crate) fn set_tools(&self, tools: impl IntoIterator<Item = Value>) {
        *self.inner.tools.lock().expect("no panics") = tools.into_iter().collect();
    }

    pub(crate) fn set_up(&self, is_up: bool) {
        self.inner.is_up.store(is_up, Ordering::SeqCst);
    }

    pub(crate) fn connections(&self) -> usize {
        self.inner.connections.load(Ordering::SeqCst)
    }

    /// The messages with this method that it heard so far.
    pub(crate) fn heard(&self, wanted: &str) -> Vec<Value> {
        let heard = self.inner.heard.lock().expect("no panics");
        heard
            .iter()
            .filter(|message| method(message) == wanted)
            .cloned()
            .collect()
    }

    /// Everything that it heard so far.
    pub(crate) fn heard_all(&self) -> Vec<Value> {
        self.inner.heard.lock().expect("no panics").clone()
    }

    /// Waits until it has heard so many messages with this method.
    pub(crate) async fn hears(&self, wanted: &str, count: usize) -> Vec<Value> {
        within(async {
            loop {
                let more = self.inner.hears.notified();
                let heard = self.heard(wanted);
                if heard.len() >= count {
                    return heard;
                }
                more.await;
            }
        })
        .await
    }

    /// Writes a message, in the connection of now.
    pub(crate) async fn push(&self, message: Value) {
        let wire = self.inner.wire.borrow().clone();
        wire.expect("it is connected").send(&message).await;
    }

    /// Waits until the connection of now is closed by the other side.
    pub(crate) async fn is_left(&self) {
        let mut wire = self.inner.wire.subscribe();
        within(async {
            wire.wait_for(Option::is_none).await.expect("it is kept");
        })
        .await;
    }

    /// The server as a host describes it, in a hurry.
    pub(crate) fn server(&self, id: &str) -> McpServer {
        let inner = Arc::clone(&self.inner);
        McpServer::transport(id, move || {
            let inner = Arc::clone(&inner);
            async move {
                if !inner.is_up.load(Ordering::SeqCst) {
                    return Err(std::io::Error::other("nobody is there"));
                }
                let (ours, theirs) = tokio::io::duplex(64 << 10);
                inner.connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(inner, theirs));
                Ok(ours)
            }
        })
        .with_connect_timeout(Duration::from_secs(10))
        .with_debounce(Duration::from_millis(20))
        .with_backoff(Duration::from_millis(10), Duration::from_millis(50))
    }

    /// Connects under the id `remote`.
    pub(crate) async fn connect(&self) -> McpConnection {
        connect(self.server("remote")).await
    }

    /// A registry with its tools alone; the connection lives as long as the rows do.
    pub(crate) async fn registry(&self) -> Registry {
        registry_of(&self.connect().await)
    }
}

pub(crate) async fn connect(server: McpServer) -> McpConnection {
    within(server.connect()).await.expect("it connects")
}

pub(crate) fn registry_of(connection: &McpConnection) -> Registry {
    let mut reg = CapabilityRegistry::new();
    reg.register_mcp(connection.tools())
        .expect("the names are free");
    reg.seal().expect("it seals")
}

/// A server whose events can be waited for.
pub(crate) fn observed(server: McpServer) -> (McpServer, mpsc::UnboundedReceiver<McpEvent>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let server = server.on_event(move |event| {
        let _ = sender.send(event);
    });
    (server, receiver)
}

/// The first event that `wanted` makes something of.
pub(crate) async fn event<T>(
    events: &mut mpsc::UnboundedReceiver<McpEvent>,
    mut wanted: impl FnMut(McpEvent) -> Option<T>,
) -> T {
    within(async {
        loop {
            let event = events.recv().await.expect("the connection lives");
            if let Some(found) = wanted(event) {
                return found;
            }
        }
    })
    .await
}

/// Fails rather than hang.
pub(crate) async fn within<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(60), future)
        .await
        .expect("it doesn't hang")
}

async fn serve(inner: Arc<Inner>, stream: DuplexStream) {
    let (reader, writer) = tokio::io::split(stream);
    let wire = Wire {
        writer: Arc::new(tokio::sync::Mutex::new(Some(writer))),
    };
    inner.wire.send_replace(Some(wire.clone()));
    let mut lines = BufReader::new(reader).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let message: Value = serde_json::from_str(&line).expect("the client writes JSON");
        inner.heard.lock().expect("no panics").push(message.clone());
        inner.hears.notify_waiters();
        if message.get("method").is_none() || message.get("id").is_none() {
            continue;
        }
        let scripted = (inner.answers.lock().expect("no panics"))(&message);
        let reply = match scripted {
            Some(reply) => reply,
            None => usual(&inner, &wire, &message).await,
        };
        let answer =
            |result: Value| json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
        match reply {
            Reply::Result(result) => wire.send(&answer(result)).await,
            Reply::Error(code, words) => {
                let error = json!({ "code": code, "message": words });
                wire.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }))
                    .await;
            }
            Reply::Raw(bytes) => {
                // Meanwhile it hears, or both sides would wait for room in the pipe.
                let wire = wire.clone();
                tokio::spawn(async move { wire.write(&bytes).await });
            }
            Reply::After(delay, result) => {
                let (wire, late) = (wire.clone(), answer(result));
                tokio::spawn(async move {
                    tokio::time::sleep(delay).await;
                    wire.send(&late).await;
                });
            }
            Reply::First(messages, result) => {
                for first in messages {
                    wire.send(&first).await;
                }
                wire.send(&answer(result)).await;
            }
            Reply::Silence => {}
            Reply::HangUp => break,
        }
    }
    *wire.writer.lock().await = None;
    inner.wire.send_if_modified(|now| {
        let is_ours = now
            .as_ref()
            .is_some_and(|now| Arc::ptr_eq(&now.writer, &wire.writer));
        if is_ours {
            *now = None;
        }
        is_ours
    });
}

async fn usual(inner: &Inner, wire: &Wire, message: &Value) -> Reply {
    let capabilities = json!({ "tools": { "listChanged": true }, "logging": {} });
    match method(message) {
        "server/discover" if inner.is_modern => Reply::Result(json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": capabilities,
            "ttlMs": 0,
            "cacheScope": "private",
        })),
        "initialize" => Reply::Result(json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": capabilities,
            "serverInfo": { "name": "script", "version": "1" },
            "instructions": "Ask nicely.",
        })),
        "tools/list" => Reply::Result(json!({ "tools": *inner.tools.lock().expect("no panics") })),
        "tools/call" => {
            let name = message["params"]["name"].as_str().unwrap_or_default();
            Reply::Result(text(&format!("{name} was called")))
        }
        "subscriptions/listen" => {
            wire.send(&json!({
                "jsonrpc": "2.0",
                "method": "notifications/subscriptions/acknowledged",
                "params": {
                    "_meta": { "io.modelcontextprotocol/subscriptionId": message["id"] },
                    "notifications": message["params"]["notifications"],
                },
            }))
            .await;
            Reply::Silence
        }
        _ => Reply::Error(-32601, "no such method"),
    }
}
