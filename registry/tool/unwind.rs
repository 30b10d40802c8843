//! Stopping a panic of code that isn't ours, so that the caller gets an answer.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::DispatchError;

/// Runs a step; a panic becomes [`DispatchError::Panicked`].
///
/// Asserting unwind safety is right here: what the step could leave half-changed is its own, and
/// is dropped with it.
pub(crate) fn catch<T>(tool: &str, step: impl FnOnce() -> T) -> Result<T, DispatchError> {
    catch_unwind(AssertUnwindSafe(step)).map_err(|payload| panicked(tool, payload))
}

/// As [`catch`], outside a call: a panic becomes its message.
pub(crate) fn caught<T>(step: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(step)).map_err(message_of)
}

/// The error for a panic's payload.
pub(super) fn panicked(tool: &str, payload: Box<dyn Any + Send>) -> DispatchError {
    DispatchError::Panicked {
        tool: tool.to_owned(),
        message: message_of(payload),
    }
}

fn message_of(payload: Box<dyn Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(text) => (*text).to_owned(),
            Err(payload) => {
                // A payload may itself panic when it is dropped.
                drop_quietly(payload);
                "a value that is not text".to_owned()
            }
        },
    }
}

/// Drops a value whose drop may panic; the panic goes no further.
pub(super) fn drop_quietly<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(move || drop(value))) {
        std::mem::forget(payload);
    }
}

/// A value whose drop may panic: wherever a call is given up, the panic goes no further.
pub(super) struct Quiet<T>(Option<T>);

impl<T> Quiet<T> {
    #[inline]
    pub(super) fn new(value: T) -> Self {
        Self(Some(value))
    }

    /// Always there: only [`into_inner`](Self::into_inner) takes it.
    #[inline]
    pub(super) fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    #[inline]
    pub(super) fn into_inner(mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T> Drop for Quiet<T> {
    #[inline]
    fn drop(&mut self) {
        if std::mem::needs_drop::<T>()
            && let Some(value) = self.0.take()
        {
            drop_quietly(value);
        }
    }
}
