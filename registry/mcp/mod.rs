//! The Model Context Protocol: the tools of servers as rows of a registry (feature `mcp`), and a
//! registry as a server (feature `mcp-server`).
//!
//! # Rows from servers
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
//!
//! # Serving
//!
//! `McpService` serves a registry, or whichever version of a `LiveRegistry` is current, over pipes
//! (`serve_stdio`), streamable HTTP (`http`) or any transport of rmcp's. A client that initializes
//! (2025-11-25 and older) and one that doesn't (2026-07-28) see the same tools, sorted by name and
//! in pages: those that the registry's [`Authorizer`](crate::Authorizer) allows in the context of
//! the request. Over HTTP, the request's parts are in that context's extensions.
//!
//! A call goes through [`Registry::dispatch`](crate::Registry::dispatch), and every one of them is
//! answered. A tool that isn't there, or that the client may not see, is the protocol's error
//! -32602; whatever else goes wrong is a result with `isError`, in the words of
//! [`for_model`](crate::DispatchError::for_model). An output is text, and structured content where
//! it is JSON: an object, before 2026-07-28.
//!
//! What a tool tells and asks through its context reaches the client, if it declared that it
//! answers. To a client of 2026-07-28, a question is the answer to the call: the tool waits here,
//! for ten minutes at most, until the client calls again with the answer. It has to come back to
//! the same process.
//!
//! A client that cancels stops its call, and one that leaves all of them; over a pipe, they have
//! five seconds to end. A tool that neither awaits nor looks at
//! [`is_cancelled`](crate::ToolCallContext::is_cancelled) can't be stopped, and keeps its place
//! among the most calls in flight.

#[cfg(feature = "mcp")]
mod client;
mod convert;
#[cfg(feature = "mcp-server")]
mod server;

#[cfg(feature = "mcp")]
#[cfg_attr(docsrs, doc(cfg(feature = "mcp")))]
pub use client::{
    HttpEndpoint, Lifecycle, McpConnection, McpError, McpEvent, McpLimits, McpServer, Naming,
    ServerCommand, connect_all,
};
#[cfg(feature = "mcp-server")]
#[cfg_attr(docsrs, doc(cfg(feature = "mcp-server")))]
pub use server::{
    HttpBody, HttpService, McpService, ServeError, ServedRegistry, http, serve_stdio,
};
