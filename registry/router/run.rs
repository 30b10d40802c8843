//! Trying one model after the other.

use std::error::Error;
use std::fmt;
use std::future::Future;

use tracing::field;

use super::candidate::Candidate;
use super::model_router::ModelRouter;
use super::need::Need;
use super::skip::{SelectError, Skipped};
use crate::catalog::Cost;
use crate::record::{Record, Recorded};

impl ModelRouter {
    /// Calls the models of a route, one after the other, until one answers.
    ///
    /// A model that can't serve the call is skipped, and never called. The error of an attempt
    /// says what follows: after [`Attempt::MoveOn`] the next model is tried, after
    /// [`Attempt::Stop`] none. Attempts don't overlap, and dropping the future drops the one that
    /// runs. It is `Send` when `alias`, `attempt`, its futures and their errors are.
    ///
    /// Each attempt is a `tracing` span, `model_attempt`, of the target `callboard`, with
    /// `router`, `route`, `model`, `attempt` (from 1), `duration_us` and `outcome`: `ok`,
    /// `moved_on`, `stopped`, or `dropped` when its future was dropped or panicked. What was sent
    /// and answered is not logged.
    ///
    /// ```
    /// use callboard::{Attempt, CapabilityRegistry, Need, RouterDefinition, WorkloadRoute};
    /// # use std::sync::Arc;
    /// # use callboard::{BoxFuture, ChatMessage, ChatModel, ChatRole};
    /// #
    /// # struct Client(&'static str);
    /// # impl ChatModel for Client {
    /// #     fn model_id(&self) -> &str { self.0 }
    /// #     fn chat<'a>(&'a self, _: &'a [ChatMessage])
    /// #         -> BoxFuture<'a, Result<ChatMessage, Box<dyn std::error::Error + Send + Sync>>> {
    /// #         Box::pin(async move {
    /// #             match self.0 {
    /// #                 "busy" => Err("429 Too Many Requests".into()),
    /// #                 _ => Ok(ChatMessage { role: ChatRole::Assistant, content: "42".into() }),
    /// #             }
    /// #         })
    /// #     }
    /// # }
    /// # let mut reg = CapabilityRegistry::new();
    /// # reg.register_model("small", Arc::new(Client("busy")))?;
    /// # reg.register_model("large", Arc::new(Client("free")))?;
    /// reg.register_model_router(
    ///     RouterDefinition::new("workload")
    ///         .route(WorkloadRoute::new("chat-v1", "small").fallback("large")),
    /// )?;
    /// let registry = reg.seal()?;
    /// let router = registry.model_router("workload").ok_or("it was registered")?;
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let served = router
    ///     .run_with_fallbacks("chat-v1", &Need::default(), |candidate| async move {
    ///         let model = candidate.handle().ok_or(Attempt::MoveOn("no client".to_owned()))?;
    ///         model.chat(&[]).await.map_err(|error| match error.to_string() {
    ///             busy if busy.starts_with("429") => Attempt::MoveOn(busy),
    ///             other => Attempt::Stop(other),
    ///         })
    ///     })
    ///     .await?;
    /// assert_eq!(served.output.content, "42");
    /// assert_eq!(served.candidate.name(), "large");
    /// assert_eq!(served.failed[0].error, "429 Too Many Requests");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When no model could be tried, as [`select`](Self::select); else the errors of all that were.
    pub async fn run_with_fallbacks<'r, T, E, F, Fut>(
        &'r self,
        alias: impl AsRef<str>,
        need: &Need,
        mut attempt: F,
    ) -> Result<Served<'r, T, E>, FallbackError<E>>
    where
        F: FnMut(&'r Candidate) -> Fut,
        Fut: Future<Output = Result<T, Attempt<E>>>,
    {
        let resolved = self
            .resolved(alias.as_ref())
            .map_err(|unknown| FallbackError::NotTried(unknown.into()))?;
        let route = &resolved.route.alias;
        let mut skipped = Vec::new();
        let mut failed = Vec::new();
        for candidate in &resolved.candidates {
            let model = || candidate.name().to_owned();
            let estimate = match candidate.check(need) {
                Ok(estimate) => estimate,
                Err(reason) => {
                    skipped.push(Skipped {
                        model: model(),
                        reason,
                    });
                    continue;
                }
            };
            let record = Record::begin(|| {
                tracing::info_span!(
                    target: "callboard",
                    "model_attempt",
                    router = self.name(),
                    route = route.as_str(),
                    model = candidate.name(),
                    attempt = failed.len() + 1,
                    outcome = field::Empty,
                    duration_us = field::Empty,
                )
            });
            // Making the future is the caller's code as well, and belongs in the span.
            let answering = async { attempt(candidate).await };
            match Recorded::new(record, answering, outcome).await {
                Ok(output) => {
                    return Ok(Served {
                        candidate,
                        output,
                        estimate,
                        skipped,
                        failed,
                    });
                }
                Err(Attempt::MoveOn(error)) => failed.push(FailedAttempt {
                    model: model(),
                    error,
                }),
                Err(Attempt::Stop(error)) => {
                    failed.push(FailedAttempt {
                        model: model(),
                        error,
                    });
                    return Err(FallbackError::Stopped {
                        router: self.name().to_owned(),
                        route: route.clone(),
                        skipped,
                        failed,
                    });
                }
            }
        }
        Err(if failed.is_empty() {
            FallbackError::NotTried(self.no_candidate(&resolved.route, skipped))
        } else {
            FallbackError::Exhausted {
                router: self.name().to_owned(),
                route: route.clone(),
                skipped,
                failed,
            }
        })
    }
}

fn outcome<T, E>(result: &Result<T, Attempt<E>>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(Attempt::MoveOn(_)) => "moved_on",
        Err(Attempt::Stop(_)) => "stopped",
    }
}

/// How an attempt failed, and what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt<E> {
    /// The next model may do better: a rate limit, an outage.
    MoveOn(E),
    /// No other model would do better: a bad request, no money left.
    Stop(E),
}

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedAttempt<E> {
    /// The model's name.
    pub model: String,
    /// The error of the attempt.
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for FailedAttempt<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` was tried: {}", self.model, self.error)
    }
}

/// An answer, the model that gave it, and what happened before.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Served<'r, T, E> {
    /// The model that answered.
    pub candidate: &'r Candidate,
    /// What the attempt gave.
    pub output: T,
    /// What the call costs at most, as in [`Choice::estimate`](crate::Choice::estimate).
    pub estimate: Option<Cost>,
    /// The models before it that can't serve the call.
    pub skipped: Vec<Skipped>,
    /// The models before it that were tried and failed, in that order.
    pub failed: Vec<FailedAttempt<E>>,
}

/// Why no model of a route answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FallbackError<E> {
    /// No attempt was made.
    NotTried(SelectError),
    /// An attempt failed with [`Attempt::Stop`].
    Stopped {
        /// The router.
        router: String,
        /// The route's alias.
        route: String,
        /// The models that can't serve the call, of those that were considered.
        skipped: Vec<Skipped>,
        /// The attempts, in their order; the last one stopped.
        failed: Vec<FailedAttempt<E>>,
    },
    /// Every attempt failed, and no model is left.
    Exhausted {
        /// The router.
        router: String,
        /// The route's alias.
        route: String,
        /// The models that can't serve the call.
        skipped: Vec<Skipped>,
        /// The attempts, in their order; one at least.
        failed: Vec<FailedAttempt<E>>,
    },
}

impl<E> FallbackError<E> {
    /// The error of the last attempt, if there was one.
    pub fn into_last(self) -> Option<E> {
        match self {
            Self::NotTried(_) => None,
            Self::Stopped { mut failed, .. } | Self::Exhausted { mut failed, .. } => {
                failed.pop().map(|last| last.error)
            }
        }
    }
}

impl<E: fmt::Display> fmt::Display for FallbackError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, router, route, skipped, failed) = match self {
            Self::NotTried(error) => return error.fmt(f),
            Self::Stopped {
                router,
                route,
                skipped,
                failed,
            } => ("was stopped by an error", router, route, skipped, failed),
            Self::Exhausted {
                router,
                route,
                skipped,
                failed,
            } => ("has no model left", router, route, skipped, failed),
        };
        write!(f, "the route `{route}` of the router `{router}` {what}")?;
        failed
            .iter()
            .try_for_each(|failed| write!(f, "\n  {failed}"))?;
        skipped
            .iter()
            .try_for_each(|skipped| write!(f, "\n  {skipped}"))
    }
}

// Not only where `E` is an error, as with `CallError`: a caller's `?` should work all the same.
impl<E: fmt::Debug + fmt::Display> Error for FallbackError<E> {}
