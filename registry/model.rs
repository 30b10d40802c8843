//! Models as an application holds them: handles to talk to, by name.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tool::BoxFuture;

/// A model that a conversation can be sent to.
///
/// It is the least that a registry needs to hand models out; a host's own client stands behind
/// it.
pub trait ChatModel: Send + Sync + 'static {
    /// The provider's id of the model, such as `gpt-4o`.
    fn model_id(&self) -> &str;

    /// Sends the conversation, and gives the model's next message.
    ///
    /// # Errors
    ///
    /// The client's own error.
    fn chat<'a>(
        &'a self,
        messages: &'a [ChatMessage],
    ) -> BoxFuture<'a, Result<ChatMessage, Box<dyn Error + Send + Sync>>>;
}

impl fmt::Debug for dyn ChatModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChatModel").field(&self.model_id()).finish()
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: ChatRole,
    /// What is said.
    pub content: String,
}

/// Who speaks in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChatRole {
    /// The application.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

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
