//! A registry that is served to a test, and a client that speaks JSON-RPC by hand: what it says,
//! no library would.

use std::sync::Arc;
use std::time::Duration;

use callboard::mcp::{Lifecycle, McpServer, McpService};
use callboard::{
    CapabilityRegistry, Content, Elicited, LogLevel, PeerError, Progress, Registry, SampleMessage,
    SampleRequest, ToolCallContext, ToolFailure, ToolOutput, tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::io::{Lines, duplex, split};
use tokio::sync::Semaphore;

use crate::script::within;

/// Both generations of the protocol.
pub(crate) const GENERATIONS: [Lifecycle; 2] = [Lifecycle::Initialize, Lifecycle::Discover];

/// Adds two numbers.
#[tool(read_only, title = "Addition")]
pub(crate) async fn add(left: i64, right: i64) -> i64 {
    left + right
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Order {
    id: String,
    total: u32,
}

/// Finds an order.
#[tool(read_only)]
async fn find_order(id: String) -> Result<Order, ToolFailure> {
    match id.as_str() {
        "none" => Err(ToolFailure::new("there is no such order")),
        "picture" => Err(ToolFailure::new("see the picture")
            .with_output(ToolOutput::content([Content::image([1, 2], "image/png")]))),
        _ => Ok(Order { id, total: 7 }),
    }
}

/// Greets in words.
#[tool(read_only)]
async fn greet(name: String) -> String {
    format!("hello\n{name}")
}

/// Shows one of each.
#[tool(read_only)]
async fn show() -> Vec<Content> {
    vec![
        Content::text("see"),
        Content::image([1u8, 2], "image/png"),
        Content::audio([3u8], "audio/wav"),
        Content::resource_link("file:///a", "a"),
    ]
}

/// Panics.
#[tool]
async fn panics() -> u32 {
    panic!("as asked")
}

/// Takes too long.
#[tool(timeout = "200ms")]
async fn hangs() {
    std::future::pending().await
}

/// Tells how far it is.
#[tool]
async fn steps(#[inject] ctx: &ToolCallContext, count: u32) -> u32 {
    for step in 1..=count {
        ctx.progress(Progress::of(step.into(), count.into()).with_message(format!("step {step}")));
        ctx.log(LogLevel::Debug, "fine");
        ctx.log(LogLevel::Warning, &json!({ "step": step }));
    }
    // Not above the one before: not progress.
    ctx.progress(Progress::new(0.5));
    count
}

#[derive(Deserialize, JsonSchema)]
struct Answer {
    name: String,
}

/// Asks a person.
#[tool]
async fn ask_person(#[inject] ctx: &ToolCallContext) -> Result<String, PeerError> {
    Ok(match ctx.elicit::<Answer>("Who?").await? {
        Elicited::Accept(answer) => format!("it is {}", answer.name),
        Elicited::Decline => "declined".into(),
        Elicited::Cancel => "cancelled".into(),
    })
}

/// Asks a model, and then a person.
#[tool]
async fn ask_both(#[inject] ctx: &ToolCallContext) -> Result<String, PeerError> {
    let sampled = ctx
        .sample(SampleRequest::new([SampleMessage::user("hi")], 9))
        .await?;
    ctx.progress(Progress::new(1.0));
    let said = sampled.message.content[0].as_text().unwrap_or_default();
    let person = ask_person(ctx).await?;
    Ok(format!("{said}; {person}"))
}

/// The trace that a call belongs to.
#[tool]
async fn trace(#[inject] ctx: &ToolCallContext) -> Option<String> {
    ctx.trace().map(|trace| trace.traceparent().to_owned())
}

/// Counts the calls that are in it; they wait for permission.
pub(crate) struct Gate {
    pub(crate) entered: Semaphore,
    pub(crate) left: Semaphore,
    pub(crate) open: Semaphore,
}

impl Gate {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            entered: Semaphore::new(0),
            left: Semaphore::new(0),
            open: Semaphore::new(0),
        })
    }

    /// Waits until so many calls came in.
    pub(crate) async fn entered(&self, calls: u32) {
        within(self.entered.acquire_many(calls))
            .await
            .expect("it is kept")
            .forget();
    }

    /// Waits until so many calls ended, one way or another.
    pub(crate) async fn left(&self, calls: u32) {
        within(self.left.acquire_many(calls))
            .await
            .expect("it is kept")
            .forget();
    }
}

/// Waits at a gate.
#[tool(timeout = "none")]
async fn wait(#[inject] gate: callboard::State<'_, Arc<Gate>>) -> &'static str {
    struct Leaves<'a>(&'a Gate);
    impl Drop for Leaves<'_> {
        fn drop(&mut self) {
            self.0.left.add_permits(1);
        }
    }
    let _leaves = Leaves(&gate);
    gate.entered.add_permits(1);
    let open = gate.open.acquire().await;
    drop(open);
    "waited"
}

/// Everything above; `wait` waits at this gate.
pub(crate) fn builder(gate: &Arc<Gate>) -> CapabilityRegistry {
    let mut reg = CapabilityRegistry::new();
    reg.provide(Arc::clone(gate));
    let mut fill = || {
        reg.register_tool::<Add>()?;
        reg.register_tool::<AskBoth>()?;
        reg.register_tool::<AskPerson>()?;
        reg.register_tool::<FindOrder>()?;
        reg.register_tool::<Greet>()?;
        reg.register_tool::<Hangs>()?;
        reg.register_tool::<Panics>()?;
        reg.register_tool::<Show>()?;
        reg.register_tool::<Steps>()?;
        reg.register_tool::<Trace>()?;
        reg.register_tool::<Wait>().map(drop)
    };
    fill().expect("the names are free");
    reg
}

pub(crate) fn registry() -> Registry {
    builder(&Gate::new()).seal().expect("it seals")
}

/// The server as our own client reaches it: over a pipe in memory.
pub(crate) fn reach(service: &McpService, lifecycle: Lifecycle) -> McpServer {
    let service = service.clone();
    McpServer::transport("served", move || {
        let service = service.clone();
        async move {
            let (ours, theirs) = duplex(64 << 10);
            tokio::spawn(async move { service.serve(theirs).await });
            Ok(ours)
        }
    })
    .with_lifecycle(lifecycle)
    .with_debounce(Duration::from_millis(20))
    .with_backoff(Duration::from_millis(10), Duration::from_millis(50))
}

/// A client by hand.
pub(crate) struct ByHand {
    writer: WriteHalf<DuplexStream>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    /// Capabilities that go with each request; `None` for a client that initialized.
    modern: Option<Value>,
}

impl ByHand {
    /// A connection on which nothing was said.
    pub(crate) fn silent(service: &McpService) -> Self {
        let (ours, theirs) = duplex(64 << 10);
        let service = service.clone();
        tokio::spawn(async move { service.serve(theirs).await });
        let (reader, writer) = split(ours);
        Self {
            writer,
            lines: BufReader::new(reader).lines(),
            modern: None,
        }
    }

    /// A client of 2025-11-25, and what the server said of itself.
    pub(crate) async fn initialized(service: &McpService, capabilities: Value) -> (Self, Value) {
        let mut client = Self::silent(service);
        let about = client
            .ask(
                "initialize",
                json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": capabilities,
                    "clientInfo": { "name": "by hand", "version": "1" },
                }),
            )
            .await;
        client
            .write(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await;
        (client, about["result"].clone())
    }

    /// A client of 2026-07-28.
    pub(crate) fn modern(service: &McpService, capabilities: Value) -> Self {
        Self {
            modern: Some(capabilities),
            ..Self::silent(service)
        }
    }

    pub(crate) async fn write(&mut self, message: Value) {
        let line = format!("{message}\n");
        within(self.writer.write_all(line.as_bytes()))
            .await
            .expect("it reads");
    }

    pub(crate) async fn send(&mut self, id: impl Into<Value>, method: &str, mut params: Value) {
        if let Some(capabilities) = &self.modern {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "by hand", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": capabilities,
            });
            let given = params["_meta"].take();
            params["_meta"] = meta;
            for (key, value) in given.as_object().into_iter().flatten() {
                params["_meta"][key] = value.clone();
            }
        }
        let id: Value = id.into();
        self.write(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .await;
    }

    /// The next message as it was written.
    pub(crate) async fn read_line(&mut self) -> String {
        let line = within(self.lines.next_line()).await;
        line.expect("it writes").expect("a message")
    }

    /// The next message; `None` when the server hung up.
    pub(crate) async fn read(&mut self) -> Option<Value> {
        let line = within(self.lines.next_line()).await.ok()??;
        Some(serde_json::from_str(&line).expect("the server writes JSON"))
    }

    /// The answer to the request with this id; what comes before it is passed over.
    pub(crate) async fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let message = self.read().await.expect("it answers");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send("ask", method, params).await;
        self.answer("ask").await
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
        .await
    }
}
