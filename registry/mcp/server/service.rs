//! A registry that is served: what its host sets, and what its connections share.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::service::{QuitReason, ServerInitializeError, serve_server_with_ct};
use rmcp::transport::IntoTransport;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::error::ServeError;
use super::handler::Handler;
use super::list::Listed;
use super::parked::Parked;
use crate::capability::{LiveRegistry, Registry};
use crate::tool::{clipped, unwind};

/// How long answers that are ready may take to leave when the server shuts down.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// What is served: one version of a registry, or whichever is current.
#[derive(Clone, Debug)]
pub struct ServedRegistry(Source);

#[derive(Clone, Debug)]
enum Source {
    Fixed(Registry),
    Live(Arc<LiveRegistry>),
}

impl ServedRegistry {
    pub(super) fn current(&self) -> Registry {
        match &self.0 {
            Source::Fixed(registry) => registry.clone(),
            Source::Live(live) => live.current(),
        }
    }

    pub(super) fn live(&self) -> Option<&Arc<LiveRegistry>> {
        match &self.0 {
            Source::Fixed(_) => None,
            Source::Live(live) => Some(live),
        }
    }
}

impl From<Registry> for ServedRegistry {
    fn from(registry: Registry) -> Self {
        Self(Source::Fixed(registry))
    }
}

impl From<Arc<LiveRegistry>> for ServedRegistry {
    fn from(live: Arc<LiveRegistry>) -> Self {
        Self(Source::Live(live))
    }
}

/// A registry as an MCP server: its tools, for clients to list and call.
///
/// Cloning gives another handle to the same server; its connections share the limit on calls, and
/// end together.
///
/// ```
/// use callboard::mcp::McpService;
/// use callboard::{CapabilityRegistry, tool};
///
/// /// Adds two numbers.
/// #[tool(read_only)]
/// async fn add(left: i64, right: i64) -> i64 {
///     left + right
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let service = McpService::new(CapabilityRegistry::collect()?.seal()?)
///     .with_name("calculator", "1.0.0")
///     .with_most_calls(16);
///
/// let (ours, theirs) = tokio::io::duplex(4096);
/// let serving = tokio::spawn({
///     let service = service.clone();
///     async move { service.serve(ours).await }
/// });
/// // … a client speaks at the other end, and leaves.
/// drop(theirs);
/// serving.await??;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct McpService {
    pub(super) settings: Arc<Settings>,
    pub(super) state: Arc<State>,
}

#[derive(Clone)]
pub(super) struct Settings {
    pub(super) registry: ServedRegistry,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) instructions: Option<String>,
    pub(super) page_size: usize,
    pub(super) hosts: Option<Vec<String>>,
    pub(super) origins: Option<Vec<String>>,
    pub(super) message_bytes: usize,
    shutdown_limit: Duration,
}

/// What the connections share.
pub(super) struct State {
    pub(super) listed: Listed,
    pub(super) parked: Arc<Parked>,
    calls: Arc<Semaphore>,
    most_calls: u32,
    /// No call is begun any more.
    pub(super) closing: CancellationToken,
    /// The calls that are in flight end.
    pub(super) cancel_calls: CancellationToken,
    /// The connections end.
    pub(super) over: CancellationToken,
}

impl State {
    fn new(most_calls: u32) -> Arc<Self> {
        let calls = usize::try_from(most_calls).unwrap_or(Semaphore::MAX_PERMITS);
        Arc::new(Self {
            listed: Listed::default(),
            parked: Arc::default(),
            calls: Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS))),
            most_calls,
            closing: CancellationToken::new(),
            cancel_calls: CancellationToken::new(),
            over: CancellationToken::new(),
        })
    }
}

impl McpService {
    /// Serves a [`Registry`], or, so that clients are told when its tools change, an
    /// `Arc<LiveRegistry>`.
    pub fn new(registry: impl Into<ServedRegistry>) -> Self {
        Self {
            settings: Arc::new(Settings {
                registry: registry.into(),
                name: "callboard".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                instructions: None,
                page_size: 500,
                hosts: None,
                origins: None,
                message_bytes: 4 * 1024 * 1024,
                shutdown_limit: Duration::from_secs(10),
            }),
            state: State::new(1024),
        }
    }

    fn set(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    /// Sets the server's name and version, as clients are told them.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.set(|settings| {
            settings.name = name.into();
            settings.version = version.into();
        })
    }

    /// Sets what a client's model is told of the server as a whole.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<String>) -> Self {
        self.set(|settings| settings.instructions = Some(instructions.into()))
    }

    /// Sets the most tools of one page of the list: 500 unless this is called, and never fewer
    /// than one.
    #[must_use]
    pub fn with_page_size(self, tools: usize) -> Self {
        self.set(|settings| settings.page_size = tools.max(1))
    }

    /// Sets the most calls in flight, over all connections: 1,024 unless this is called. One more
    /// is refused, at once and in words that a model can act on.
    ///
    /// What was cloned before this counts apart.
    #[must_use]
    pub fn with_most_calls(mut self, calls: u32) -> Self {
        self.state = State::new(calls);
        self
    }

    /// Sets the most bytes of one message from a client: 4 MiB unless this is called. Over HTTP, a
    /// longer one is refused with status 413; over pipes, it is passed over.
    #[must_use]
    pub fn with_message_bytes(self, bytes: usize) -> Self {
        self.set(|settings| settings.message_bytes = bytes)
    }

    /// Sets by which names clients may reach the server over HTTP: `example.com`, or with a port,
    /// `example.com:8080`. Unless this is called, only those of this machine itself are answered,
    /// so that no web page can reach in by a name that it made point here.
    #[must_use]
    pub fn with_hosts<H: Into<String>>(self, hosts: impl IntoIterator<Item = H>) -> Self {
        self.set(|settings| settings.hosts = Some(hosts.into_iter().map(Into::into).collect()))
    }

    /// Sets from which web pages requests are answered: `https://app.example.com:443`, or any port
    /// with `:*`. Unless this is called, those of this machine itself.
    #[must_use]
    pub fn with_origins<O: Into<String>>(self, origins: impl IntoIterator<Item = O>) -> Self {
        self.set(|settings| {
            settings.origins = Some(origins.into_iter().map(Into::into).collect());
        })
    }

    /// Sets how long [`shutdown`](Self::shutdown) waits for the calls in flight: 10 seconds unless
    /// this is called.
    #[must_use]
    pub fn with_shutdown_limit(self, limit: Duration) -> Self {
        self.set(|settings| settings.shutdown_limit = limit)
    }

    /// Serves one client over a transport of rmcp's, such as a pair of a reader and a writer, or a
    /// `tokio::io::DuplexStream`, until the client leaves or the server shuts down. When this is
    /// dropped, the connection ends.
    ///
    /// # Errors
    ///
    /// When the client doesn't begin as the protocol says.
    pub async fn serve<T, E, A>(&self, transport: T) -> Result<(), ServeError>
    where
        T: IntoTransport<RoleServer, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let over = self.state.over.child_token();
        let handler = Handler::new(self.clone());
        let running = match serve_server_with_ct(handler, transport, over).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                return Ok(());
            }
            Err(error) => {
                return Err(ServeError::Handshake {
                    message: clipped(error.to_string()),
                });
            }
        };
        match running.waiting().await {
            Ok(QuitReason::JoinError(_)) | Err(_) => Err(ServeError::Broken),
            Ok(_) => Ok(()),
        }
    }

    /// Serves one client over the program's standard streams, until it closes them or the server
    /// shuts down. Nothing else may write to the program's standard output.
    ///
    /// ```no_run
    /// use callboard::CapabilityRegistry;
    /// use callboard::mcp::McpService;
    ///
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = McpService::new(CapabilityRegistry::collect()?.seal()?);
    /// let stopping = service.clone();
    /// tokio::spawn(async move {
    ///     if tokio::signal::ctrl_c().await.is_ok() {
    ///         stopping.shutdown().await;
    ///     }
    /// });
    /// service.serve_stdio().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the streams can't be used, or the client doesn't begin as the protocol says.
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        // It panics in a runtime that does no input or output.
        let (reader, writer) = unwind::caught(rmcp::transport::stdio_pipes).map_err(|message| {
            ServeError::Streams {
                message: clipped(message),
            }
        })?;
        let transport = rmcp::transport::async_rw::AsyncRwTransport::new_server(reader, writer)
            .with_max_line_length(self.settings.message_bytes);
        self.serve(transport).await
    }

    /// Ends every connection: no call is begun any more, those in flight have the
    /// [limit](Self::with_shutdown_limit) to end by themselves, what is left is cancelled, and
    /// every one of them is answered.
    pub async fn shutdown(&self) {
        let state = &self.state;
        state.closing.cancel();
        let all = || state.calls.acquire_many(state.most_calls);
        let limit = self.settings.shutdown_limit;
        if tokio::time::timeout(limit, all()).await.is_err() {
            state.cancel_calls.cancel();
            let _ = tokio::time::timeout(Duration::from_secs(1), all()).await;
        }
        tokio::time::sleep(LAST_WORDS).await;
        state.over.cancel();
    }

    /// A place for one more call, or words for why there is none.
    pub(super) fn admit(&self) -> Result<OwnedSemaphorePermit, String> {
        if self.state.closing.is_cancelled() {
            return Err("The server is shutting down; the call was not made.".to_owned());
        }
        Arc::clone(&self.state.calls)
            .try_acquire_owned()
            .map_err(|_| {
                format!(
                    "The server is busy with {} calls, which is the most it takes; the call was not made. Try again later.",
                    self.state.most_calls
                )
            })
    }

    /// Waits until calls that don't end when they are cancelled are waited for no longer.
    pub(super) async fn gives_calls_up(&self, after: Duration) {
        self.state.cancel_calls.cancelled().await;
        tokio::time::sleep(after).await;
    }
}

impl fmt::Debug for McpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpService")
            .field("registry", &self.settings.registry)
            .field("name", &self.settings.name)
            .field("version", &self.settings.version)
            .finish_non_exhaustive()
    }
}

/// Serves a registry to one client over the program's standard streams, until it closes them:
/// [`McpService::serve_stdio`] with nothing set.
///
/// ```no_run
/// use callboard::CapabilityRegistry;
///
/// #[tokio::main]
/// async fn main() -> Result<(), Box<dyn std::error::Error>> {
///     callboard::mcp::serve_stdio(CapabilityRegistry::collect()?.seal()?).await?;
///     Ok(())
/// }
/// ```
///
/// # Errors
///
/// When the streams can't be used, or the client doesn't begin as the protocol says.
pub async fn serve_stdio(registry: impl Into<ServedRegistry>) -> Result<(), ServeError> {
    McpService::new(registry).serve_stdio().await
}
