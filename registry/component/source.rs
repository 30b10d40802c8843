//! Where a component comes from, so that a conflict can show both places.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use serde::Serialize;

/// The place in a program's source where an attribute declared a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct SourceLocation {
    /// The package, as Cargo names it: `my-tools`.
    pub crate_name: &'static str,
    /// The package's version.
    pub crate_version: &'static str,
    /// The module, beginning with the crate: `my_tools::orders`.
    pub module_path: &'static str,
    /// The file, as the compiler was given it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl SourceLocation {
    #[doc(hidden)]
    pub const fn __new(
        crate_name: Option<&'static str>,
        crate_version: Option<&'static str>,
        module_path: &'static str,
        file: &'static str,
        line: u32,
        column: u32,
    ) -> Self {
        Self {
            // A build without Cargo sets neither variable.
            crate_name: match crate_name {
                Some(name) => name,
                None => module_path,
            },
            crate_version: match crate_version {
                Some(version) => version,
                None => "",
            },
            module_path,
            file,
            line,
            column,
        }
    }

    /// Whether this place is in the crate that code calls `name` (`my_tools`) or Cargo calls so
    /// (`my-tools`).
    pub(crate) fn is_in_crate(&self, name: &str) -> bool {
        let in_code = name.replace('-', "_");
        self.module_path.split("::").next() == Some(&in_code)
            || self.crate_name.replace('-', "_") == in_code
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{} (in {} {})",
            self.file, self.line, self.column, self.crate_name, self.crate_version
        )
    }
}

/// Where a component of a registry comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// An attribute declared it there.
    Declared(&'static SourceLocation),
    /// A call of a `register_*` or `replace_*` method there put it in.
    Registered(&'static Location<'static>),
    /// A server listed it, and a call there put it in.
    Server(Arc<ServerLocation>),
}

/// The place of a component that lives on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLocation {
    /// The server's id.
    pub server_id: Arc<str>,
    /// What the server calls the component.
    pub wire_name: Arc<str>,
    /// Where the server's components were registered.
    pub registered: &'static Location<'static>,
}

impl fmt::Display for ServerLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            server_id,
            wire_name,
            registered,
        } = self;
        write!(
            f,
            "`{wire_name}` of the server `{server_id}`, registered at {}:{}:{}",
            registered.file(),
            registered.line(),
            registered.column()
        )
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared(source) => write!(f, "declared at {source}"),
            Self::Registered(place) => write!(
                f,
                "registered at {}:{}:{}",
                place.file(),
                place.line(),
                place.column()
            ),
            Self::Server(place) => place.fmt(f),
        }
    }
}
