//! Who may see and run which row: one decision for both.

use std::collections::BTreeSet;
use std::fmt;

use super::context::ToolCallContext;
use super::entry::RegistryEntry;

/// What an [`Authorizer`] says of one row in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The row is shown, and may be run.
    Allow,
    /// The row is neither shown nor run.
    Deny {
        /// Why, for the log; a model is not told.
        reason: String,
    },
}

impl Decision {
    /// A refusal, and why.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: reason.into(),
        }
    }

    /// Whether the row is shown and may be run.
    pub const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allow)
    }
}

/// Decides which rows a context may see and run.
///
/// The registry asks the same function for `definitions_for` and for every call, so a tool that
/// isn't shown can't be run by naming it. A decision should depend on the row and the context
/// alone; one that panics denies.
///
/// ```
/// use callboard::{Authorizer, Decision, RegistryEntry, ToolCallContext};
///
/// let read_only = |row: &RegistryEntry, _: &ToolCallContext| {
///     if row.policy().read_only {
///         Decision::Allow
///     } else {
///         Decision::deny("only reading is allowed here")
///     }
/// };
/// # fn check(_: impl Authorizer) {}
/// # check(read_only);
/// ```
pub trait Authorizer: Send + Sync + 'static {
    /// Whether this context may see and run this row.
    fn decide(&self, row: &RegistryEntry, context: &ToolCallContext) -> Decision;
}

impl<F> Authorizer for F
where
    F: Fn(&RegistryEntry, &ToolCallContext) -> Decision + Send + Sync + 'static,
{
    fn decide(&self, row: &RegistryEntry, context: &ToolCallContext) -> Decision {
        self(row, context)
    }
}

/// Allows the rows that it names, and no others: an empty list allows nothing.
///
/// A registry without an authorizer allows everything; that is another thing than an empty list.
#[derive(Clone, Debug, Default)]
pub struct AllowList {
    names: BTreeSet<String>,
}

impl AllowList {
    /// A list of names.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self {
            names: names.into_iter().map(Into::into).collect(),
        }
    }
}

impl Authorizer for AllowList {
    fn decide(&self, row: &RegistryEntry, _context: &ToolCallContext) -> Decision {
        if self.names.contains(row.name()) {
            Decision::Allow
        } else {
            Decision::deny("not on the allow-list")
        }
    }
}

impl fmt::Debug for dyn Authorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authorizer")
    }
}
