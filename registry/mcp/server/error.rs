//! Why serving ends before its time.

use std::error::Error;
use std::fmt;

/// Why a registry can't be served on a connection.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// Client and server don't come to speak.
    Handshake {
        /// What stands in the way.
        message: String,
    },
    /// The program's standard streams can't be used.
    Streams {
        /// What stands in the way.
        message: String,
    },
    /// The connection's task panicked.
    Broken,
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handshake { message } => {
                write!(f, "client and server don't come to speak: {message}")
            }
            Self::Streams { message } => {
                write!(f, "the standard streams can't be used: {message}")
            }
            Self::Broken => f.write_str("the connection's task panicked"),
        }
    }
}

impl Error for ServeError {}
