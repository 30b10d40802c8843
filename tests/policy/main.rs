//! Who may run what, for how long, and what a caller gets when something goes wrong.

#[path = "../common/mod.rs"]
mod common;

mod approval;
mod authorize;
mod messages;
mod panics;
mod runtime;
mod time;
