//! What can go wrong between a host and a server, and what a host is told of its connection.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::capability::{RegistryError, SealError};
use crate::component::NameError;
use crate::tool::clipped;

/// Why a server's tools can't be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum McpError {
    /// The server's id breaks the rule of [`check_name`](crate::check_name).
    InvalidServerId(NameError),
    /// Connecting, and reading the list of tools, took too long.
    TimedOut {
        /// The server's id.
        server: String,
        /// How long it may take.
        limit: Duration,
    },
    /// No connection comes about.
    Unreachable {
        /// The server's id.
        server: String,
        /// What stands in the way.
        message: String,
    },
    /// The list of tools can't be read, or breaks a rule; the rows of the last good list stay.
    BadList {
        /// The server's id.
        server: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The registry refuses the tools; its rows stay as they are.
    Refused(RegistryError),
    /// The registry can't be sealed with the tools; its rows stay as they are.
    Unsealed(SealError),
    /// The connection was closed for good.
    Closed {
        /// The server's id.
        server: String,
    },
}

impl McpError {
    pub(super) fn unreachable(server: &str, message: impl fmt::Display) -> Self {
        Self::Unreachable {
            server: server.to_owned(),
            message: clipped(message.to_string()),
        }
    }

    pub(super) fn bad_list(server: &str, problem: impl fmt::Display) -> Self {
        Self::BadList {
            server: server.to_owned(),
            problem: clipped(problem.to_string()),
        }
    }
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidServerId(error) => write!(f, "a server's id can't be used: {error}"),
            Self::TimedOut { server, limit } => write!(
                f,
                "connecting to the server `{server}` and reading its tools took longer than {limit:?}; `with_connect_timeout` gives it more"
            ),
            Self::Unreachable { server, message } => {
                write!(f, "the server `{server}` can't be reached: {message}")
            }
            Self::BadList { server, problem } => {
                write!(
                    f,
                    "the tools of the server `{server}` can't be used: {problem}"
                )
            }
            Self::Refused(error) => write!(f, "a server's tools can't be registered: {error}"),
            Self::Unsealed(error) => write!(f, "with a server's tools, {error}"),
            Self::Closed { server } => {
                write!(f, "the connection to the server `{server}` was closed")
            }
        }
    }
}

impl Error for McpError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::InvalidServerId(error) => Some(error),
            Self::Refused(error) => Some(error),
            Self::Unsealed(error) => Some(error),
            _ => None,
        }
    }
}

/// Something that happened to a connection.
#[derive(Debug)]
#[non_exhaustive]
pub enum McpEvent {
    /// The connection came about, at first or again.
    Connected {
        /// The protocol's version, such as `2026-07-28`.
        protocol: String,
    },
    /// The connection is gone; calls fail until it is back.
    Disconnected {
        /// What happened.
        reason: String,
    },
    /// The next attempt to connect failed.
    ReconnectFailed {
        /// Why.
        error: McpError,
        /// How long until the one after it.
        retry_in: Duration,
    },
    /// The server's tools are others than before.
    ToolsChanged {
        /// How many there are.
        tools: usize,
        /// The version of the registry that has them, where one is followed.
        version: Option<u64>,
    },
    /// The server's tools changed, and can't be taken over: the old rows stay.
    ChangeRefused {
        /// Why.
        error: McpError,
    },
}
