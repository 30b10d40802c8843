//! Callboard is the registry of what an LLM application can do.
//!
//! Put [`#[tool]`](macro@tool) on an `async fn`, and it has typed arguments, a JSON Schema that
//! can't drift from it, a registration with no list to maintain, a build that fails when two tools
//! share a name, a typed call with no JSON in it, and a call by name for what a model asks.
//!
//! ```
//! use callboard::{CapabilityRegistry, ToolCallContext, tool};
//!
//! /// Adds two numbers.
//! #[tool(read_only)]
//! async fn add(left: i64, right: i64) -> i64 {
//!     left + right
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! let registry = CapabilityRegistry::collect()?.seal()?;
//! let ctx = ToolCallContext::new("call_1");
//!
//! let output = registry.dispatch("add", r#"{"left":20,"right":5}"#, &ctx).await?;
//! assert_eq!(output.as_json(), Some("25"));
//!
//! let sum = registry.call::<Add>(AddArgs { left: 20, right: 5 }, &ctx).await?;
//! assert_eq!(sum, 25);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way of a component
//!
//! An attribute emits a *descriptor*, a `static`, into a distributed slice.
//! [`CapabilityRegistry::collect`] reads the slices of the program into a *registry*, a value that
//! the program owns; `register_*` adds what is only known at run time, and
//! [`provide`](CapabilityRegistry::provide) gives tools the state that they inject.
//! [`seal`](CapabilityRegistry::seal) checks everything and gives the [`Registry`] that calls go
//! through. A tool in it is a *row*, a [`RegistryEntry`], wherever the tool lives.
//!
//! # The way of a call
//!
//! Through the typed door ([`Registry::call`]) and the JSON door ([`Registry::dispatch`]), every
//! call takes the same steps: find the row, authorize, decode, approve, run under deadline,
//! cancellation and a panic guard, encode. What can go wrong is a [`DispatchError`]; its
//! [`for_model`](DispatchError::for_model) is what may be handed back to a model. Each call is a
//! [`tracing`](https://docs.rs/tracing) span, `tool_call`, with the tool, the call's id, the row's
//! family, the outcome and the duration; arguments and outputs are not logged.
//!
//! Who may see and run a tool is one decision of one [`Authorizer`]; a call that
//! [requires an approval](Approvals) waits for an [`Approver`], or fails with the request for one.
//!
//! # The choice of a model
//!
//! [`#[model]`](macro@model) gives a model its facts as constants, and [`#[router]`](macro@router)
//! says which models may do a kind of work, in order, and what they must be able to do: the
//! compiler checks it. A [`RouterDefinition`] says the same of models that are only known at run
//! time, and sealing checks it. Either way a sealed registry has a [`ModelRouter`], which
//! [selects](ModelRouter::select) a model for one call, or
//! [tries](ModelRouter::run_with_fallbacks) one after the other.
//!
//! # Features
//!
//! | feature | what it adds | default |
//! |---|---|---|
//! | `catalog` | the model catalog compiled into static tables: `catalog::find` and `ModelCatalog::seed` | yes |
//! | `dynamic` | `DynamicTool`: tools whose schema and handler are given at run time | no |
//! | `mcp` | `mcp`: the tools of MCP servers as rows | no |
//! | `mcp-server` | `mcp`: the registry as an MCP server | no |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod agent;
mod capability;
pub mod catalog;
mod component;
mod distributed;
#[cfg(any(feature = "mcp", feature = "mcp-server"))]
#[cfg_attr(docsrs, doc(cfg(any(feature = "mcp", feature = "mcp-server"))))]
pub mod mcp;
mod model;
mod record;
mod router;
#[doc(hidden)]
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for generated code alone"
)]
pub mod rt;
mod tool;

pub use agent::{Agent, AgentDescriptor, AgentRegistry, Respond};
#[doc = include_str!("docs/agent.md")]
pub use callboard_macros::agent;
#[doc = include_str!("docs/component.md")]
pub use callboard_macros::component;
#[doc = include_str!("docs/model.md")]
pub use callboard_macros::model;
#[doc = include_str!("docs/router.md")]
pub use callboard_macros::router;
#[doc = include_str!("docs/tool.md")]
pub use callboard_macros::tool;
#[doc = include_str!("docs/tools.md")]
pub use callboard_macros::tools;
pub use capability::{
    AliasBinding, CapabilityRegistry, CollectError, Components, Conflict, Diagnostic, LiveRegistry,
    Registry, RegistryError, RegistrySnapshot, SchemaOf, SealError, SealProblem, UnmadeAgent,
};
pub use component::{
    ComponentDescriptor, ComponentId, ComponentIdError, ComponentKind, ComponentMetadata,
    MAX_NAME_LEN, NameError, Origin, ServerLocation, SourceLocation, UnknownKind, check_name,
};
pub use model::{ChatMessage, ChatModel, ChatRole, Model, ModelDescriptor, ModelRegistry};
pub use router::{
    Attempt, Candidate, Choice, FailedAttempt, FallbackError, InvalidRouter, ModelRouter, Need,
    RouteDescriptor, RouteFault, RouteProblem, RouteRole, Router, RouterDefinition,
    RouterDescriptor, RouterFault, SelectError, Served, SkipReason, Skipped, UnknownRoute,
    WorkloadRoute,
};
pub use tokio_util::sync::CancellationToken;
pub use tool::{
    AllowList, Approval, ApprovalDecision, ApprovalError, ApprovalId, ApprovalRequest, Approvals,
    Approver, ArgumentsDigest, Authorizer, BoxFuture, CallError, CallPeer, Content, Decision,
    DispatchError, ElicitRequest, Elicited, FromToolCall, IntoRejection, IntoToolFailure, LogLevel,
    LogMessage, NativeEntry, PeerError, PeerSupport, Progress, RegistryEntry, Requirements,
    ResourceBody, Risk, RowFamily, SampleMessage, SampleRequest, SampleRole, Sampled, State, Tool,
    ToolCall, ToolCallContext, ToolDefinition, ToolDescriptor, ToolFailure, ToolIoMode, ToolOutput,
    ToolPolicy, TraceContext, UnknownRisk,
};
#[cfg(feature = "mcp")]
#[cfg_attr(docsrs, doc(cfg(feature = "mcp")))]
pub use tool::{Bridge, McpEntry, TaskSupport, ToolCapabilities, ToolClaims};
#[cfg(feature = "dynamic")]
#[cfg_attr(docsrs, doc(cfg(feature = "dynamic")))]
pub use tool::{DynamicEntry, DynamicTool};
/// The crates that a tool's argument types need, in the versions that callboard uses.
pub use {schemars, serde, serde_json};

/// The examples in README.md, as tests.
#[cfg(all(doctest, feature = "catalog", feature = "mcp", feature = "mcp-server"))]
#[doc = include_str!("../README.md")]
struct Readme;
