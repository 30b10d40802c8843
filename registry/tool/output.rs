//! What a call through the JSON door gives back.

use std::borrow::Cow;

use serde::Serialize;

use super::error::DispatchError;
use super::unwind;

/// One piece of what a tool shows: text, or something that a model can see or hear.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// The bytes of the picture, in the format that `mime_type` names.
        data: Vec<u8>,
        /// For example `image/png`.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// The bytes of the sound, in the format that `mime_type` names.
        data: Vec<u8>,
        /// For example `audio/wav`.
        mime_type: String,
    },
    /// A link to something that the host can fetch.
    ResourceLink {
        /// Where it is.
        uri: String,
        /// A short name for it.
        name: String,
        /// Its type, when known.
        mime_type: Option<String>,
    },
    /// Something that has an address of its own, and comes along whole.
    Resource {
        /// Its address.
        uri: String,
        /// Its type, when known.
        mime_type: Option<String>,
        /// What is there.
        body: ResourceBody,
    },
}

/// What is at a resource's address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceBody {
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Content {
    /// A piece of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// A picture: its bytes, and their type, such as `image/png`.
    pub fn image(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::Image {
            data: data.into(),
            mime_type: mime_type.into(),
        }
    }

    /// A sound: its bytes, and their type, such as `audio/wav`.
    pub fn audio(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::Audio {
            data: data.into(),
            mime_type: mime_type.into(),
        }
    }

    /// A link with a short name.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink {
            uri: uri.into(),
            name: name.into(),
            mime_type: None,
        }
    }

    /// The text, when this piece is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            _ => None,
        }
    }
}

/// The outcome of a call through the JSON door: one JSON text, or pieces of content, or both.
///
/// A tool that returns `Content` or `Vec<Content>` gives pieces; every other output is written
/// as JSON, once. A tool on a server may give both: the JSON for programs, and the same in pieces
/// for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput {
    body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Body {
    Json(String),
    Content(Vec<Content>),
    /// The same outcome twice: for programs, and for a model.
    Both(String, Vec<Content>),
}

impl ToolOutput {
    /// Writes a value as JSON.
    ///
    /// # Errors
    ///
    /// The error of its `Serialize`, such as a map whose keys aren't text.
    pub fn json_of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(|json| Self {
            body: Body::Json(json),
        })
    }

    /// Pieces of content, in the order in which they are shown.
    pub fn content(pieces: impl Into<Vec<Content>>) -> Self {
        Self {
            body: Body::Content(pieces.into()),
        }
    }

    /// Adds the same outcome as JSON, for programs: pieces of content are for a model.
    ///
    /// # Errors
    ///
    /// The error of its `Serialize`, such as a map whose keys aren't text.
    pub fn with_json_of<T: Serialize + ?Sized>(self, value: &T) -> Result<Self, serde_json::Error> {
        let json = serde_json::to_string(value)?;
        Ok(Self {
            body: match self.body {
                Body::Json(_) => Body::Json(json),
                Body::Content(pieces) | Body::Both(_, pieces) => Body::Both(json, pieces),
            },
        })
    }

    /// The JSON text, when there is one.
    pub fn as_json(&self) -> Option<&str> {
        match &self.body {
            Body::Json(json) | Body::Both(json, _) => Some(json),
            Body::Content(_) => None,
        }
    }

    /// The pieces of content, when there are such.
    pub fn as_content(&self) -> Option<&[Content]> {
        match &self.body {
            Body::Json(_) => None,
            Body::Content(pieces) | Body::Both(_, pieces) => Some(pieces),
        }
    }

    /// The output as a plain message to a model: JSON as it is, except that a JSON string stands
    /// without quotes; of content, the texts, and a word in brackets for each other piece. Where
    /// there are both, the content; the JSON where the content is empty.
    ///
    /// ```
    /// use callboard::{Content, ToolOutput};
    ///
    /// assert_eq!(ToolOutput::json_of(&[1, 2])?.to_text(), "[1,2]");
    /// assert_eq!(ToolOutput::json_of("two\nlines")?.to_text(), "two\nlines");
    /// let chart = ToolOutput::content([Content::text("See:"), Content::image([0u8; 4], "image/png")]);
    /// assert_eq!(chart.to_text(), "See:\n[image/png, 4 bytes]");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn to_text(&self) -> Cow<'_, str> {
        match &self.body {
            Body::Both(json, pieces) if pieces.is_empty() => unquoted(json),
            Body::Json(json) => unquoted(json),
            Body::Content(pieces) | Body::Both(_, pieces) => match pieces.as_slice() {
                [Content::Text { text }] => Cow::Borrowed(text),
                pieces => Cow::Owned(pieces.iter().map(describe).collect::<Vec<_>>().join("\n")),
            },
        }
    }
}

fn unquoted(json: &str) -> Cow<'_, str> {
    if !json.starts_with('"') {
        return Cow::Borrowed(json);
    }
    match serde_json::from_str(json) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Borrowed(json),
    }
}

fn describe(piece: &Content) -> String {
    match piece {
        Content::Text { text } => text.clone(),
        Content::Image { data, mime_type } | Content::Audio { data, mime_type } => {
            format!("[{mime_type}, {} bytes]", data.len())
        }
        Content::ResourceLink { uri, name, .. } => format!("[{name}: {uri}]"),
        Content::Resource { uri, body, .. } => match body {
            ResourceBody::Text(text) => text.clone(),
            ResourceBody::Bytes(bytes) => format!("[{uri}, {} bytes]", bytes.len()),
        },
    }
}

/// An output that is pieces of content rather than a value to write as JSON.
#[doc(hidden)]
pub trait ContentOutput {
    fn into_content(self) -> ToolOutput;
}

impl ContentOutput for Content {
    fn into_content(self) -> ToolOutput {
        ToolOutput::content([self])
    }
}

impl ContentOutput for Vec<Content> {
    fn into_content(self) -> ToolOutput {
        ToolOutput::content(self)
    }
}

impl ContentOutput for ToolOutput {
    fn into_content(self) -> ToolOutput {
        self
    }
}

/// The last step of the JSON door. `CONTENT` tells which of the two ways applies: a type can't
/// be asked at compile time in generic code, so the attribute asks (see [`super::probe`]).
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the output of a tool",
    label = "it can't be written as JSON for a model",
    note = "derive `serde::Serialize` for it, or for the types in it, and let it be `Send + 'static`; or return `callboard::Content` or `Vec<callboard::Content>`"
)]
#[doc(hidden)]
pub trait EncodeOutput<const CONTENT: bool>: Send + 'static {
    fn encode(self, tool: &str) -> Result<ToolOutput, DispatchError>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + Send + 'static> EncodeOutput<false> for T {
    fn encode(self, tool: &str) -> Result<ToolOutput, DispatchError> {
        unwind::catch(tool, move || ToolOutput::json_of(&self))?.map_err(|error| {
            DispatchError::Unencodable {
                tool: tool.to_owned(),
                message: error.to_string(),
            }
        })
    }
}

impl<T: ContentOutput + Send + 'static> EncodeOutput<true> for T {
    fn encode(self, _tool: &str) -> Result<ToolOutput, DispatchError> {
        Ok(self.into_content())
    }
}
