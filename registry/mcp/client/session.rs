//! One connection while it lasts: the calls that are in flight on it, and what the server asks
//! meanwhile.
#![allow(
    deprecated,
    reason = "the protocol deprecates sampling and logging, and peers go on using them"
)]

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rmcp::model::{
    CallToolRequest, CancelledNotificationParam, ClientCapabilities, ClientConfig,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, ErrorData, Extensions, FormElicitationCapability,
    Implementation, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken,
    RequestId, RequestMetaObject, SamplingCapability,
};
use rmcp::service::{
    InboundStreamOrigin, NotificationContext, Peer, RequestContext, RequestHandle,
};
use rmcp::{ClientHandler, RoleClient};
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use super::sampling;
use super::server::McpServer;
use crate::mcp::convert;
use crate::tool::unwind;
use crate::tool::{
    CallPeer, ElicitRequest, Elicited, LogMessage, PeerError, PeerSupport, Progress, clipped,
};

/// What the parts of one connection share.
pub(super) struct Session {
    peer: Option<Arc<dyn CallPeer>>,
    asks_callers: bool,
    support: PeerSupport,
    calls: Mutex<HashMap<ProgressToken, OpenCall>>,
    open: AtomicUsize,
    runtime: Handle,
    /// Cancelled when the server is gone.
    pub(super) lost: CancellationToken,
    /// Counts the server's notices that its list changed.
    pub(super) changed: watch::Sender<u64>,
    /// A message couldn't be sent: the server may be gone.
    pub(super) suspect: Notify,
}

struct OpenCall {
    request: RequestId,
    caller: Weak<Caller>,
}

/// Whoever made a call; alive as long as the call is.
pub(super) struct Caller(Arc<dyn CallPeer>);

/// Goes with a request as far as the transport, which knows the request's progress token before
/// anything can come back for it.
#[derive(Clone)]
struct Tell(Weak<Caller>);

impl Session {
    pub(super) fn new(server: &McpServer, runtime: Handle) -> Self {
        Self {
            peer: server.peer.clone(),
            asks_callers: server.asks_callers,
            support: server.support(),
            calls: Mutex::default(),
            open: AtomicUsize::new(0),
            runtime,
            lost: CancellationToken::new(),
            changed: watch::Sender::new(0),
            suspect: Notify::new(),
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<ProgressToken, OpenCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call's request is on its way out.
    pub(super) fn sent(&self, id: &RequestId, request: &CallToolRequest) {
        let Some(tell) = request.extensions.get::<Tell>() else {
            return;
        };
        let meta = request.extensions.get::<RequestMetaObject>();
        let Some(token) = meta.and_then(RequestMetaObject::get_progress_token) else {
            return;
        };
        // Under the lock, while the caller is held: a call that ends now takes out what is put in.
        let mut calls = self.calls();
        if let Some(_alive) = tell.0.upgrade() {
            calls.insert(
                token,
                OpenCall {
                    request: id.clone(),
                    caller: tell.0.clone(),
                },
            );
        }
    }

    /// Progress came in, in the order in which the server sent it.
    pub(super) fn progressed(&self, params: ProgressNotificationParam) {
        let caller = self
            .calls()
            .get(&params.progress_token)
            .and_then(|call| call.caller.upgrade());
        let Some(caller) = caller else {
            return;
        };
        let mut progress = Progress::new(params.progress);
        progress.total = params.total;
        progress.message = params.message.map(|message| clipped(message).into());
        // A host's panic must not end the connection.
        let _ = unwind::caught(|| caller.0.progress(progress));
    }

    /// Who answers a question that the server asks outside of an answer.
    fn who_answers(&self, extensions: &Extensions) -> Option<Arc<dyn CallPeer>> {
        if self.peer.is_some() || !self.asks_callers {
            return self.peer.clone();
        }
        let calls = self.calls();
        let call = match extensions.get::<InboundStreamOrigin>() {
            Some(InboundStreamOrigin::OutboundRequest(id)) => {
                calls.values().find(|call| call.request == *id)
            }
            Some(InboundStreamOrigin::Unassociated) => None,
            None if self.open.load(Ordering::Relaxed) == 1 => calls.values().next(),
            None => None,
        };
        let caller = call?.caller.upgrade()?;
        Some(Arc::clone(&caller.0))
    }

    /// Who answers a question that belongs to a call.
    pub(super) fn who_answers_for(
        &self,
        caller: Option<&Arc<dyn CallPeer>>,
    ) -> Option<Arc<dyn CallPeer>> {
        match &self.peer {
            Some(peer) => Some(Arc::clone(peer)),
            None if self.asks_callers => caller.cloned(),
            None => None,
        }
    }
}

/// A request that the server is to be told of when nobody waits for it any more.
pub(super) struct InFlight<'a> {
    session: &'a Session,
    peer: &'a Peer<RoleClient>,
    caller: Option<Arc<Caller>>,
    sent: Option<(RequestId, ProgressToken)>,
    answered: bool,
}

impl<'a> InFlight<'a> {
    pub(super) fn new(
        session: &'a Session,
        peer: &'a Peer<RoleClient>,
        caller: Option<&Arc<dyn CallPeer>>,
    ) -> Self {
        session.open.fetch_add(1, Ordering::Relaxed);
        Self {
            session,
            peer,
            caller: caller.map(|peer| Arc::new(Caller(Arc::clone(peer)))),
            sent: None,
            answered: false,
        }
    }

    /// Lets the request's progress find its way back.
    pub(super) fn mark(&self, request: &mut CallToolRequest) {
        if let Some(caller) = &self.caller {
            request.extensions.insert(Tell(Arc::downgrade(caller)));
        }
    }

    pub(super) fn sent(&mut self, handle: &RequestHandle<RoleClient>) {
        self.sent = Some((handle.id.clone(), handle.progress_token.clone()));
    }

    pub(super) fn answered(&mut self) {
        self.answered = true;
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.session.open.fetch_sub(1, Ordering::Relaxed);
        // Before the entry is taken out, see `Session::sent`.
        self.caller = None;
        let Some((id, token)) = self.sent.take() else {
            return;
        };
        self.session.calls().remove(&token);
        if self.answered || self.session.lost.is_cancelled() {
            return;
        }
        let peer = self.peer.clone();
        self.session.runtime.spawn(async move {
            let reason = Some("nobody waits for the answer any more".to_owned());
            let cancelled = CancelledNotificationParam::new(Some(id), reason);
            let _ = peer.notify_cancelled(cancelled).await;
        });
    }
}

/// What answers the server, for rmcp.
#[derive(Clone)]
pub(super) struct Handler(pub(super) Arc<Session>);

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let support = self.0.support;
        let mut capabilities = ClientCapabilities::default();
        if support.elicitation {
            let form = FormElicitationCapability::default();
            capabilities.elicitation = Some(ElicitationCapability::new().with_form(form));
        }
        if support.sampling {
            capabilities.sampling = Some(SamplingCapability::default());
        }
        let callboard = Implementation::new("callboard", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, callboard)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let peer = self.0.who_answers(&context.extensions);
        elicit(peer, request, &context.ct).await
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let peer = self.0.who_answers(&context.extensions);
        sample(peer, params, &context.ct).await
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        if let Some(peer) = &self.0.peer {
            let mut message = LogMessage::new(convert::level_of(params.level), params.data);
            message.logger = params.logger.map(clipped);
            peer.log(message);
        }
    }
}

/// Passes a question for a person on; where nobody can be asked, it is declined.
pub(super) async fn elicit(
    peer: Option<Arc<dyn CallPeer>>,
    params: ElicitRequestParams,
    stop: &CancellationToken,
) -> Result<ElicitResult, ErrorData> {
    let declined = ElicitResult::new(ElicitationAction::Decline);
    let ElicitRequestParams::FormElicitationParams {
        message,
        requested_schema,
        ..
    } = params
    else {
        // To send a person to an address, the server would have to be told that it may.
        return Ok(declined);
    };
    let Some(peer) = peer else {
        return Ok(declined);
    };
    let schema = serde_json::to_value(requested_schema)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
    let request = ElicitRequest::new(message, schema);
    let asking = async move {
        match peer.support().elicitation {
            true => peer.elicit(request).await,
            false => Err(PeerError::Unavailable),
        }
    };
    match until(stop, asking).await {
        Ok(Elicited::Accept(answer)) => {
            Ok(ElicitResult::new(ElicitationAction::Accept).with_content(answer))
        }
        Ok(Elicited::Decline) | Err(PeerError::Unavailable) => Ok(declined),
        Ok(Elicited::Cancel) => Ok(ElicitResult::new(ElicitationAction::Cancel)),
        Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
    }
}

/// Passes a question for a model on.
pub(super) async fn sample(
    peer: Option<Arc<dyn CallPeer>>,
    params: CreateMessageRequestParams,
    stop: &CancellationToken,
) -> Result<CreateMessageResult, ErrorData> {
    let request = sampling::sample_request_of(params)
        .map_err(|problem| ErrorData::invalid_params(problem, None))?;
    let asking = async move {
        match peer {
            Some(peer) if peer.support().sampling => peer.sample(request).await,
            _ => Err(PeerError::Unavailable),
        }
    };
    match until(stop, asking).await {
        Ok(sampled) => sampling::sampled_to_wire(sampled)
            .map_err(|problem| ErrorData::internal_error(problem, None)),
        Err(PeerError::Unavailable) => Err(ErrorData::invalid_request(
            PeerError::Unavailable.to_string(),
            None,
        )),
        Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
    }
}

/// Runs a host's code in a task of its own, so that a panic is an answer too, for as long as the
/// server wants to know.
async fn until<T: Send + 'static>(
    stop: &CancellationToken,
    asking: impl Future<Output = Result<T, PeerError>> + Send + 'static,
) -> Result<T, PeerError> {
    let mut tasks = tokio::task::JoinSet::new();
    tasks.spawn(asking);
    tokio::select! {
        () = stop.cancelled() => Err(PeerError::Closed),
        joined = tasks.join_next() => match joined {
            Some(Ok(answer)) => answer,
            _ => Err(PeerError::Failed { message: "it panicked".to_owned() }),
        },
    }
}
