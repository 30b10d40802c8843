//! The registry of an LLM application.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod agent;
mod capability;
mod component;
mod distributed;
mod model;
#[doc(hidden)]
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for generated code alone"
)]
pub mod rt;
mod tool;

pub use agent::{Agent, AgentDescriptor, AgentRegistry, Respond};
pub use callboard_macros::{agent, component, tool, tools};
pub use capability::*;
pub use component::{
    ComponentDescriptor, ComponentId, ComponentIdError, ComponentKind, ComponentMetadata,
    MAX_NAME_LEN, NameError, Origin, SourceLocation, UnknownKind, check_name,
};
pub use model::{ChatMessage, ChatModel, ChatRole, ModelRegistry};
pub use tokio_util::sync::CancellationToken;
pub use tool::*;
pub use {schemars, serde, serde_json};
