//! The registry of an LLM application.
