//! Tools: what is known of one, what accompanies a call, and the pipeline that makes it.

mod approval;
mod authorize;
mod call;
mod context;
mod decode;
mod definition;
mod descriptor;
mod dispatch;
#[cfg(feature = "dynamic")]
mod dynamic;
mod entry;
mod error;
mod failure;
mod forgive;
mod guard;
mod inject;
mod output;
mod policy;
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for generated code alone"
)]
mod probe;
mod schema;
#[cfg(feature = "dynamic")]
mod schema_work;
mod strict;
mod table;
pub(crate) mod unwind;
mod words;

pub use approval::{
    Approval, ApprovalDecision, ApprovalError, ApprovalId, ApprovalRequest, Approvals, Approver,
    ArgumentsDigest,
};
pub use authorize::{AllowList, Authorizer, Decision};
pub use call::ToolCall;
pub use context::ToolCallContext;
pub use definition::ToolDefinition;
pub use descriptor::{BoxFuture, Tool, ToolDescriptor};
#[cfg(feature = "dynamic")]
pub use dynamic::{DynamicEntry, DynamicTool};
pub use entry::{NativeEntry, RegistryEntry, RowFamily};
pub use error::{CallError, DispatchError};
pub use failure::{IntoToolFailure, ToolFailure};
pub use inject::{FromToolCall, IntoRejection, Requirements, State};
pub use output::{Content, ToolOutput};
pub use policy::{Risk, ToolIoMode, ToolPolicy, UnknownRisk};

pub(crate) use inject::Provided;
pub(crate) use schema::input_problem;
pub(crate) use table::{Rules, ToolTable};

/// What generated code needs of this module.
pub(crate) mod generated {
    pub use super::descriptor::{ArgsToJson, Invoke, ToolParts};
    pub use super::dispatch::run_blocking;
    pub use super::inject::Provided;
    pub use super::output::EncodeOutput;
    pub use super::probe::{
        CloneIf, DebugIf, DeserializeIf, JsonDoorOf, Otherwise, Probe, Returned, SerializeIf,
    };
}
