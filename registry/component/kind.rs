//! The twelve kinds of component.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)*) => {
        /// What a component is. The order of the variants is the order of a snapshot.
        ///
        /// As text it is lower case with underscores: `task_store`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum ComponentKind {
            $($(#[$doc])* $variant,)*
        }

        impl ComponentKind {
            /// All kinds, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The kind as text, as `Display` and serde write it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

kinds! {
    /// A model that the application may use.
    Model = "model",
    /// A function that a model may call.
    Tool = "tool",
    /// A graph of steps.
    Graph = "graph",
    /// Something that answers a prompt.
    Agent = "agent",
    /// A choice between models or steps.
    Router = "router",
    /// A function that folds updates into a state.
    Reducer = "reducer",
    /// A place where state is kept.
    Store = "store",
    /// A script that the application may run.
    Script = "script",
    /// A layer around calls.
    Middleware = "middleware",
    /// What saves and restores the state of a run.
    Checkpointer = "checkpointer",
    /// Where tasks that outlive a request are kept.
    TaskStore = "task_store",
    /// What is told of events.
    Listener = "listener",
}

impl ComponentKind {
    /// Whether a component of this kind is a name with words, and no handle of a type that
    /// callboard knows: these are registered with `register_descriptor` or `component!`.
    pub const fn is_name_only(self) -> bool {
        !matches!(self, Self::Model | Self::Tool | Self::Agent)
    }
}

impl fmt::Display for ComponentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that is not the name of a [`ComponentKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKind(pub(crate) String);

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a kind of component; the kinds are", self.0)?;
        for (position, kind) in ComponentKind::ALL.iter().enumerate() {
            write!(f, "{} {kind}", if position == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownKind {}

impl FromStr for ComponentKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| UnknownKind(text.to_owned()))
    }
}
