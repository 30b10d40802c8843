//! The row of a tool that lives on an MCP server: what the server says of it, what the host makes
//! of that, and the way there.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::approval::Arguments;
use super::call::ToolCall;
use super::checked::CheckedSchema;
use super::context::ToolCallContext;
use super::decode;
use super::descriptor::BoxFuture;
use super::dispatch::Door;
use super::entry::RowFamily;
use super::error::DispatchError;
use super::output::ToolOutput;
use super::policy::{ToolIoMode, ToolPolicy};
use super::unwind::Quiet;
use crate::component::{Origin, ServerLocation};

/// What a server makes known of how its tool behaves, and what this connection lets it do. Where
/// the server says nothing, the value is the one that promises less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolCapabilities {
    /// Whether a call may be turned into a task that outlives it.
    pub task_support: TaskSupport,
    /// The server declares what the tool returns, and every answer is checked against it.
    pub output_schema: bool,
    /// The server promises progress. No version of the protocol has a word for it, so this is
    /// `false`; progress that does come is passed on all the same.
    pub emits_progress: bool,
    /// The tool may ask a person: the host takes such questions on this connection.
    pub may_elicit: bool,
    /// The tool may ask a model: the host takes such questions on this connection.
    pub may_sample: bool,
    /// How arguments go in and results come out.
    pub io_mode: ToolIoMode,
    /// How calls get to the server.
    pub bridge: Bridge,
    /// What else a host should know, in words.
    pub notes: Vec<String>,
}

/// Whether a call may be turned into a task that outlives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskSupport {
    /// The server says nothing: calls are answered, and nothing else.
    #[default]
    NotStated,
    /// The server has the tasks extension. Callboard doesn't declare it, so calls are answered.
    Server,
}

/// How calls get to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Bridge {
    /// Through the pipes of a process on this machine.
    Stdio,
    /// Over HTTP.
    Http,
    /// Over a transport that the host made.
    Transport,
}

impl Bridge {
    /// `stdio`, `http` or `transport`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Transport => "transport",
        }
    }
}

/// What a server claims of its tool, in its own words: `None` where it claims nothing.
///
/// These are claims. They count for the row's [`ToolPolicy`] only when the host trusts the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolClaims {
    /// `readOnlyHint`
    pub read_only: Option<bool>,
    /// `destructiveHint`
    pub destructive: Option<bool>,
    /// `idempotentHint`
    pub idempotent: Option<bool>,
    /// `openWorldHint`
    pub open_world: Option<bool>,
}

impl ToolClaims {
    /// The policy of a tool whose claims are believed; what isn't claimed is as
    /// [`ToolPolicy::unstated`] has it.
    pub(crate) fn believed(self) -> ToolPolicy {
        let mut policy = ToolPolicy::unstated();
        if self.read_only == Some(true) {
            policy = ToolPolicy::read_only();
        } else {
            policy.destructive = self.destructive.unwrap_or(policy.destructive);
            policy.idempotent = self.idempotent.unwrap_or(policy.idempotent);
        }
        policy.open_world = self.open_world.unwrap_or(policy.open_world);
        policy
    }
}

/// The row's way to its server.
pub(crate) trait McpCaller: Send + Sync {
    fn call<'a>(
        &'a self,
        tool: &'a McpTool,
        arguments: Map<String, Value>,
        context: &'a ToolCallContext,
    ) -> BoxFuture<'a, Result<ToolOutput, DispatchError>>;
}

/// One tool of a server, as the host registers it.
pub(crate) struct McpTool {
    pub(crate) name: String,
    pub(crate) wire_name: Arc<str>,
    pub(crate) server_id: Arc<str>,
    pub(crate) policy: ToolPolicy,
    pub(crate) capabilities: ToolCapabilities,
    pub(crate) claims: ToolClaims,
    /// As the server sent it.
    pub(crate) definition: Value,
    /// The digest of `definition`: an approval is for no other.
    pub(crate) version: String,
    pub(crate) output: Option<CheckedSchema>,
}

impl McpTool {
    /// Whether both are the same tool under the same name, and the same in the server's words.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.wire_name == other.wire_name
            && self.version == other.version
            && self.policy == other.policy
            && self.capabilities == other.capabilities
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.definition.get(key)?.as_str()
    }
}

/// A row for a tool of an MCP server.
#[derive(Clone)]
pub struct McpEntry {
    tool: Arc<McpTool>,
    server: Arc<dyn McpCaller>,
    registered: &'static Location<'static>,
}

impl McpEntry {
    pub(crate) fn new(
        tool: Arc<McpTool>,
        server: Arc<dyn McpCaller>,
        registered: &'static Location<'static>,
    ) -> Self {
        Self {
            tool,
            server,
            registered,
        }
    }

    /// The name by which it is called here.
    pub fn name(&self) -> &str {
        &self.tool.name
    }

    /// The server that has it.
    pub fn server_id(&self) -> &str {
        &self.tool.server_id
    }

    /// The name that the server hears.
    pub fn wire_name(&self) -> &str {
        &self.tool.wire_name
    }

    /// The tool as the server described it: the object of its `tools/list`.
    pub fn server_tool(&self) -> &Value {
        &self.tool.definition
    }

    /// How it behaves, as far as that is known.
    pub fn capabilities(&self) -> &ToolCapabilities {
        &self.tool.capabilities
    }

    /// What the server claims of it.
    pub fn claims(&self) -> ToolClaims {
        self.tool.claims
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.tool.text("title").or_else(|| {
            self.tool
                .definition
                .get("annotations")?
                .get("title")?
                .as_str()
        })
    }

    pub(super) fn description(&self) -> &str {
        self.tool.text("description").unwrap_or_default()
    }

    pub(super) fn version(&self) -> &str {
        &self.tool.version
    }

    pub(super) fn policy(&self) -> &ToolPolicy {
        &self.tool.policy
    }

    /// A server has no word for labels.
    pub(super) fn tags(&self) -> Vec<&str> {
        Vec::new()
    }

    pub(super) fn family(&self) -> RowFamily {
        RowFamily::Mcp
    }

    pub(super) fn io_mode(&self) -> ToolIoMode {
        self.tool.capabilities.io_mode
    }

    pub(super) fn input_schema(&self) -> &Value {
        self.tool
            .definition
            .get("inputSchema")
            .unwrap_or(&Value::Null)
    }

    pub(super) fn output_schema(&self) -> Option<&Value> {
        self.tool.definition.get("outputSchema")
    }

    pub(super) fn origin(&self) -> Origin {
        Origin::Server(Arc::new(ServerLocation {
            server_id: Arc::clone(&self.tool.server_id),
            wire_name: Arc::clone(&self.tool.wire_name),
            registered: self.registered,
        }))
    }

    /// Whether the row is one of this connection's.
    pub(crate) fn is_of(&self, server: &Arc<dyn McpCaller>) -> bool {
        Arc::ptr_eq(&self.server, server)
    }

    /// Whether both rows run the same tool of the same server, in the same words.
    pub(super) fn is_same_tool(&self, other: &Self) -> bool {
        self.is_of(&other.server)
            && self.tool.wire_name == other.tool.wire_name
            && self.tool.version == other.tool.version
    }

    pub(super) fn door(&self) -> McpDoor {
        McpDoor(self.clone())
    }
}

impl fmt::Debug for McpEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpEntry")
            .field("name", &self.tool.name)
            .field("server_id", &self.server_id())
            .field("wire_name", &self.tool.wire_name)
            .field("policy", &self.tool.policy)
            .field("capabilities", &self.tool.capabilities)
            .field("claims", &self.tool.claims)
            .finish_non_exhaustive()
    }
}

/// A JSON object in, and what the server answers out.
pub(super) struct McpDoor(McpEntry);

impl Door for McpDoor {
    type Args = (Map<String, Value>, McpEntry);
    type Output = ToolOutput;
    type Failure = DispatchError;
    type Reply = ToolOutput;
    type Error = DispatchError;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<Self::Args>, DispatchError> {
        Ok(Quiet::new((decode::arguments(call, false)?, self.0)))
    }

    fn arguments(_args: &Self::Args, call: ToolCall<'_>) -> Result<Arguments, String> {
        Ok(Arguments {
            given: Some(decode::given(call.json()).to_owned()),
            typed: None,
        })
    }

    async fn run(
        (arguments, entry): Self::Args,
        call: ToolCall<'_>,
    ) -> Result<ToolOutput, DispatchError> {
        entry
            .server
            .call(&entry.tool, arguments, call.context)
            .await
    }

    fn encode(output: ToolOutput, _call: ToolCall<'_>) -> Result<ToolOutput, DispatchError> {
        Ok(output)
    }

    fn outcome(error: &DispatchError) -> &'static str {
        error.kind()
    }
}
