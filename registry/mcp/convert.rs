//! The protocol's words for content and questions, and callboard's.
#![allow(
    deprecated,
    reason = "the protocol deprecates sampling and logging, and peers go on using them"
)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    ContentBlock, LoggingLevel, ResourceContents, Role, SamplingMessage,
    SamplingMessageContentBlock,
};

use crate::tool::{Content, LogLevel, ResourceBody, SampleMessage, SampleRole};

/// A piece of content; fails where bytes aren't base64, or the protocol has a new sort.
pub(crate) fn content_of(block: ContentBlock) -> Result<Content, String> {
    Ok(match block {
        ContentBlock::Text(text) => Content::text(text.text),
        ContentBlock::Image(image) => {
            Content::image(bytes_of(&image.data, "a picture")?, image.mime_type)
        }
        ContentBlock::Audio(audio) => {
            Content::audio(bytes_of(&audio.data, "a sound")?, audio.mime_type)
        }
        ContentBlock::ResourceLink(link) => Content::ResourceLink {
            uri: link.uri,
            name: link.name,
            mime_type: link.mime_type,
        },
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents {
                uri,
                mime_type,
                text,
                ..
            } => Content::Resource {
                uri,
                mime_type,
                body: ResourceBody::Text(text),
            },
            ResourceContents::BlobResourceContents {
                uri,
                mime_type,
                blob,
                ..
            } => Content::Resource {
                body: ResourceBody::Bytes(bytes_of(&blob, "a resource")?),
                uri,
                mime_type,
            },
            _ => return Err("a resource is of a sort that callboard doesn't know".to_owned()),
        },
        _ => return Err("a piece of content is of a sort that callboard doesn't know".to_owned()),
    })
}

fn bytes_of(base64: &str, what: &str) -> Result<Vec<u8>, String> {
    STANDARD
        .decode(base64)
        .map_err(|error| format!("{what} is not base64: {error}"))
}

pub(crate) fn level_of(level: LoggingLevel) -> LogLevel {
    match level {
        LoggingLevel::Debug => LogLevel::Debug,
        LoggingLevel::Info => LogLevel::Info,
        LoggingLevel::Notice => LogLevel::Notice,
        LoggingLevel::Warning => LogLevel::Warning,
        LoggingLevel::Error => LogLevel::Error,
        LoggingLevel::Critical => LogLevel::Critical,
        LoggingLevel::Alert => LogLevel::Alert,
        LoggingLevel::Emergency => LogLevel::Emergency,
    }
}

/// A message to or from a model; fails where it holds what callboard has no word for.
pub(crate) fn sample_message_of(message: SamplingMessage) -> Result<SampleMessage, String> {
    let role = match message.role {
        Role::User => SampleRole::User,
        Role::Assistant => SampleRole::Assistant,
    };
    let content = message
        .content
        .into_vec()
        .into_iter()
        .map(|block| match block {
            SamplingMessageContentBlock::Text(text) => content_of(ContentBlock::Text(text)),
            SamplingMessageContentBlock::Image(image) => content_of(ContentBlock::Image(image)),
            SamplingMessageContentBlock::Audio(audio) => content_of(ContentBlock::Audio(audio)),
            _ => Err("a message holds what callboard has no word for".to_owned()),
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(SampleMessage::new(role, content))
}

/// The same on the wire; fails where it holds what the protocol has no place for.
pub(crate) fn sample_message_to_wire(message: SampleMessage) -> Result<SamplingMessage, String> {
    let mut blocks = message
        .content
        .into_iter()
        .map(|piece| match piece {
            Content::Text { text } => Ok(SamplingMessageContentBlock::text(text)),
            Content::Image { data, mime_type } => {
                ContentBlock::image(STANDARD.encode(data), mime_type).try_into()
            }
            Content::Audio { data, mime_type } => {
                ContentBlock::audio(STANDARD.encode(data), mime_type).try_into()
            }
            Content::ResourceLink { .. } | Content::Resource { .. } => {
                Err("what a model says or hears is text, pictures or sounds")
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    let role = match message.role {
        SampleRole::User => Role::User,
        SampleRole::Assistant => Role::Assistant,
    };
    // Older peers know one piece alone.
    Ok(match blocks.pop() {
        Some(only) if blocks.is_empty() => SamplingMessage::new(role, only),
        Some(last) => {
            blocks.push(last);
            SamplingMessage::new_multiple(role, blocks)
        }
        None => SamplingMessage::new_multiple(role, blocks),
    })
}
