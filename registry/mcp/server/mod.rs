//! The server's side: a registry for clients to call.

mod answer;
mod call;
mod caller;
mod error;
mod handler;
mod http;
mod list;
mod parked;
mod service;
mod wire;

pub use error::ServeError;
pub use http::{HttpBody, HttpService, http};
pub use service::{McpService, ServedRegistry, serve_stdio};
