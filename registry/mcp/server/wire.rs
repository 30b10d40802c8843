//! Callboard's words as the protocol's.
#![allow(
    deprecated,
    reason = "the protocol deprecates sampling and logging, and peers go on using them"
)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    ContentBlock, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ElicitationAction, ModelHint, ModelPreferences, Resource, ResourceContents,
};
use serde_json::{Map, Value};

use crate::mcp::convert;
use crate::tool::{
    Content, ElicitRequest, Elicited, LogLevel, PeerError, ResourceBody, SampleRequest, Sampled,
    clipped,
};

pub(super) fn content(piece: &Content) -> ContentBlock {
    match piece {
        Content::Text { text } => ContentBlock::text(text),
        Content::Image { data, mime_type } => ContentBlock::image(STANDARD.encode(data), mime_type),
        Content::Audio { data, mime_type } => ContentBlock::audio(STANDARD.encode(data), mime_type),
        Content::ResourceLink {
            uri,
            name,
            mime_type,
        } => {
            let mut link = Resource::new(uri, name);
            link.mime_type.clone_from(mime_type);
            ContentBlock::resource_link(link)
        }
        Content::Resource {
            uri,
            mime_type,
            body,
        } => ContentBlock::resource(match body {
            ResourceBody::Text(text) => ResourceContents::TextResourceContents {
                uri: uri.clone(),
                mime_type: mime_type.clone(),
                text: text.clone(),
                meta: None,
            },
            ResourceBody::Bytes(bytes) => ResourceContents::BlobResourceContents {
                uri: uri.clone(),
                mime_type: mime_type.clone(),
                blob: STANDARD.encode(bytes),
                meta: None,
            },
        }),
    }
}

pub(super) fn level(level: LogLevel) -> rmcp::model::LoggingLevel {
    use rmcp::model::LoggingLevel;
    match level {
        LogLevel::Debug => LoggingLevel::Debug,
        LogLevel::Info => LoggingLevel::Info,
        LogLevel::Notice => LoggingLevel::Notice,
        LogLevel::Warning => LoggingLevel::Warning,
        LogLevel::Error => LoggingLevel::Error,
        LogLevel::Critical => LoggingLevel::Critical,
        LogLevel::Alert => LoggingLevel::Alert,
        LogLevel::Emergency => LoggingLevel::Emergency,
    }
}

/// A question for a person; fails where the form has what the protocol's forms have not.
pub(super) fn form(request: ElicitRequest) -> Result<ElicitRequestParams, PeerError> {
    let requested_schema =
        serde_json::from_value(request.schema).map_err(|error| PeerError::Unusable {
            problem: format!(
                "a form has texts, numbers, booleans and enums alone: {}",
                clipped(error.to_string())
            ),
        })?;
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: request.message,
        requested_schema,
    })
}

pub(super) fn elicited(result: ElicitResult) -> Elicited<Value> {
    match result.action {
        ElicitationAction::Accept => {
            // A form without fields may be accepted without content.
            Elicited::Accept(result.content.unwrap_or_else(|| Value::Object(Map::new())))
        }
        ElicitationAction::Decline => Elicited::Decline,
        _ => Elicited::Cancel,
    }
}

/// A question for a model; fails where it holds what the protocol has no place for.
pub(super) fn sample(request: SampleRequest) -> Result<CreateMessageRequestParams, PeerError> {
    let messages = request
        .messages
        .into_iter()
        .map(convert::sample_message_to_wire)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|problem| PeerError::Unusable { problem })?;
    let mut params = CreateMessageRequestParams::new(messages, request.max_tokens);
    params.system_prompt = request.system_prompt;
    params.temperature = request.temperature;
    if !request.stop_sequences.is_empty() {
        params.stop_sequences = Some(request.stop_sequences);
    }
    if !request.model_hints.is_empty() {
        let hints = request.model_hints.into_iter().map(ModelHint::new);
        params.model_preferences = Some(ModelPreferences::new().with_hints(hints.collect()));
    }
    Ok(params)
}

pub(super) fn sampled(result: CreateMessageResult) -> Result<Sampled, PeerError> {
    let message =
        convert::sample_message_of(result.message).map_err(|message| PeerError::InvalidAnswer {
            path: "content".to_owned(),
            message,
        })?;
    Ok(Sampled {
        message,
        model: result.model,
        stop_reason: result.stop_reason,
    })
}
