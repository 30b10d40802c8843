//! What a registry holds of one model.

use std::sync::Arc;

use super::{ChatModel, ModelDescriptor};
use crate::catalog::ModelEntry;

/// A model of a registry: a handle, facts, or both.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelRow {
    pub(crate) handle: Option<Arc<dyn ChatModel>>,
    pub(crate) entry: Option<ModelEntry>,
    /// Where the row is that of a [`Model`](super::Model).
    pub(crate) declared: Option<&'static ModelDescriptor>,
}

impl ModelRow {
    pub(crate) fn of_handle(handle: Arc<dyn ChatModel>) -> Self {
        Self {
            handle: Some(handle),
            ..Self::default()
        }
    }

    pub(crate) fn of_entry(entry: ModelEntry) -> Self {
        Self {
            entry: Some(entry),
            ..Self::default()
        }
    }

    pub(crate) fn of_descriptor(descriptor: &'static ModelDescriptor) -> Self {
        Self {
            handle: None,
            entry: Some(descriptor.entry().clone()),
            declared: Some(descriptor),
        }
    }

    /// This row, with what `replaced` knew of the model and this one doesn't.
    pub(crate) fn or_facts_of(mut self, replaced: Self) -> Self {
        self.entry = self.entry.or(replaced.entry);
        self.declared = self.declared.or(replaced.declared);
        self
    }

    /// Whether this is the row of that descriptor.
    pub(crate) fn is_of(&self, descriptor: &'static ModelDescriptor) -> bool {
        self.declared
            .is_some_and(|declared| std::ptr::eq(declared, descriptor))
    }
}
