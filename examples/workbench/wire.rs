//! The shapes in which two providers ask for calls, and in which they take the answers.

use callboard::catalog::{ModelCatalog, ModelEntry, Usage, UsageError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A recorded answer of a model.
pub(crate) struct Recording {
    pub(crate) provider: Provider,
    pub(crate) model: String,
    pub(crate) usage: Usage,
    pub(crate) calls: Vec<Call>,
}

/// Whose shape a recording has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provider {
    OpenAi,
    Anthropic,
}

/// One call that a model asks for.
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) tool: String,
    /// The JSON text of the arguments, for dispatch to read.
    pub(crate) arguments: String,
}

/// The answer to one call.
pub(crate) struct Reply {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// `POST /v1/chat/completions` of OpenAI.
#[derive(Deserialize)]
struct ChatCompletion {
    model: String,
    choices: Vec<Choice>,
    usage: Value,
}

#[derive(Deserialize)]
struct Choice {
    message: ChatMessage,
}

#[derive(Deserialize)]
struct ChatMessage {
    #[serde(default)]
    tool_calls: Vec<ChatToolCall>,
}

#[derive(Deserialize)]
struct ChatToolCall {
    id: String,
    function: ChatFunction,
}

#[derive(Deserialize)]
struct ChatFunction {
    name: String,
    arguments: String,
}

/// `POST /v1/messages` of Anthropic.
#[derive(Deserialize)]
struct Message {
    model: String,
    content: Vec<Block>,
    usage: Value,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    #[serde(other)]
    Other,
}

/// What tells the shapes apart; both name it.
#[derive(Deserialize)]
struct Kind {
    object: Option<String>,
    r#type: Option<String>,
}

/// Reads a recording in either shape.
pub(crate) fn read(text: &str) -> Result<Recording, String> {
    let kind: Kind = parse(text)?;
    match (kind.object.as_deref(), kind.r#type.as_deref()) {
        (Some("chat.completion"), _) => parse::<ChatCompletion>(text)?.try_into(),
        (_, Some("message")) => parse::<Message>(text)?.try_into(),
        _ => Err(
            "neither `\"object\": \"chat.completion\"` (OpenAI) nor `\"type\": \"message\"` (Anthropic) is in it"
                .to_owned(),
        ),
    }
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| error.to_string())
}

impl TryFrom<ChatCompletion> for Recording {
    type Error = String;

    fn try_from(completion: ChatCompletion) -> Result<Self, String> {
        Ok(Self {
            provider: Provider::OpenAi,
            model: completion.model,
            usage: counted(Usage::from_openai_chat(&completion.usage))?,
            calls: completion
                .choices
                .into_iter()
                .flat_map(|choice| choice.message.tool_calls)
                .map(|call| Call {
                    id: call.id,
                    tool: call.function.name,
                    arguments: call.function.arguments,
                })
                .collect(),
        })
    }
}

impl TryFrom<Message> for Recording {
    type Error = String;

    fn try_from(message: Message) -> Result<Self, String> {
        Ok(Self {
            provider: Provider::Anthropic,
            model: message.model,
            usage: counted(Usage::from_anthropic(&message.usage))?,
            calls: message
                .content
                .into_iter()
                .filter_map(|block| match block {
                    Block::ToolUse { id, name, input } => Some(Call {
                        id,
                        tool: name,
                        arguments: input.to_string(),
                    }),
                    Block::Other => None,
                })
                .collect(),
        })
    }
}

fn counted(usage: Result<Usage, UsageError>) -> Result<Usage, String> {
    usage.map_err(|error| format!("usage: {error}"))
}

impl Recording {
    /// What the catalog says of the model that was recorded.
    pub(crate) fn entry(&self) -> Option<&'static ModelEntry> {
        ModelCatalog::seed().get(self.provider.key(), &self.model)
    }
}

#[derive(Serialize)]
struct ToolResult<'a> {
    r#type: &'static str,
    tool_use_id: &'a str,
    content: &'a str,
    is_error: bool,
}

impl Provider {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "OpenAI",
            Self::Anthropic => "Anthropic",
        }
    }

    /// The provider in the catalog.
    fn key(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// The messages that go back to the model: one a call, or all in one.
    pub(crate) fn replies(self, replies: &[Reply]) -> Vec<Value> {
        match self {
            Self::OpenAi => replies
                .iter()
                .map(|reply| json!({ "role": "tool", "tool_call_id": reply.id, "content": reply.text }))
                .collect(),
            Self::Anthropic => {
                let content: Vec<_> = replies
                    .iter()
                    .map(|reply| ToolResult {
                        r#type: "tool_result",
                        tool_use_id: &reply.id,
                        content: &reply.text,
                        is_error: reply.is_error,
                    })
                    .collect();
                vec![json!({ "role": "user", "content": content })]
            }
        }
    }
}
