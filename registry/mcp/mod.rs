//! The Model Context Protocol: the tools of servers as rows of a registry.
//!
//! A tool that lives on a server is called as any other is: by name, through
//! [`Registry::dispatch`](crate::Registry::dispatch), with the same authorization, approval,
//! deadline and cancellation. Its row, an [`McpEntry`](crate::McpEntry), knows the way.
//!
//! ```no_run
//! use std::sync::Arc;
//! use callboard::mcp::{McpServer, Naming, ServerCommand, connect_all};
//! use callboard::{CapabilityRegistry, LiveRegistry, ToolCallContext};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let files = ServerCommand::new("mcp-server-filesystem").args(["/srv/data"]);
//! let servers = [
//!     McpServer::stdio("files", files).with_naming(Naming::Namespaced),
//!     McpServer::http("weather", "https://weather.example/mcp"),
//! ];
//!
//! // The program's own tools, and those of the servers that can be reached.
//! let live = Arc::new(LiveRegistry::new(CapabilityRegistry::collect()?.seal()?));
//! let mut connections = Vec::new();
//! for connected in connect_all(servers).await {
//!     match connected {
//!         Ok(connection) => {
//!             connection.publish_into(&live)?;
//!             connections.push(connection);
//!         }
//!         Err(error) => eprintln!("{error}"),
//!     }
//! }
//!
//! let ctx = ToolCallContext::new("call_1");
//! let arguments = r#"{"path":"/srv/data/notes.txt"}"#;
//! let output = live.current().dispatch("files.read_text_file", arguments, &ctx).await?;
//! println!("{}", output.to_text());
//! # Ok(())
//! # }
//! ```
//!
//! # Names
//!
//! A tool has the name that its server gives it, one below the server's id, or one of the host's
//! choice ([`Naming`]); the server always hears its own. A name that is taken is an error that
//! shows both places, be it taken by a function of the program or by another server.
//!
//! # What is believed
//!
//! What a server says of its tools are claims. Schemas are carried as they came, and annotations
//! are recorded ([`McpEntry::claims`](crate::McpEntry::claims)), but a tool has the policy of one
//! that says nothing, unless the host [trusts](McpServer::trust_annotations) the server. An
//! approval is for the tool in the server's very words: when they change, it is void. Everything
//! that comes is [bounded](McpLimits), and an answer is checked against the schema that the tool
//! declares for it.
//!
//! # While the server is away
//!
//! Calls fail with [`Disconnected`](crate::DispatchError::Disconnected), at once. The connection is
//! tried anew, for as long as it takes, each attempt twice as late as the one before. What happens
//! is told to [`McpServer::on_event`].
//!
//! # When its tools change
//!
//! A [`LiveRegistry`](crate::LiveRegistry) that [follows](McpConnection::publish_into) the
//! connection gets a version for each change that passes the checks. One that doesn't leaves the
//! rows as they were.
//!
//! # What a server may ask
//!
//! Progress goes to whoever made the call, in the order in which it was sent. A server may ask a
//! person or a model only where the host says who answers: [`McpServer::with_peer`] for the whole
//! connection, or [`McpServer::ask_callers`] for the peer of the call.
//!
//! # What is not carried
//!
//! The annotations and metadata of pieces of content; the members of a tool's definition that
//! rmcp has no field for, such as `execution`; tasks. Resources and prompts of a server are no
//! tools, and not here.

mod client;
mod convert;

pub use client::{
    HttpEndpoint, Lifecycle, McpConnection, McpError, McpEvent, McpLimits, McpServer, Naming,
    ServerCommand, connect_all,
};
