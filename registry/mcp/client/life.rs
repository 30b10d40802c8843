//! The life of a connection: it reads the list anew when that changed, and connects anew when the
//! server is gone. One task does both, so that no two reads of a list are ever under way, and none
//! that is late comes after one that is newer.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, Subscription};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::connection::{Link, Shared, open};
use super::error::{McpError, McpEvent};
use super::list::{self, Unread};
use super::session::Session;
use super::transport::Running;

/// How often a list that changed while it was read is read again before it is taken as it is.
const MOST_READS: usize = 5;
/// How long a server may take to go.
const FAREWELL: Duration = Duration::from_secs(10);
/// How long a subscription that ended is left alone.
const LISTEN_AGAIN: Duration = Duration::from_secs(5);

pub(super) struct Life {
    shared: Arc<Shared>,
    /// Weak, since the connection ends when nobody else holds it.
    link: Weak<Link>,
}

/// However a life ends: calls fail at once, and who waits for the end waits no more.
impl Drop for Life {
    fn drop(&mut self) {
        if let Some(live) = self.shared.live.swap(None) {
            live.session.lost.cancel();
        }
        self.shared.ended.cancel();
    }
}

/// Why a connection is no longer attended to.
enum End {
    /// The host wants no more of it.
    Ended,
    /// The server is gone.
    Lost(String),
}

impl Life {
    pub(super) fn new(shared: Arc<Shared>, link: Weak<Link>) -> Self {
        Self { shared, link }
    }

    pub(super) async fn run(self, mut running: Running, mut session: Arc<Session>) {
        let (first, most) = self.shared.server.backoff;
        let mut delay = first;
        loop {
            let since = Instant::now();
            let end = tokio::select! {
                biased;
                () = self.shared.ends.cancelled() => End::Ended,
                () = session.lost.cancelled() => End::Lost("the connection was closed".to_owned()),
                reason = self.attend(&running, &session) => End::Lost(reason),
            };
            self.shared.live.store(None);
            // Calls in flight learn of it now, however long the rest takes.
            session.lost.cancel();
            let leaving = async move {
                let _ = running.close_with_timeout(FAREWELL).await;
            };
            match end {
                End::Ended => {
                    leaving.await;
                    return;
                }
                End::Lost(reason) => {
                    tokio::spawn(leaving);
                    self.shared.tell(McpEvent::Disconnected { reason });
                }
            }
            if since.elapsed() > most {
                delay = first;
            }
            let back = tokio::select! {
                biased;
                () = self.shared.ends.cancelled() => return,
                back = self.reconnect(&mut delay, most) => back,
            };
            (running, session) = back;
            self.shared.came_up(&running, &session);
            // What it has now may be something else.
            session.changed.send_modify(|notices| *notices += 1);
        }
    }

    /// Tries until it works.
    async fn reconnect(&self, delay: &mut Duration, most: Duration) -> (Running, Arc<Session>) {
        let server = &self.shared.server;
        loop {
            sleep(*delay).await;
            *delay = delay.saturating_mul(2).min(most);
            match open(server, Instant::now() + server.connect_timeout).await {
                Ok(opened) => return opened,
                Err(error) => self.shared.tell(McpEvent::ReconnectFailed {
                    error,
                    retry_in: *delay,
                }),
            }
        }
    }

    /// Follows the server's list while the connection is up; gives why it isn't any more.
    async fn attend(&self, running: &Running, session: &Session) -> String {
        let peer = running.peer();
        // From the first notice on, also those that came before this was reached.
        let mut notices = session.changed.subscribe();
        if *notices.borrow_and_update() > 0 {
            notices.mark_changed();
        }
        let mut listening = Listening::begin(peer);
        loop {
            tokio::select! {
                changed = notices.changed() => if changed.is_err() {
                    return "the connection was closed".to_owned();
                },
                () = session.suspect.notified() => {}
                () = listening.keep_up(peer) => continue,
            }
            if let Err(reason) = self.refresh(running, &mut notices).await {
                return reason;
            }
        }
    }

    /// Reads the list, once the server is quiet, and takes it over.
    async fn refresh(
        &self,
        running: &Running,
        notices: &mut watch::Receiver<u64>,
    ) -> Result<(), String> {
        let server = &self.shared.server;
        let mut reads = 0;
        loop {
            reads += 1;
            let latest = Instant::now() + server.quiet.saturating_mul(10);
            loop {
                notices.borrow_and_update();
                let quiet = timeout(server.quiet, notices.changed()).await.is_err();
                if quiet || Instant::now() >= latest {
                    break;
                }
            }
            notices.borrow_and_update();
            let until = Instant::now() + server.connect_timeout;
            let read = list::read(running.peer(), &server.limits, until).await;
            // Pages from before and after a change don't make a list.
            if !notices.has_changed().unwrap_or(false) || reads == MOST_READS {
                return self.taken_over(running, read);
            }
        }
    }

    fn taken_over(
        &self,
        running: &Running,
        read: Result<Vec<rmcp::model::Tool>, Unread>,
    ) -> Result<(), String> {
        let server = &self.shared.server;
        let info = running.peer().peer_info();
        let rows = match read {
            Ok(tools) => list::rows(server, info.as_deref(), tools),
            Err(Unread::Gone(reason)) => return Err(reason),
            Err(Unread::Bad(problem)) => Err(problem),
        };
        match rows {
            Ok(rows) => {
                if let Some(link) = self.link.upgrade() {
                    self.shared.take_over(&link, rows);
                }
            }
            Err(problem) => self.shared.tell(McpEvent::ChangeRefused {
                error: McpError::bad_list(&server.id, problem),
            }),
        }
        Ok(())
    }
}

/// The subscription by which a server of 2026-07-28 sends its notices. They are counted where they
/// come in; this only keeps the subscription alive.
enum Listening {
    /// The server sends notices unasked, or none.
    Never,
    /// From this moment on, it is to be asked.
    From(Instant),
    Now(Box<Subscription>),
}

impl Listening {
    fn begin(peer: &Peer<RoleClient>) -> Self {
        let asks = peer.peer_info().is_some_and(|info| {
            let tools = info.capabilities.tools.as_ref();
            !info.protocol_version.has_initialize()
                && tools.is_some_and(|tools| tools.list_changed == Some(true))
        });
        match asks {
            true => Self::From(Instant::now()),
            false => Self::Never,
        }
    }

    /// One step: asks, or takes a notice. May be dropped at any time.
    async fn keep_up(&mut self, peer: &Peer<RoleClient>) {
        match self {
            Self::Never => std::future::pending().await,
            Self::From(moment) => {
                tokio::time::sleep_until(*moment).await;
                let filter = SubscriptionFilter::builder().tools_list_changed().build();
                *self = match peer.listen(filter).await {
                    Ok(subscription) => Self::Now(Box::new(subscription)),
                    Err(error) => {
                        tracing::debug!(target: "callboard", %error, "no notices of changed tools");
                        Self::From(Instant::now() + LISTEN_AGAIN)
                    }
                };
            }
            Self::Now(subscription) => {
                if !matches!(subscription.next().await, Ok(Some(_))) {
                    *self = Self::From(Instant::now() + LISTEN_AGAIN);
                }
            }
        }
    }
}
