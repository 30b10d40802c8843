//! Calls that wait for the client to come back with answers: the protocol of 2026-07-28 has no
//! requests from a server, so a tool's question is the answer to the call, and the client calls
//! again.
#![allow(
    deprecated,
    reason = "the protocol deprecates sampling, and clients go on offering it"
)]

use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{
    CreateMessageRequest, CreateMessageResult, ElicitRequest, ElicitResult, InputRequest,
    InputRequiredResult, InputResponses,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::oneshot;

use super::call::Call;
use super::caller::Question;
use super::wire;
use crate::tool::{Elicited, PeerError, Sampled, clipped};

/// How long a call waits for its client; most tools' own time is over long before.
const MOST_WAIT: Duration = Duration::from_secs(600);

#[derive(Default)]
pub(super) struct Parked {
    calls: Mutex<HashMap<String, Waiting>>,
    random: RandomState,
    count: AtomicU64,
}

/// A call that runs, and where the answers to its questions go.
struct Waiting {
    call: Call,
    pending: BTreeMap<String, Pending>,
}

enum Pending {
    Elicit(oneshot::Sender<Result<Elicited<Value>, PeerError>>),
    Sample(oneshot::Sender<Result<Sampled, PeerError>>),
}

impl Parked {
    fn calls(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a call until its client comes back, and gives what the client is told.
    pub(super) fn park(
        self: &Arc<Self>,
        call: Call,
        questions: impl IntoIterator<Item = Question>,
    ) -> InputRequiredResult {
        let mut requests = BTreeMap::new();
        let mut pending = BTreeMap::new();
        for (index, question) in questions.into_iter().enumerate() {
            let key = format!("question_{}", index + 1);
            let (request, to) = match question {
                Question::Elicit(params, to) => (
                    InputRequest::Elicitation(ElicitRequest::new(params)),
                    Pending::Elicit(to),
                ),
                Question::Sample(params, to) => (
                    InputRequest::CreateMessage(CreateMessageRequest::new(params)),
                    Pending::Sample(to),
                ),
            };
            requests.insert(key.clone(), request);
            pending.insert(key, to);
        }
        let ticket = self.ticket();
        self.calls()
            .insert(ticket.clone(), Waiting { call, pending });
        let (parked, forgotten) = (Arc::downgrade(self), ticket.clone());
        tokio::spawn(async move {
            tokio::time::sleep(MOST_WAIT).await;
            let waiting = parked
                .upgrade()
                .and_then(|parked| parked.calls().remove(&forgotten));
            drop(waiting);
        });
        InputRequiredResult::new(Some(requests), Some(ticket))
    }

    /// Whoever has the ticket goes on with the call, so it can't be guessed: the hashes are of a
    /// key that the operating system drew.
    fn ticket(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let parts = [0u8, 1].map(|part| self.random.hash_one((part, count, now)));
        format!("{:016x}{:016x}", parts[0], parts[1])
    }

    /// The call of this ticket and tool, which goes on with the answers.
    pub(super) fn take(
        &self,
        ticket: &str,
        tool: &str,
        answers: Option<InputResponses>,
    ) -> Option<Call> {
        let waiting = {
            let mut calls = self.calls();
            if calls.get(ticket)?.call.tool() != tool {
                return None;
            }
            calls.remove(ticket)?
        };
        let mut answers = answers.unwrap_or_default();
        for (key, pending) in waiting.pending {
            let answer = answers.remove(&key);
            match pending {
                Pending::Elicit(to) => {
                    let _ = to.send(read::<ElicitResult>(answer).map(wire::elicited));
                }
                Pending::Sample(to) => {
                    let _ = to.send(read::<CreateMessageResult>(answer).and_then(wire::sampled));
                }
            }
        }
        Some(waiting.call)
    }
}

fn read<T: DeserializeOwned>(answer: Option<Value>) -> Result<T, PeerError> {
    let Some(answer) = answer else {
        return Err(PeerError::Failed {
            message: "it called again without an answer".to_owned(),
        });
    };
    serde_json::from_value(answer).map_err(|error| PeerError::InvalidAnswer {
        path: String::new(),
        message: clipped(error.to_string()),
    })
}
