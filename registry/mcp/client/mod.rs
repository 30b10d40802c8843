//! The client's side: servers' tools as rows.

mod call;
mod connection;
mod error;
mod life;
mod list;
mod sampling;
mod server;
mod session;
mod transport;

pub use connection::{McpConnection, connect_all};
pub use error::{McpError, McpEvent};
pub use server::{HttpEndpoint, Lifecycle, McpLimits, McpServer, Naming, ServerCommand};
