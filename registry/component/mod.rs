//! What every component of an application has: a kind, a name, and words about it.
//!
//! Nothing here knows of tools, models or registries; they build on this.

mod kind;
mod name;
mod source;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use kind::{ComponentKind, UnknownKind};
pub use name::{MAX_NAME_LEN, NameError, check_name};
pub(crate) use name::{closest_names, shorten};
pub use source::{Origin, ServerLocation, SourceLocation};

/// A component's kind and name: what is unique in a registry.
///
/// Written `kind:name`, for example `tool:find_orders`; [`FromStr`] reads the same form.
///
/// ```
/// use callboard::{ComponentId, ComponentKind};
///
/// let id: ComponentId = "tool:find_orders".parse()?;
/// assert_eq!(id.kind(), ComponentKind::Tool);
/// assert_eq!(id.name(), "find_orders");
/// assert_eq!(id.to_string(), "tool:find_orders");
/// assert!("tool:find orders".parse::<ComponentId>().is_err());
/// # Ok::<(), callboard::ComponentIdError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId {
    kind: ComponentKind,
    /// Borrowed where an attribute wrote it: a program may have thousands of those.
    name: Cow<'static, str>,
}

impl ComponentId {
    /// An id, when `name` keeps the rules of [`check_name`].
    pub fn new(kind: ComponentKind, name: impl Into<String>) -> Result<Self, NameError> {
        let name = name.into();
        check_name(&name)?;
        Ok(Self {
            kind,
            name: Cow::Owned(name),
        })
    }

    /// Of a name that an attribute wrote, and has checked.
    pub(crate) const fn written(kind: ComponentKind, name: &'static str) -> Self {
        Self {
            kind,
            name: Cow::Borrowed(name),
        }
    }

    /// The kind: kinds partition the namespace.
    pub fn kind(&self) -> ComponentKind {
        self.kind
    }

    /// The name, unique among the components of its kind.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for ComponentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.name)
    }
}

/// Why a text is not a [`ComponentId`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComponentIdError {
    /// There is no `:` between a kind and a name.
    NoKind,
    /// The part before `:` is not a kind.
    Kind(UnknownKind),
    /// The part after `:` is not a name.
    Name(NameError),
}

impl fmt::Display for ComponentIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKind => {
                f.write_str("a component id is written `kind:name`, as in `tool:find_orders`")
            }
            Self::Kind(error) => error.fmt(f),
            Self::Name(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ComponentIdError {}

impl FromStr for ComponentId {
    type Err = ComponentIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, name) = text.split_once(':').ok_or(ComponentIdError::NoKind)?;
        let kind = kind.parse().map_err(ComponentIdError::Kind)?;
        Self::new(kind, name).map_err(ComponentIdError::Name)
    }
}

impl Serialize for ComponentId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ComponentId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// What a registry says of one component.
///
/// For a component that a macro declared, the description comes from its doc comment and the
/// tags from `tags(…)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComponentMetadata {
    /// Kind and name together.
    pub id: ComponentId,
    /// The kind, as in `id`.
    pub kind: ComponentKind,
    /// Words for a person or a model; may be empty.
    pub description: String,
    /// Labels to select by, sorted, without repeats.
    pub tags: Vec<String>,
    /// Other names of this component, sorted.
    pub aliases: Vec<String>,
}

impl ComponentMetadata {
    /// Metadata with an id and nothing else.
    pub fn new(id: ComponentId) -> Self {
        Self {
            kind: id.kind,
            id,
            description: String::new(),
            tags: Vec::new(),
            aliases: Vec::new(),
        }
    }

    /// Adds words about the component.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds labels.
    #[must_use]
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags.extend(tags.into_iter().map(Into::into));
        self.tags.sort();
        self.tags.dedup();
        self
    }

    /// Takes what `other` has and `self` lacks: used when a component is replaced, so that a
    /// replacement registered in haste doesn't lose the words of the original.
    pub(crate) fn keep_richer(&mut self, other: &Self) {
        if self.description.is_empty() {
            self.description.clone_from(&other.description);
        }
        if self.tags.is_empty() {
            self.tags.clone_from(&other.tags);
        }
    }
}

/// What an attribute knows of a component before the program starts.
///
/// It is the part that all kinds share; a tool's [`ToolDescriptor`](crate::ToolDescriptor) holds
/// one.
#[derive(Debug)]
pub struct ComponentDescriptor {
    kind: ComponentKind,
    name: &'static str,
    description: &'static str,
    tags: &'static [&'static str],
    source: SourceLocation,
}

impl ComponentDescriptor {
    #[doc(hidden)]
    pub const fn __new(
        kind: ComponentKind,
        name: &'static str,
        description: &'static str,
        tags: &'static [&'static str],
        source: SourceLocation,
    ) -> Self {
        Self {
            kind,
            name,
            description,
            tags,
            source,
        }
    }

    /// The component's kind.
    pub const fn kind(&self) -> ComponentKind {
        self.kind
    }

    /// The component's name; the attribute has checked it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The doc comment, or the `description` given; may be empty.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// The labels given with `tags(…)`, as written.
    pub const fn tags(&self) -> &'static [&'static str] {
        self.tags
    }

    /// Whether the component carries this label.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.contains(&tag)
    }

    /// Where the component was declared.
    pub const fn source(&self) -> &SourceLocation {
        &self.source
    }

    /// The same facts, as a registry holds them.
    pub(crate) fn metadata(&self) -> ComponentMetadata {
        ComponentMetadata::new(ComponentId::written(self.kind, self.name))
            .with_description(self.description)
            .with_tags(self.tags.iter().copied())
    }
}
