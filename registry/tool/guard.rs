//! Running a tool under its deadline, its caller's cancellation and a panic guard.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use pin_project_lite::pin_project;
use tokio::time::Sleep;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

use super::call::ToolCall;
use super::error::DispatchError;
use super::unwind::{self, drop_quietly, panicked};

pin_project! {
    /// The place of a tool's future, which is guarded there.
    ///
    /// A tool that answers at its first poll pays for the panic guard and nothing else: the timer
    /// and the wait for cancellation begin at the first `Pending`.
    pub(super) struct Guarded<'a, F> {
        #[pin]
        tool: Option<F>,
        #[pin]
        waits: Option<Waits<'a>>,
    }

    impl<F> PinnedDrop for Guarded<'_, F> {
        fn drop(this: Pin<&mut Self>) {
            let mut tool = this.project().tool;
            if std::mem::needs_drop::<F>() && tool.is_some() {
                // The caller lost interest; a panic of the tool's drop is not its concern.
                set_quietly(&mut tool);
            }
        }
    }
}

pin_project! {
    struct Waits<'a> {
        #[pin]
        sleep: Option<Sleep>,
        #[pin]
        cancelled: Option<WaitForCancellationFuture<'a>>,
        limit: Duration,
        _in_flight: InFlight<'a>,
    }
}

/// One call that waits, counted for as long as it does.
struct InFlight<'a>(&'a AtomicUsize);

impl<'a> InFlight<'a> {
    fn enter(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<'a, F: Future> Guarded<'a, F> {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            tool: None,
            waits: None,
        }
    }

    /// Makes the future, which is the tool's code as well where no `async` stands before it. A
    /// call that nobody wants any more never begins.
    #[inline]
    pub(super) fn begin(
        self: Pin<&mut Self>,
        call: ToolCall<'a>,
        make: impl FnOnce() -> F,
    ) -> Result<(), DispatchError> {
        if let Err(stopped) = still_wanted(call) {
            drop_quietly(make);
            return Err(stopped);
        }
        let mut tool = self.project().tool;
        unwind::catch(call.tool(), || tool.set(Some(make())))
    }

    /// Polls the future. `timeout` is the most that it may take from its first `Pending`; the
    /// context's deadline may come sooner.
    // The way of a tool that answers at once is short; everything else is out of line.
    #[inline]
    pub(super) fn poll(
        mut self: Pin<&mut Self>,
        call: ToolCall<'a>,
        timeout: Option<Duration>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Output, DispatchError>> {
        let mut this = self.as_mut().project();
        let Some(tool) = this.tool.as_mut().as_pin_mut() else {
            // Polled after it was ready: a caller's mistake, and it stays pending.
            return Poll::Pending;
        };
        match catch_unwind(AssertUnwindSafe(|| tool.poll(cx))) {
            Ok(Poll::Ready(output)) => {
                if std::mem::needs_drop::<F>() {
                    set_quietly(&mut this.tool);
                }
                Poll::Ready(Ok(output))
            }
            Ok(Poll::Pending) => self.wait(call, timeout, cx),
            Err(payload) => self.stop(panicked(call.tool(), payload)),
        }
    }

    /// The tool has to wait: for no longer than it may, and only while someone wants it to.
    #[inline(never)]
    fn wait(
        mut self: Pin<&mut Self>,
        call: ToolCall<'a>,
        timeout: Option<Duration>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Output, DispatchError>> {
        let mut this = self.as_mut().project();
        if this.waits.is_none() {
            match Waits::begin(call, timeout) {
                Ok(waits) => this.waits.set(Some(waits)),
                Err(error) => return self.stop(error),
            }
        }
        let stopped = match this.waits.as_mut().as_pin_mut() {
            Some(waits) => waits.check(call, cx),
            None => Ok(()),
        };
        match stopped {
            Ok(()) => Poll::Pending,
            Err(error) => self.stop(error),
        }
    }

    /// Lets go of the tool, whose drop may panic as well.
    #[cold]
    fn stop(self: Pin<&mut Self>, error: DispatchError) -> Poll<Result<F::Output, DispatchError>> {
        let mut this = self.project();
        set_quietly(&mut this.tool);
        this.waits.set(None);
        Poll::Ready(Err(error))
    }
}

/// Drops the tool's future where it is; a panic on the way goes no further.
fn set_quietly<F>(tool: &mut Pin<&mut Option<F>>) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| tool.set(None))) {
        drop_quietly(payload);
    }
}

/// Fails for a call that was cancelled, or whose deadline has passed.
#[inline]
pub(super) fn still_wanted(call: ToolCall<'_>) -> Result<(), DispatchError> {
    if call.context.is_cancelled() {
        return Err(cancelled(call));
    }
    match call.context.deadline() {
        Some(deadline) if deadline <= Instant::now() => Err(DispatchError::TimedOut {
            tool: call.tool().to_owned(),
            limit: Duration::ZERO,
        }),
        _ => Ok(()),
    }
}

#[cold]
pub(super) fn cancelled(call: ToolCall<'_>) -> DispatchError {
    DispatchError::Cancelled {
        tool: call.tool().to_owned(),
    }
}

impl<'a> Waits<'a> {
    /// Starts the clock; fails when there is no clock to start.
    fn begin(call: ToolCall<'a>, timeout: Option<Duration>) -> Result<Self, DispatchError> {
        let limit = limit(call, timeout);
        let sleep = match limit {
            None => None,
            Some(limit) => Some(timer(limit).ok_or_else(|| DispatchError::NoRuntime {
                tool: call.tool().to_owned(),
            })?),
        };
        Ok(Self {
            sleep,
            cancelled: call.context.cancel().map(CancellationToken::cancelled),
            limit: limit.unwrap_or(Duration::MAX),
            _in_flight: InFlight::enter(&call.table.in_flight),
        })
    }

    /// Whether the call is to go on, with a wake-up for when it is not.
    fn check(
        self: Pin<&mut Self>,
        call: ToolCall<'_>,
        cx: &mut Context<'_>,
    ) -> Result<(), DispatchError> {
        let mut this = self.project();
        if let Some(token) = this.cancelled.as_mut().as_pin_mut()
            && token.poll(cx).is_ready()
        {
            return Err(cancelled(call));
        }
        if let Some(sleep) = this.sleep.as_mut().as_pin_mut()
            && sleep.poll(cx).is_ready()
        {
            return Err(DispatchError::TimedOut {
                tool: call.tool().to_owned(),
                limit: *this.limit,
            });
        }
        Ok(())
    }
}

/// What is left: the timeout, or the time until the context's deadline if that is less.
fn limit(call: ToolCall<'_>, own: Option<Duration>) -> Option<Duration> {
    match call.context.deadline() {
        None => own,
        Some(deadline) => {
            let left = deadline.saturating_duration_since(Instant::now());
            Some(own.map_or(left, |own| own.min(left)))
        }
    }
}

/// A timer, where the thread is in a runtime that has one.
fn timer(limit: Duration) -> Option<Sleep> {
    tokio::runtime::Handle::try_current().ok()?;
    // A runtime without time enabled panics here, and there is no other way to ask.
    catch_unwind(|| tokio::time::sleep(limit)).ok()
}
