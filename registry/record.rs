//! A span that tells how its future ended, also when nobody waited for the end.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use pin_project_lite::pin_project;
use tracing::Span;

pin_project! {
    /// A future within its span, which tells how it ended even when its caller dropped it.
    pub(crate) struct Recorded<F, O> {
        // First, so that the steps are dropped before it.
        #[pin]
        steps: F,
        record: Option<Record>,
        outcome: O,
    }
}

impl<F: Future, O: Fn(&F::Output) -> &'static str> Recorded<F, O> {
    /// `outcome` gives the word for how the future ended.
    #[inline]
    pub(crate) fn new(record: Option<Record>, steps: F, outcome: O) -> Self {
        Self {
            steps,
            record,
            outcome,
        }
    }
}

impl<F: Future, O: Fn(&F::Output) -> &'static str> Future for Recorded<F, O> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let Some(record) = this.record else {
            return this.steps.poll(cx);
        };
        let polled = record.in_scope(|| this.steps.poll(cx));
        if let Poll::Ready(result) = &polled {
            record.outcome = (this.outcome)(result);
        }
        polled
    }
}

/// An open span; closing it writes its fields `outcome` and `duration_us`, which the span has to
/// have.
pub(crate) struct Record {
    span: Span,
    begun: Instant,
    outcome: &'static str,
}

impl Record {
    /// `None` where nobody listens, as mostly; then not even the clock is read.
    #[inline]
    pub(crate) fn begin(span: impl FnOnce() -> Span) -> Option<Self> {
        if tracing::level_filters::LevelFilter::current() < tracing::Level::INFO {
            return None;
        }
        let span = span();
        (!span.is_disabled()).then(|| Self {
            span,
            begun: Instant::now(),
            outcome: "dropped",
        })
    }

    pub(crate) fn in_scope<T>(&self, step: impl FnOnce() -> T) -> T {
        self.span.in_scope(step)
    }

    /// Closes the span with this outcome.
    pub(crate) fn end(mut self, outcome: &'static str) {
        self.outcome = outcome;
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        self.span.record("outcome", self.outcome);
        let micros = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.span.record("duration_us", micros);
    }
}
