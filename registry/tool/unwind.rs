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

/// The error for a panic's payload.
pub(super) fn panicked(tool: &str, payload: Box<dyn Any + Send>) -> DispatchError {
    let message = match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(text) => (*text).to_owned(),
            Err(payload) => {
                // A payload may itself panic when it is dropped.
                drop_quietly(payload);
                "a value that is not text".to_owned()
            }
        },
    };
    DispatchError::Panicked {
        tool: tool.to_owned(),
        message,
    }
}

/// Drops a value whose drop may panic; the panic goes no further.
pub(super) fn drop_quietly<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(move || drop(value))) {
        std::mem::forget(payload);
    }
}
