//! Features `mcp` and `mcp-server`: the tools of servers as rows, and a registry as a server. A
//! scripted server and a client by hand show faults; real ones, which `cargo xtask peers` installs,
//! show that it works.

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod calls;
mod conformance;
mod conversations;
mod http;
mod life;
mod list;
mod names;
mod peers;
mod policy;
mod python;
mod questions;
mod real;
mod script;
mod served;
mod served_http;
mod serving;
mod web;
