//! Feature `mcp`: the tools of servers as rows. A scripted server shows faults; real ones, which
//! `cargo xtask peers` installs, show that it works.

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod calls;
mod http;
mod life;
mod list;
mod names;
mod peers;
mod policy;
mod questions;
mod real;
mod script;
mod web;
