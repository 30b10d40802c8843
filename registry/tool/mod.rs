//! Tools: what is known of one, what accompanies a call, and the pipeline that makes it.

mod approval;
mod authorize;
mod call;
#[cfg(any(feature = "dynamic", feature = "mcp"))]
mod checked;
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
mod interaction;
#[cfg(feature = "mcp")]
mod mcp;
mod output;
mod policy;
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for generated code alone"
)]
mod probe;
mod schema;
#[cfg(any(feature = "dynamic", feature = "mcp"))]
mod schema_work;
mod strict;
mod table;
mod trace;
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
pub use interaction::{
    CallPeer, ElicitRequest, Elicited, LogLevel, LogMessage, PeerError, PeerSupport, Progress,
    SampleMessage, SampleRequest, SampleRole, Sampled,
};
#[cfg(feature = "mcp")]
pub use mcp::{Bridge, McpEntry, TaskSupport, ToolCapabilities, ToolClaims};
pub use output::{Content, ResourceBody, ToolOutput};
pub use policy::{Risk, ToolIoMode, ToolPolicy, UnknownRisk};
pub use trace::TraceContext;

#[cfg(feature = "mcp")]
pub(crate) use checked::{CheckedSchema, MOST_PATTERNS, Wrong};
#[cfg(any(feature = "mcp", feature = "mcp-server"))]
pub(crate) use decode::clipped;
pub(crate) use inject::Provided;
#[cfg(feature = "mcp")]
pub(crate) use mcp::{McpCaller, McpTool};
#[cfg(feature = "mcp")]
pub(crate) use schema::depth;
pub(crate) use schema::input_problem;
#[cfg(feature = "mcp-server")]
pub(crate) use schema::without_draft;
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
