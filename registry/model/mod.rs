//! Models: what is known of one before the program starts, and handles to talk to one.

mod chat;
mod descriptor;
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for generated code alone"
)]
mod factory;
#[allow(
    missing_docs,
    missing_debug_implementations,
    clippy::result_large_err,
    reason = "for constants in generated code alone"
)]
mod gate;
mod registry;
mod row;

pub use chat::{ChatMessage, ChatModel, ChatRole};
pub use descriptor::{Model, ModelDescriptor};
pub use registry::ModelRegistry;

pub(crate) use row::ModelRow;

/// What generated code needs of this module.
pub(crate) mod generated {
    pub use super::factory::{FromProvided, Made, ModelFactory, NotResult, made, provided};
    pub use super::gate::{
        Gate, GateText, UNKNOWN_MODEL, catalogued, distinct, has_capability, has_window,
        not_deprecated,
    };
}
