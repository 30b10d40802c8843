//! A connection as the host holds it.

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use arc_swap::{ArcSwap, ArcSwapOption};
use rmcp::model::ServerPeerInfo;
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::call::{self, Live};
use super::error::{McpError, McpEvent};
use super::life::Life;
use super::list::{self, Unread};
use super::server::McpServer;
use super::session::Session;
use super::transport::Running;
use crate::capability::{LiveRegistry, Registry};
use crate::component::check_name;
use crate::tool::unwind;
use crate::tool::{
    BoxFuture, DispatchError, McpCaller, McpEntry, McpTool, ToolCallContext, ToolOutput,
};

/// A connection to a server, and the server's tools as they are now.
///
/// It is there as long as one of its clones, or a row of it in a registry, is. While the server is
/// away, calls of its rows fail with [`DispatchError::Disconnected`], and the connection is tried
/// anew, for as long as it takes.
#[derive(Clone)]
pub struct McpConnection {
    link: Arc<Link>,
}

/// What rows and handles hold: when the last one goes, the connection ends.
pub(super) struct Link {
    shared: Arc<Shared>,
    _ends: DropGuard,
}

/// What the connection's own task holds as well.
pub(super) struct Shared {
    pub(super) server: McpServer,
    pub(super) live: ArcSwapOption<Live>,
    /// Cancelled when the host wants no more of the connection.
    pub(super) ends: CancellationToken,
    /// Cancelled when nothing of it is left.
    pub(super) ended: CancellationToken,
    /// Those of the last good list. To be read without a lock, also by what holds the lock of a
    /// registry.
    rows: ArcSwap<Vec<Arc<McpTool>>>,
    /// Locked while rows are exchanged, so that what is published comes in their order.
    follower: Mutex<Option<Follower>>,
}

struct Follower {
    registry: Weak<LiveRegistry>,
    registered: &'static Location<'static>,
}

impl McpServer {
    /// Connects, reads the list of tools, and stays connected.
    ///
    /// # Errors
    ///
    /// When the server can't be reached in time, or its list breaks a rule. To try again later is
    /// the host's to do: only a connection that came about once is tried anew by itself.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time and I/O enabled, as all of tokio does.
    pub async fn connect(self) -> Result<McpConnection, McpError> {
        check_name(&self.id).map_err(McpError::InvalidServerId)?;
        let until = Instant::now() + self.connect_timeout;
        let (running, session) = open(&self, until).await?;
        let info = running.peer().peer_info();
        let rows = read_rows(&self, &running, info.as_deref(), until).await?;
        Ok(begin(self, running, session, rows))
    }
}

/// Connects to several servers side by side: none waits for another. The results are in the order
/// of the servers.
pub async fn connect_all(
    servers: impl IntoIterator<Item = McpServer>,
) -> Vec<Result<McpConnection, McpError>> {
    let mut attempts = JoinSet::new();
    let mut results = Vec::new();
    for (position, server) in servers.into_iter().enumerate() {
        let gave_up = McpError::Closed {
            server: server.id.to_string(),
        };
        results.push(Err(gave_up));
        attempts.spawn(async move { (position, server.connect().await) });
    }
    while let Some(joined) = attempts.join_next().await {
        if let Ok((position, result)) = joined
            && let Some(place) = results.get_mut(position)
        {
            *place = result;
        }
    }
    results
}

/// Opens one connection of a server.
pub(super) async fn open(
    server: &McpServer,
    until: Instant,
) -> Result<(Running, Arc<Session>), McpError> {
    let session = Arc::new(Session::new(server, Handle::current()));
    let opening = server.connector.open(server, Arc::clone(&session));
    match timeout_at(until, opening).await {
        Ok(Ok(running)) => Ok((running, session)),
        Ok(Err(message)) => Err(McpError::unreachable(&server.id, message)),
        Err(_elapsed) => Err(McpError::TimedOut {
            server: server.id.to_string(),
            limit: server.connect_timeout,
        }),
    }
}

fn begin(
    server: McpServer,
    running: Running,
    session: Arc<Session>,
    rows: Vec<Arc<McpTool>>,
) -> McpConnection {
    let ends = CancellationToken::new();
    let shared = Arc::new(Shared {
        server,
        live: ArcSwapOption::empty(),
        ends: ends.clone(),
        ended: CancellationToken::new(),
        rows: ArcSwap::from_pointee(rows),
        follower: Mutex::new(None),
    });
    let link = Arc::new(Link {
        shared: Arc::clone(&shared),
        _ends: ends.drop_guard(),
    });
    shared.came_up(&running, &session);
    let life = Life::new(shared, Arc::downgrade(&link));
    tokio::spawn(life.run(running, session));
    McpConnection { link }
}

async fn read_rows(
    server: &McpServer,
    running: &Running,
    info: Option<&ServerPeerInfo>,
    until: Instant,
) -> Result<Vec<Arc<McpTool>>, McpError> {
    let tools = list::read(running.peer(), &server.limits, until)
        .await
        .map_err(|unread| match unread {
            Unread::Gone(message) => McpError::unreachable(&server.id, message),
            Unread::Bad(problem) => McpError::bad_list(&server.id, problem),
        })?;
    list::rows(server, info, tools).map_err(|problem| McpError::bad_list(&server.id, problem))
}

impl Shared {
    pub(super) fn tell(&self, event: McpEvent) {
        let server = &*self.server.id;
        match &event {
            McpEvent::ChangeRefused { error } => {
                tracing::warn!(target: "callboard", server, %error, "a server's new tools are refused");
            }
            event => tracing::debug!(target: "callboard", server, ?event, "mcp"),
        }
        if let Some(observe) = &self.server.on_event {
            // A host's panic must not end the connection.
            let _ = unwind::caught(|| observe(event));
        }
    }

    /// Calls go through from here on.
    pub(super) fn came_up(&self, running: &Running, session: &Arc<Session>) {
        let protocol = running
            .peer()
            .peer_info()
            .map(|info| info.protocol_version.to_string())
            .unwrap_or_default();
        self.live.store(Some(Arc::new(Live {
            peer: running.peer().clone(),
            session: Arc::clone(session),
        })));
        self.tell(McpEvent::Connected { protocol });
    }

    /// Takes over a list that was read: all of it, or nothing.
    pub(super) fn take_over(&self, link: &Arc<Link>, mut rows: Vec<Arc<McpTool>>) {
        let follower = locked(&self.follower);
        let old_rows = self.rows.load();
        let is_same = rows.len() == old_rows.len()
            && rows
                .iter()
                .zip(&**old_rows)
                .all(|(new, old)| new.is_same(old));
        if is_same {
            return;
        }
        for row in &mut rows {
            // What stays the same stays the same row; both lists are in the order of their names.
            if let Ok(old) = old_rows.binary_search_by(|old| old.name.cmp(&row.name))
                && old_rows[old].is_same(row)
            {
                *row = Arc::clone(&old_rows[old]);
            }
        }
        let version = match &*follower {
            None => Ok(None),
            Some(follower) => follower.follow(link, &rows),
        };
        let event = match version {
            Ok(version) => {
                let tools = rows.len();
                self.rows.store(Arc::new(rows));
                McpEvent::ToolsChanged {
                    tools,
                    version: version.map(|registry| registry.version()),
                }
            }
            Err(error) => McpEvent::ChangeRefused { error },
        };
        drop(follower);
        self.tell(event);
    }
}

impl Follower {
    /// Publishes `rows` in the place of the connection's rows; `None` when the registry is gone.
    fn follow(
        &self,
        link: &Arc<Link>,
        rows: &[Arc<McpTool>],
    ) -> Result<Option<Registry>, McpError> {
        let Some(registry) = self.registry.upgrade() else {
            return Ok(None);
        };
        let caller: Arc<dyn McpCaller> = Arc::clone(link) as _;
        let entries = entries(link, rows, self.registered);
        registry
            .update(|builder| builder.exchange_mcp(|tool| tool.is_of(&caller), entries))
            .map_err(McpError::Refused)?
            .map(Some)
            .map_err(McpError::Unsealed)
    }
}

fn entries(
    link: &Arc<Link>,
    rows: &[Arc<McpTool>],
    registered: &'static Location<'static>,
) -> Vec<McpEntry> {
    rows.iter()
        .map(|row| McpEntry::new(Arc::clone(row), Arc::clone(link) as _, registered))
        .collect()
}

impl McpConnection {
    /// The server's id.
    pub fn server_id(&self) -> &str {
        &self.link.shared.server.id
    }

    /// The server's tools as they are now, in the order of their names, to be registered with
    /// [`CapabilityRegistry::register_mcp`](crate::CapabilityRegistry::register_mcp).
    #[track_caller]
    pub fn tools(&self) -> Vec<McpEntry> {
        entries(
            &self.link,
            &self.link.shared.rows.load(),
            Location::caller(),
        )
    }

    /// Whether calls go through now.
    pub fn is_connected(&self) -> bool {
        self.link.shared.live.load().is_some()
    }

    /// The protocol's version, such as `2026-07-28`, while connected.
    pub fn protocol(&self) -> Option<String> {
        let live = self.link.shared.live.load_full()?;
        Some(live.peer.peer_info()?.protocol_version.to_string())
    }

    /// What the server says of how to use it, for a model; while connected.
    pub fn instructions(&self) -> Option<String> {
        let live = self.link.shared.live.load_full()?;
        live.peer.peer_info()?.instructions.clone()
    }

    /// Publishes the server's tools in `registry`, now and whenever they change: each change that
    /// passes the checks is a version. Of one that doesn't, the host is told
    /// ([`McpEvent::ChangeRefused`]), and the old rows stay. A connection is followed by one
    /// registry, the last one given, for as long as the host holds that. Not to be called from
    /// within [`LiveRegistry::update`], which would wait for its own end.
    ///
    /// # Errors
    ///
    /// When the registry refuses the tools as they are now; then it doesn't follow.
    #[track_caller]
    pub fn publish_into(&self, registry: &Arc<LiveRegistry>) -> Result<Registry, McpError> {
        let follower = Follower {
            registry: Arc::downgrade(registry),
            registered: Location::caller(),
        };
        let mut followed = locked(&self.link.shared.follower);
        let version = follower.follow(&self.link, &self.link.shared.rows.load())?;
        *followed = Some(follower);
        Ok(version.unwrap_or_else(|| registry.current()))
    }

    /// Ends the connection, for all its clones and rows: their calls fail from here on. Waits
    /// until the server's process, if it has one, is gone.
    pub async fn close(&self) {
        self.link.shared.ends.cancel();
        self.link.shared.ended.cancelled().await;
    }
}

impl fmt::Debug for McpConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpConnection")
            .field("server", &self.link.shared.server)
            .field("connected", &self.is_connected())
            .field("tools", &self.link.shared.rows.load().len())
            .finish()
    }
}

impl McpCaller for Link {
    fn call<'a>(
        &'a self,
        tool: &'a McpTool,
        arguments: Map<String, Value>,
        context: &'a ToolCallContext,
    ) -> BoxFuture<'a, Result<ToolOutput, DispatchError>> {
        Box::pin(async move {
            match self.shared.live.load_full() {
                None => Err(call::away(tool)),
                Some(live) => call::call(&live.session, &live.peer, tool, arguments, context).await,
            }
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
