//! What a model sends as arguments: what is taken, and how what isn't is refused.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "dynamic")]
mod dynamic;
mod limits;
mod numbers;
mod shapes;
