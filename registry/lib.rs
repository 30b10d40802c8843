//! The registry of an LLM application.

pub mod catalog;
