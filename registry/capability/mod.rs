//! The registry: filled, looked up, written down, sealed, and published anew.

mod builder;
mod collect;
mod components;
mod error;
mod live;
mod registry;
mod routers;
mod seal;
mod snapshot;

pub use builder::CapabilityRegistry;
pub use components::Components;
pub use error::{CollectError, Conflict, RegistryError, SealError, SealProblem, UnmadeAgent};
pub use live::LiveRegistry;
pub use registry::Registry;
pub use snapshot::{AliasBinding, Diagnostic, RegistrySnapshot, SchemaOf};
