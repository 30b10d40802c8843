//! A server, as the host describes it before it connects.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::transport::IntoTransport;

use super::error::McpEvent;
use super::transport::{Connector, custom, http, stdio};
use crate::tool::{Bridge, CallPeer, PeerSupport, ToolPolicy};

/// From the server's name of a tool to the one here; `None` leaves the tool out.
type NameHere = dyn Fn(&str) -> Option<String> + Send + Sync;

/// How a server's tools are called here. What the server hears is always its own name.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Naming {
    /// As the server calls them.
    #[default]
    AsTheyAre,
    /// Below the server's id: `files.read`. OpenAI and Anthropic refuse names with a `.`: for
    /// their models, write `files_read` with [`Naming::by`].
    Namespaced,
    /// As the host says; a tool that gets no name is left out.
    By(Arc<NameHere>),
}

impl Naming {
    /// By a function from the server's name to the one here; `None` leaves the tool out.
    ///
    /// ```
    /// use callboard::mcp::Naming;
    ///
    /// let reading = Naming::by(|name| {
    ///     name.starts_with("read_").then(|| format!("docs.{name}"))
    /// });
    /// # let _ = reading;
    /// ```
    pub fn by(name: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self::By(Arc::new(name))
    }

    pub(super) fn name(&self, server_id: &str, wire_name: &str) -> Option<String> {
        match self {
            Self::AsTheyAre => Some(wire_name.to_owned()),
            Self::Namespaced => Some(format!("{server_id}.{wire_name}")),
            Self::By(name) => name(wire_name),
        }
    }
}

impl fmt::Debug for Naming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AsTheyAre => "AsTheyAre",
            Self::Namespaced => "Namespaced",
            Self::By(_) => "By",
        })
    }
}

/// How a connection begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lifecycle {
    /// By `server/discover` (2026-07-28), and by `initialize` where the server doesn't know that,
    /// or says nothing for ten seconds.
    #[default]
    Auto,
    /// By `initialize`: 2025-11-25 and older.
    Initialize,
    /// By `server/discover`: 2026-07-28.
    Discover,
}

/// The most that is taken from a server. What is above is refused, and never cut off.
///
/// ```
/// use callboard::mcp::McpLimits;
///
/// let mut limits = McpLimits::default();
/// limits.tools = 50;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpLimits {
    /// Tools in the list; 1,000 unless set.
    pub tools: usize,
    /// Pages of the list; 100 unless set.
    pub pages: usize,
    /// Bytes of the whole list, as JSON; 4 MiB unless set.
    pub list_bytes: usize,
    /// Bytes of one description; 16 KiB unless set.
    pub description_bytes: usize,
    /// Levels of one tool's definition; 64 unless set, and never above 120.
    pub depth: usize,
    /// Bytes of one message over HTTP; 16 MiB unless set. Over pipes, and over transports of
    /// rmcp's in general, it is 16 MiB.
    pub message_bytes: usize,
}

impl Default for McpLimits {
    fn default() -> Self {
        Self {
            tools: 1_000,
            pages: 100,
            list_bytes: 4 << 20,
            description_bytes: 16 << 10,
            depth: 64,
            message_bytes: 16 << 20,
        }
    }
}

/// A program that is a server, and speaks through its pipes.
///
/// Of this program's environment it sees `PATH`, `HOME`, and the like; every other variable only
/// where [`env`](Self::env) names it. What it writes to its standard error goes to `tracing`, at
/// the level `debug`.
#[derive(Clone, Debug)]
pub struct ServerCommand {
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: BTreeMap<OsString, OsString>,
    pub(super) directory: Option<PathBuf>,
}

impl ServerCommand {
    /// A program, by its path or to be found in `PATH`.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            environment: BTreeMap::new(),
            directory: None,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments = arguments.into_iter();
        self.arguments
            .extend(arguments.map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .insert(name.as_ref().to_owned(), value.as_ref().to_owned());
        self
    }

    /// Sets the directory that it runs in; this program's unless set.
    #[must_use]
    pub fn current_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }
}

impl From<&str> for ServerCommand {
    fn from(program: &str) -> Self {
        Self::new(program)
    }
}

/// The address of a server that speaks streamable HTTP, and what is sent along.
///
/// ```
/// use callboard::mcp::HttpEndpoint;
///
/// let endpoint = HttpEndpoint::new("https://weather.example/mcp").bearer("s3cret");
/// assert!(!format!("{endpoint:?}").contains("s3cret"));
/// ```
#[derive(Clone)]
pub struct HttpEndpoint {
    pub(super) url: String,
    pub(super) bearer: Option<String>,
    pub(super) headers: Vec<(String, String)>,
}

impl HttpEndpoint {
    /// An address, `https://…` or `http://…`. Redirects are not followed: they would take along
    /// what is sent.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            bearer: None,
            headers: Vec::new(),
        }
    }

    /// Sends this token with each request.
    #[must_use]
    pub fn bearer(mut self, token: impl Into<String>) -> Self {
        self.bearer = Some(token.into());
        self
    }

    /// Sends this header with each request.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

impl From<&str> for HttpEndpoint {
    fn from(url: &str) -> Self {
        Self::new(url)
    }
}

/// Tokens and headers are secrets.
impl fmt::Debug for HttpEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpEndpoint")
            .field("url", &self.url)
            .field("bearer", &self.bearer.is_some())
            .field(
                "headers",
                &self
                    .headers
                    .iter()
                    .map(|(name, _)| name)
                    .collect::<Vec<_>>(),
            )
            .finish()
    }
}

type OnEvent = dyn Fn(McpEvent) + Send + Sync;

/// An MCP server, and what the host makes of its tools.
///
/// [`connect`](Self::connect) and [`connect_all`](super::connect_all) give the connection.
#[derive(Clone)]
pub struct McpServer {
    pub(super) id: Arc<str>,
    pub(super) bridge: Bridge,
    pub(super) connector: Arc<dyn Connector>,
    pub(super) naming: Naming,
    pub(super) limits: McpLimits,
    pub(super) lifecycle: Lifecycle,
    pub(super) trusted: bool,
    pub(super) timeout: Duration,
    pub(super) connect_timeout: Duration,
    pub(super) quiet: Duration,
    pub(super) backoff: (Duration, Duration),
    pub(super) peer: Option<Arc<dyn CallPeer>>,
    peer_support: PeerSupport,
    pub(super) asks_callers: bool,
    pub(super) on_event: Option<Arc<OnEvent>>,
}

impl McpServer {
    /// A program that speaks through its pipes; it is started anew for each connection.
    pub fn stdio(server_id: impl Into<Arc<str>>, command: impl Into<ServerCommand>) -> Self {
        Self::new(server_id.into(), Bridge::Stdio, stdio(command.into()))
    }

    /// A server that speaks streamable HTTP.
    pub fn http(server_id: impl Into<Arc<str>>, endpoint: impl Into<HttpEndpoint>) -> Self {
        Self::new(server_id.into(), Bridge::Http, http(endpoint.into()))
    }

    /// A server behind any transport of rmcp's; `open` makes one for each connection. Whatever can
    /// be read and written is one:
    ///
    /// ```
    /// use callboard::mcp::{Lifecycle, McpServer};
    /// use callboard::{CapabilityRegistry, ToolCallContext};
    /// # use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
    /// # async fn serve(stream: DuplexStream) {
    /// #     let (reader, mut writer) = tokio::io::split(stream);
    /// #     let mut lines = BufReader::new(reader).lines();
    /// #     while let Ok(Some(line)) = lines.next_line().await {
    /// #         let message: serde_json::Value = serde_json::from_str(&line).unwrap();
    /// #         let result = match message["method"].as_str() {
    /// #             Some("initialize") => serde_json::json!({
    /// #                 "protocolVersion": "2025-11-25",
    /// #                 "capabilities": { "tools": {} },
    /// #                 "serverInfo": { "name": "greeter", "version": "1" },
    /// #             }),
    /// #             Some("tools/list") => serde_json::json!({
    /// #                 "tools": [{ "name": "greet", "inputSchema": { "type": "object" } }],
    /// #             }),
    /// #             Some("tools/call") => serde_json::json!({
    /// #                 "content": [{ "type": "text", "text": "Good morning." }],
    /// #             }),
    /// #             _ => continue,
    /// #         };
    /// #         let answer = serde_json::json!({
    /// #             "jsonrpc": "2.0", "id": message["id"], "result": result,
    /// #         });
    /// #         let _ = writer.write_all(format!("{answer}\n").as_bytes()).await;
    /// #     }
    /// # }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = McpServer::transport("greeter", || async {
    ///     let (ours, theirs) = tokio::io::duplex(64 * 1024);
    ///     tokio::spawn(serve(theirs));
    ///     Ok(ours)
    /// });
    /// let connection = server.with_lifecycle(Lifecycle::Initialize).connect().await?;
    /// let mut reg = CapabilityRegistry::new();
    /// reg.register_mcp(connection.tools())?;
    /// let registry = reg.seal()?;
    ///
    /// let output = registry.dispatch("greet", "{}", &ToolCallContext::new("call_1")).await?;
    /// assert_eq!(output.to_text(), "Good morning.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn transport<F, R, T, E, A>(server_id: impl Into<Arc<str>>, open: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = std::io::Result<T>> + Send + 'static,
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
        A: 'static,
    {
        Self::new(server_id.into(), Bridge::Transport, custom(open))
    }

    fn new(id: Arc<str>, bridge: Bridge, connector: Arc<dyn Connector>) -> Self {
        Self {
            id,
            bridge,
            connector,
            naming: Naming::default(),
            limits: McpLimits::default(),
            lifecycle: Lifecycle::default(),
            trusted: false,
            timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(30),
            quiet: Duration::from_millis(100),
            backoff: (Duration::from_millis(250), Duration::from_secs(30)),
            peer: None,
            peer_support: PeerSupport::NONE,
            asks_callers: false,
            on_event: None,
        }
    }

    /// The server's id: it names the server in errors, and is the namespace of
    /// [`Naming::Namespaced`].
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Sets how its tools are called here.
    #[must_use]
    pub fn with_naming(mut self, naming: Naming) -> Self {
        self.naming = naming;
        self
    }

    /// Sets the most that is taken from it.
    #[must_use]
    pub fn with_limits(mut self, limits: McpLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how a connection begins.
    #[must_use]
    pub fn with_lifecycle(mut self, lifecycle: Lifecycle) -> Self {
        self.lifecycle = lifecycle;
        self
    }

    /// Believes what the server claims of its tools (`readOnlyHint` and the like): it counts for
    /// their [`ToolPolicy`]. Unless set, a tool of a server has the policy of one that says
    /// nothing.
    #[must_use]
    pub fn trust_annotations(mut self) -> Self {
        self.trusted = true;
        self
    }

    /// Sets how long one call may take; a minute unless set. A row of a server always has a limit.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how long connecting, and reading the list of tools, may take; 30 seconds unless set.
    #[must_use]
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets how long the server must have been quiet before its changed list is read, so that many
    /// notices in a row are one; 100 ms unless set. A server that is never quiet is read every ten
    /// times that.
    #[must_use]
    pub fn with_debounce(mut self, quiet: Duration) -> Self {
        self.quiet = quiet;
        self
    }

    /// Sets how long to wait before the first attempt to connect again, and at most: each attempt
    /// waits twice as long as the one before. 250 ms and 30 s unless set.
    #[must_use]
    pub fn with_backoff(mut self, first: Duration, most: Duration) -> Self {
        self.backoff = (first, most.max(first));
        self
    }

    /// Answers the server's own questions and takes its log messages: what
    /// [`support`](CallPeer::support) says now is what the server is told it may ask. Without one,
    /// it may ask nothing, and is refused politely when it does.
    #[must_use]
    pub fn with_peer(mut self, peer: Arc<dyn CallPeer>) -> Self {
        self.peer_support = peer.support();
        self.peer = Some(peer);
        self
    }

    /// Lets the server ask, and passes each question on to whoever made the call that it belongs
    /// to. Where the protocol doesn't say which that is, it is the only call in flight; a question
    /// that could be of several is declined. A peer of [`with_peer`](Self::with_peer) comes first.
    #[must_use]
    pub fn ask_callers(mut self) -> Self {
        self.asks_callers = true;
        self
    }

    /// Calls `observe` for each thing that happens to the connection. It must not block.
    #[must_use]
    pub fn on_event(mut self, observe: impl Fn(McpEvent) + Send + Sync + 'static) -> Self {
        self.on_event = Some(Arc::new(observe));
        self
    }

    /// What the server is told that it may ask.
    pub(super) fn support(&self) -> PeerSupport {
        match self.peer {
            Some(_) => self.peer_support,
            None => PeerSupport::NONE
                .with_elicitation(self.asks_callers)
                .with_sampling(self.asks_callers),
        }
    }

    pub(super) fn policy(&self, claims: crate::tool::ToolClaims) -> ToolPolicy {
        let policy = match self.trusted {
            true => claims.believed(),
            false => ToolPolicy::unstated(),
        };
        policy.with_timeout(Some(self.timeout))
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer")
            .field("id", &self.id)
            .field("bridge", &self.bridge)
            .field("naming", &self.naming)
            .field("limits", &self.limits)
            .field("lifecycle", &self.lifecycle)
            .field("trusted", &self.trusted)
            .field("timeout", &self.timeout)
            .field("connect_timeout", &self.connect_timeout)
            .finish_non_exhaustive()
    }
}
