//! Whoever called over the protocol, as the running tool sees it.
#![allow(
    deprecated,
    reason = "the protocol deprecates sampling, and clients go on offering it"
)]

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{CreateMessageRequestParams, ElicitRequestParams};
use serde_json::Value;
use tokio::sync::{Notify, mpsc, oneshot};

use super::wire;
use crate::tool::{
    BoxFuture, CallPeer, ElicitRequest, Elicited, LogLevel, LogMessage, PeerError, PeerSupport,
    Progress, SampleRequest, Sampled,
};

/// The most notices that wait for a client which reads slower than the tool tells.
const MOST_NOTICES: usize = 256;

/// What a tool tells.
pub(super) enum Notice {
    Progress(Progress),
    Log(LogMessage),
}

/// What a tool asks, and where its answer goes.
pub(super) enum Question {
    Elicit(
        ElicitRequestParams,
        oneshot::Sender<Result<Elicited<Value>, PeerError>>,
    ),
    Sample(
        CreateMessageRequestParams,
        oneshot::Sender<Result<Sampled, PeerError>>,
    ),
}

/// What the client wants to be told, as its request says.
#[derive(Clone, Copy, Default)]
pub(super) struct Wants {
    pub(super) progress: bool,
    /// Log messages as grave as this, and graver.
    pub(super) log: Option<LogLevel>,
}

pub(super) struct Caller {
    support: PeerSupport,
    state: Mutex<State>,
    told: Notify,
    questions: mpsc::UnboundedSender<Question>,
}

struct State {
    wants: Wants,
    notices: VecDeque<Notice>,
    /// Each report has to be above the one before.
    reached: f64,
}

impl Caller {
    pub(super) fn new(
        support: PeerSupport,
        wants: Wants,
    ) -> (Self, mpsc::UnboundedReceiver<Question>) {
        let (questions, asked) = mpsc::unbounded_channel();
        let caller = Self {
            support,
            state: Mutex::new(State {
                wants,
                notices: VecDeque::new(),
                reached: f64::NEG_INFINITY,
            }),
            told: Notify::new(),
            questions,
        };
        (caller, asked)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The client waits anew, by another request.
    pub(super) fn wants(&self, wants: Wants) {
        self.state().wants = wants;
    }

    /// The next notice, once there is one. Nothing is lost when this is dropped.
    pub(super) async fn notice(&self) -> Notice {
        loop {
            if let Some(notice) = self.notice_now() {
                return notice;
            }
            self.told.notified().await;
        }
    }

    pub(super) fn notice_now(&self) -> Option<Notice> {
        self.state().notices.pop_front()
    }

    fn tell(&self, mut state: MutexGuard<'_, State>, notice: Notice) {
        if state.notices.len() >= MOST_NOTICES {
            // A later report says what an earlier one said, and more; there is always one to
            // replace, or the queue is full of messages, and this one is left out.
            let replaced = state
                .notices
                .iter()
                .rposition(|waiting| matches!(waiting, Notice::Progress(_)));
            match (replaced, &notice) {
                (Some(at), Notice::Progress(_)) => {
                    state.notices.remove(at);
                }
                _ => return,
            }
        }
        state.notices.push_back(notice);
        drop(state);
        self.told.notify_one();
    }

    async fn ask<T>(
        &self,
        question: impl FnOnce(oneshot::Sender<Result<T, PeerError>>) -> Question,
    ) -> Result<T, PeerError> {
        let (answer, answered) = oneshot::channel();
        self.questions
            .send(question(answer))
            .map_err(|_| PeerError::Closed)?;
        answered.await.unwrap_or(Err(PeerError::Closed))
    }
}

impl CallPeer for Caller {
    fn support(&self) -> PeerSupport {
        self.support
    }

    fn progress(&self, progress: Progress) {
        let mut state = self.state();
        // What is no number can't be written, and what goes back isn't progress.
        let rises = progress.progress.is_finite() && progress.progress > state.reached;
        if state.wants.progress && rises {
            state.reached = progress.progress;
            self.tell(state, Notice::Progress(progress));
        }
    }

    fn log(&self, message: LogMessage) {
        let state = self.state();
        if state.wants.log.is_some_and(|least| message.level >= least) {
            self.tell(state, Notice::Log(message));
        }
    }

    fn elicit(&self, request: ElicitRequest) -> BoxFuture<'_, Result<Elicited<Value>, PeerError>> {
        Box::pin(async move {
            if !self.support.elicitation {
                return Err(PeerError::Unavailable);
            }
            let params = wire::form(request)?;
            self.ask(|answer| Question::Elicit(params, answer)).await
        })
    }

    fn sample(&self, request: SampleRequest) -> BoxFuture<'_, Result<Sampled, PeerError>> {
        Box::pin(async move {
            if !self.support.sampling {
                return Err(PeerError::Unavailable);
            }
            let params = wire::sample(request)?;
            self.ask(|answer| Question::Sample(params, answer)).await
        })
    }
}
