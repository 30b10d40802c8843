//! The only paths that generated code names. No part of it is a promise to anyone else.

pub use crate::agent::{AgentDescriptor, answered, prompt};
pub use crate::catalog::{
    Capabilities, Capability, CapabilitySet, Date, DeclaredModel, Limits, ModelEntry, Part, Prices,
    Support,
};
pub use crate::component::{ComponentDescriptor, ComponentKind, SourceLocation};
#[cfg(not(target_family = "wasm"))]
pub use crate::distributed::{
    CALLBOARD_AGENTS_V1, CALLBOARD_COMPONENTS_V1, CALLBOARD_MODELS_V1, CALLBOARD_ROUTERS_V1,
    CALLBOARD_TOOLS_V1,
};
pub use crate::model::generated::*;
pub use crate::model::{Model, ModelDescriptor};
pub use crate::router::generated::*;
pub use crate::router::{RouteDescriptor, Router, RouterDescriptor, UnknownRoute};
pub use crate::tool::generated::*;
pub use crate::tool::{
    CallError, DispatchError, FromToolCall, IntoRejection, IntoToolFailure, Requirements, Risk,
    State, Tool, ToolCall, ToolDescriptor, ToolIoMode, ToolPolicy,
};
pub use crate::{__callboard_declare as declare, __callboard_guard as guard};
pub use crate::{Agent, BoxFuture, Respond};
#[cfg(not(target_family = "wasm"))]
pub use linkme;
pub use {schemars, serde, serde_json};

/// Takes an `#[inject]` parameter from a call.
pub fn inject<'a, T: FromToolCall<'a>>(call: &ToolCall<'a>) -> Result<T, DispatchError> {
    T::from_tool_call(call).map_err(IntoRejection::into_rejection)
}

/// A parameter that a model fills in.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an argument of a tool",
    label = "a model can't be asked for this type",
    note = "arguments are read from JSON and described by a schema: derive `serde::Deserialize` and `schemars::JsonSchema` for it, or for the types in it, and let it be `Send + 'static`",
    note = "callboard re-exports both crates: with `#[serde(crate = \"callboard::serde\")]` and `#[schemars(crate = \"callboard::schemars\")]` under the derive, no other dependency is needed",
    note = "for a value that the registry or the call provides, put `#[inject]` on the parameter"
)]
pub trait Argument {}

#[diagnostic::do_not_recommend]
impl<T: serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static> Argument for T {}

/// Fails, at the type's own place, where a parameter can't be an argument.
pub const fn assert_argument<T: Argument>() {}

/// Fails, at the type's own place, where an output can be neither written nor shown.
pub const fn assert_output<T: EncodeOutput<CONTENT>, const CONTENT: bool>() {}
