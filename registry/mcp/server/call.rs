//! One call by a client, from its admission to its answer.
#![allow(
    deprecated,
    reason = "the protocol deprecates sampling and logging, and peers go on using them"
)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, CancelledNotificationParam, ClientCapabilities, ClientResult,
    CreateMessageRequest, ElicitRequest, ErrorData, JsonObject, LoggingMessageNotificationParam,
    ProgressNotificationParam, ProgressToken, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, ServiceError};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer;
use super::caller::{Caller, Notice, Question, Wants};
use super::service::McpService;
use super::wire;
use crate::capability::Registry;
use crate::mcp::convert;
use crate::tool::{
    CallPeer, DispatchError, LogLevel, PeerError, PeerSupport, ToolCallContext, ToolOutput,
    TraceContext, clipped,
};

/// How long a client may take to read what a tool tells before it is told nothing more, and how
/// long a call that is given up may take to end.
const PATIENCE: Duration = Duration::from_secs(1);

type Outcome = Result<ToolOutput, DispatchError>;

/// A call that runs, in a task of its own: so a tool that computes without a pause is heard while
/// it does, and one that panics where the pipeline doesn't look is answered all the same. It is
/// stopped when this is dropped.
pub(super) struct Call {
    tool: String,
    registry: Registry,
    caller: Arc<Caller>,
    questions: mpsc::UnboundedReceiver<Question>,
    running: JoinHandle<Outcome>,
    _stop: DropGuard,
}

impl Call {
    /// Begins a call, unless there are too many; then it gives the words for the client.
    pub(super) fn begin(
        service: &McpService,
        tool: String,
        arguments: Option<JsonObject>,
        context: &mut RequestContext<RoleServer>,
        log: Option<LogLevel>,
    ) -> Result<Self, String> {
        let place = service.admit()?;
        let arguments = match arguments {
            Some(arguments) => {
                serde_json::to_string(&arguments).map_err(|error| clipped(error.to_string()))?
            }
            None => String::new(),
        };
        let support = support_of(context.client_capabilities());
        let (caller, questions) = Caller::new(support, wants(context, log));
        let caller = Arc::new(caller);
        let stop = service.state.cancel_calls.child_token();
        let tool_context = tool_context(context)
            .with_cancel(stop.clone())
            .with_peer(Arc::clone(&caller) as Arc<dyn CallPeer>);
        let registry = service.settings.registry.current();
        let running = tokio::spawn({
            let (registry, tool) = (registry.clone(), tool.clone());
            async move {
                let outcome = registry.dispatch(&tool, &arguments, &tool_context).await;
                drop(place);
                outcome
            }
        });
        Ok(Self {
            tool,
            registry,
            caller,
            questions,
            running,
            _stop: stop.drop_guard(),
        })
    }

    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    /// Takes the call up again for a client that came back; refused where the client may not.
    pub(super) fn resume(
        &self,
        context: &mut RequestContext<RoleServer>,
        log: Option<LogLevel>,
    ) -> Result<(), DispatchError> {
        self.caller.wants(wants(context, log));
        match self
            .registry
            .authorization(&self.tool, &tool_context(context))
        {
            Some(decision) if decision.is_allowed() => Ok(()),
            _ => Err(DispatchError::Denied {
                tool: self.tool.clone(),
                reason: "the client came back as someone who may not".to_owned(),
            }),
        }
    }

    /// Carries what the tool tells and asks to the client until there is an answer.
    pub(super) async fn answer(
        mut self,
        service: &McpService,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut client = Client {
            peer: &context.peer,
            cancelled: &context.ct,
            token: context.meta.get_progress_token(),
            is_slow: false,
        };
        let mut asking = None::<Pin<Box<dyn Future<Output = ()> + Send>>>;
        let ended = loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => break None,
                notice = self.caller.notice() => client.tell(notice).await,
                outcome = &mut self.running => break Some(outcome),
                () = done(&mut asking), if asking.is_some() => asking = None,
                Some(question) = self.questions.recv(), if asking.is_none() => {
                    if asks_in_answers(context) {
                        while let Some(notice) = self.caller.notice_now() {
                            client.tell(notice).await;
                        }
                        let mut questions = vec![question];
                        while let Ok(another) = self.questions.try_recv() {
                            questions.push(another);
                        }
                        return Ok(service.state.parked.park(self, questions).into());
                    }
                    asking = Some(Box::pin(ask(context.peer.clone(), question)));
                }
                () = service.gives_calls_up(PATIENCE) => break None,
            }
        };
        let outcome = match ended {
            Some(Ok(outcome)) => answer::of(outcome, asks_in_answers(context)),
            Some(Err(_panic)) => Err(ErrorData::internal_error("the call broke off", None)),
            None => Err(ErrorData::internal_error("the call was given up", None)),
        };
        while let Some(notice) = self.caller.notice_now() {
            client.tell(notice).await;
        }
        drop(self);
        if let Some(asking) = asking {
            // Nobody waits for that answer any more; the client is told.
            let _ = tokio::time::timeout(PATIENCE, asking).await;
        }
        outcome.map(CallToolResponse::from)
    }
}

/// What accompanies a call, and a look at the list: who asks, and the trace.
pub(super) fn tool_context(context: &mut RequestContext<RoleServer>) -> ToolCallContext {
    let mut tool_context = ToolCallContext::new(context.id.to_string());
    if let Some(parts) = context.extensions.remove::<http::request::Parts>() {
        tool_context = tool_context.with_extension(parts);
    }
    if let Some(mut trace) = context.meta.get_traceparent().and_then(TraceContext::new) {
        if let Some(state) = context.meta.get_tracestate() {
            trace = trace.with_tracestate(state);
        }
        if let Some(baggage) = context.meta.get_baggage() {
            trace = trace.with_baggage(baggage);
        }
        tool_context = tool_context.with_trace(trace);
    }
    tool_context
}

/// Whether the client speaks a protocol that has no requests from a server.
pub(super) fn asks_in_answers(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| !version.has_initialize())
}

fn support_of(client: Option<ClientCapabilities>) -> PeerSupport {
    let Some(client) = client else {
        return PeerSupport::NONE;
    };
    // Before there were two sorts, saying neither meant a form.
    let forms = client
        .elicitation
        .is_some_and(|sorts| sorts.form.is_some() || sorts.url.is_none());
    PeerSupport::NONE
        .with_elicitation(forms)
        .with_sampling(client.sampling.is_some())
}

fn wants(context: &RequestContext<RoleServer>, log: Option<LogLevel>) -> Wants {
    Wants {
        progress: context.meta.get_progress_token().is_some(),
        log,
    }
}

async fn done(asking: &mut Option<Pin<Box<dyn Future<Output = ()> + Send>>>) {
    match asking {
        Some(asking) => asking.await,
        None => std::future::pending().await,
    }
}

/// The client, as far as it is told something.
struct Client<'a> {
    peer: &'a Peer<RoleServer>,
    cancelled: &'a CancellationToken,
    token: Option<ProgressToken>,
    is_slow: bool,
}

impl Client<'_> {
    /// One after the other: the next goes out when this one is written.
    async fn tell(&mut self, notice: Notice) {
        if self.is_slow {
            return;
        }
        let telling = async {
            match notice {
                Notice::Progress(progress) => {
                    let Some(token) = self.token.clone() else {
                        return Ok(());
                    };
                    let mut params = ProgressNotificationParam::new(token, progress.progress);
                    params.total = progress.total.filter(|total| total.is_finite());
                    params.message = progress.message.map(String::from);
                    self.peer.notify_progress(params).await
                }
                Notice::Log(message) => {
                    let level = wire::level(message.level);
                    let mut params = LoggingMessageNotificationParam::new(level, message.data);
                    params.logger = message.logger;
                    self.peer.notify_logging_message(params).await
                }
            }
        };
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => {}
            told = tokio::time::timeout(PATIENCE, telling) => {
                self.is_slow = !matches!(told, Ok(Ok(())));
            }
        }
    }
}

/// Asks the client, for as long as the tool waits for the answer.
async fn ask(peer: Peer<RoleServer>, question: Question) {
    match question {
        Question::Elicit(params, mut to) => {
            let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
            let answer = match request_of(&peer, request, &mut to).await {
                Ok(ClientResult::ElicitResult(result)) => Ok(wire::elicited(result)),
                Ok(_) => Err(unreadable()),
                Err(error) => Err(error),
            };
            let _ = to.send(answer);
        }
        Question::Sample(params, mut to) => {
            let request = ServerRequest::CreateMessageRequest(CreateMessageRequest::new(params));
            let answer = match request_of(&peer, request, &mut to).await {
                Ok(ClientResult::CreateMessageResult(result)) => wire::sampled(*result),
                Ok(_) => Err(unreadable()),
                Err(error) => Err(error),
            };
            let _ = to.send(answer);
        }
    }
}

async fn request_of<T>(
    peer: &Peer<RoleServer>,
    request: ServerRequest,
    to: &mut oneshot::Sender<T>,
) -> Result<ClientResult, PeerError> {
    let mut handle = peer
        .send_cancellable_request(request, PeerRequestOptions::no_options())
        .await
        .map_err(failed)?;
    tokio::select! {
        answer = &mut handle.rx => answer.map_err(|_| PeerError::Closed)?.map_err(failed),
        () = to.closed() => {
            let reason = Some("nobody waits for the answer any more".to_owned());
            let cancelled = CancelledNotificationParam::new(Some(handle.id.clone()), reason);
            let _ = peer.notify_cancelled(cancelled).await;
            Err(PeerError::Closed)
        }
    }
}

fn failed(error: ServiceError) -> PeerError {
    match error {
        ServiceError::McpError(error) => PeerError::Failed {
            message: clipped(error.message.into_owned()),
        },
        _ => PeerError::Closed,
    }
}

fn unreadable() -> PeerError {
    PeerError::Failed {
        message: "its answer can't be read".to_owned(),
    }
}

/// The level that a client of 2026-07-28 wants for one request.
pub(super) fn level_of_request(context: &RequestContext<RoleServer>) -> Option<LogLevel> {
    context.meta.log_level().map(convert::level_of)
}
