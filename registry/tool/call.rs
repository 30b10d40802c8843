//! One call, as the tool's side sees it.

use std::fmt;
use std::sync::Arc;

use super::context::ToolCallContext;
use super::entry::RegistryEntry;
use super::table::ToolTable;

/// One call on its way through a registry: its context, its row, and the registry's state.
///
/// It is what [`FromToolCall`](crate::FromToolCall) extracts from.
#[derive(Clone, Copy)]
pub struct ToolCall<'a> {
    pub(super) table: &'a Arc<ToolTable>,
    pub(super) entry: &'a RegistryEntry,
    pub(super) context: &'a ToolCallContext,
    /// What a model asked for; nothing at the typed door.
    pub(super) request: Option<&'a Request<'a>>,
}

/// What comes through the JSON door.
pub(super) struct Request<'a> {
    /// A name or an alias.
    pub(super) tool: &'a str,
    pub(super) arguments: &'a str,
}

impl<'a> ToolCall<'a> {
    /// The name or alias that the caller gave: one that is refused learns no other.
    pub(super) fn asked(&self) -> &'a str {
        self.request.map_or(self.tool(), |request| request.tool)
    }

    /// What the JSON door decodes; empty at the typed one.
    pub(super) fn json(&self) -> &'a str {
        self.request.map_or("", |request| request.arguments)
    }

    /// What accompanies the call.
    pub fn context(&self) -> &'a ToolCallContext {
        self.context
    }

    /// The row that is called.
    pub fn entry(&self) -> &'a RegistryEntry {
        self.entry
    }

    /// The row's name.
    pub fn tool(&self) -> &'a str {
        self.entry.name()
    }

    /// The value of type `T` that the registry was given with `provide`.
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        self.table.provided.get()
    }
}

impl fmt::Debug for ToolCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("tool", &self.tool())
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
