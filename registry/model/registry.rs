//! The handles of a registry's models, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ChatModel;

/// The models of a registry, by name and by alias: an alias is bound to the same handle.
#[derive(Clone, Debug, Default)]
pub struct ModelRegistry {
    models: BTreeMap<String, Arc<dyn ChatModel>>,
}

impl ModelRegistry {
    pub(crate) fn new(models: BTreeMap<String, Arc<dyn ChatModel>>) -> Self {
        Self { models }
    }

    /// The model of this name or alias.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn ChatModel>> {
        self.models.get(name)
    }

    /// Names and aliases with their handles, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<dyn ChatModel>)> {
        self.models
            .iter()
            .map(|(name, model)| (name.as_str(), model))
    }

    /// How many names and aliases there are.
    pub fn len(&self) -> usize {
        self.models.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }
}
