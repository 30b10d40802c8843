//! A model as an application talks to it.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tool::BoxFuture;

/// A model that a conversation can be sent to.
///
/// It is the least that a registry needs to hand models out; a host's own client stands behind
/// it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model that can be talked to",
    label = "no `ChatModel` for this type",
    note = "implement `callboard::ChatModel` for it: the client that stands behind it, and the provider's id of the model"
)]
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

macro_rules! behind_a_pointer {
    ($($pointer:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<M: ChatModel + ?Sized> ChatModel for $pointer<M> {
            fn model_id(&self) -> &str {
                (**self).model_id()
            }

            fn chat<'a>(
                &'a self,
                messages: &'a [ChatMessage],
            ) -> BoxFuture<'a, Result<ChatMessage, Box<dyn Error + Send + Sync>>> {
                (**self).chat(messages)
            }
        }
    )*};
}
behind_a_pointer!(Arc, Box);

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
