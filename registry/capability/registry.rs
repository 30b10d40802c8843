//! The sealed registry, which calls go through.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;

use super::builder::{CapabilityRegistry, Host};
use super::components::Components;
use crate::agent::{Agent, AgentRegistry};
use crate::component::{ComponentKind, Origin};
use crate::router::{ModelRouter, Router};
use crate::tool::{
    Approvals, CallError, Decision, DispatchError, RegistryEntry, Tool, ToolCallContext,
    ToolDefinition, ToolOutput, ToolTable,
};

/// A registry that was checked and frozen: nothing is added, and calls go through it.
///
/// Cloning gives another handle to the same registry.
///
/// ```
/// use callboard::{CapabilityRegistry, ToolCallContext, tool};
///
/// /// Adds two numbers.
/// #[tool(read_only)]
/// async fn add(left: i64, right: i64) -> i64 {
///     left + right
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # runtime.block_on(async {
/// let registry = CapabilityRegistry::collect()?.seal()?;
/// let ctx = ToolCallContext::new("call_1");
///
/// // What a model asked for: by name, JSON in, JSON out.
/// let output = registry.dispatch("add", r#"{"left":20,"right":5}"#, &ctx).await?;
/// assert_eq!(output.as_json(), Some("25"));
///
/// // What the program asks for: typed, with no JSON anywhere.
/// let sum = registry.call::<Add>(AddArgs { left: 20, right: 5 }, &ctx).await?;
/// assert_eq!(sum, 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Registry {
    inner: Arc<Inner>,
}

struct Inner {
    components: Components,
    routers: BTreeMap<String, ModelRouter>,
    table: Arc<ToolTable>,
    version: u64,
}

impl Registry {
    pub(super) fn new(
        components: Components,
        routers: BTreeMap<String, ModelRouter>,
        table: Arc<ToolTable>,
        version: u64,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                components,
                routers,
                table,
                version,
            }),
        }
    }

    /// Calls a tool by its type: typed arguments in, typed output out, no JSON.
    ///
    /// It allocates nothing and takes no lock when the row is native, the tool needs no approval
    /// and the context has no cancellation token.
    ///
    /// # Errors
    ///
    /// [`CallError::Failed`] with the tool's own error, or [`CallError::Refused`] with what
    /// stopped the call; `UnknownTool` when this type was not registered.
    #[inline]
    pub fn call<'a, T: Tool>(
        &'a self,
        args: T::Args,
        ctx: &'a ToolCallContext,
    ) -> impl Future<Output = Result<T::Output, CallError<T::Error>>> + Send + use<'a, T> {
        self.inner.table.call::<T>(args, ctx)
    }

    /// Calls a tool by name, with the JSON object that a model wrote as its arguments; an empty
    /// text counts as `{}`.
    ///
    /// The text is decoded straight into the arguments' type, and the output is written once.
    ///
    /// What the schema refuses, decoding refuses: unknown fields, a key that comes twice, a
    /// struct written as an array. There are exceptions, where a type and its schema say different
    /// things: bounds that `#[schemars(…)]` adds are words to the model alone, a set takes a
    /// value twice, and what serde buffers (an untagged or internally tagged enum, a flattened
    /// field) reads a struct from an array too.
    ///
    /// In a loop with a model: the definitions go with the request, each call that comes back is
    /// dispatched, and its output or error goes back as text.
    ///
    /// ```
    /// use callboard::{CapabilityRegistry, Registry, ToolCallContext, tool};
    /// use serde_json::{Value, json};
    ///
    /// /// Adds two numbers.
    /// #[tool(read_only)]
    /// async fn add(left: i64, right: i64) -> i64 {
    ///     left + right
    /// }
    ///
    /// /// What a model asks for in one answer, as the chat completions of OpenAI have it.
    /// async fn answered(registry: &Registry, tool_calls: &[Value]) -> Vec<Value> {
    ///     let mut messages = Vec::new();
    ///     for call in tool_calls {
    ///         let id = call["id"].as_str().unwrap_or_default();
    ///         let name = call["function"]["name"].as_str().unwrap_or_default();
    ///         let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
    ///         let ctx = ToolCallContext::new(id);
    ///         let content = match registry.dispatch(name, arguments, &ctx).await {
    ///             Ok(output) => output.to_text().into_owned(),
    ///             Err(error) => error.for_model(), // the host logs `error` itself
    ///         };
    ///         messages.push(json!({"role": "tool", "tool_call_id": id, "content": content}));
    ///     }
    ///     messages
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    /// # runtime.block_on(async {
    /// let registry = CapabilityRegistry::collect()?.seal()?;
    /// let request = json!({"messages": [], "tools": registry.definitions()});
    /// assert_eq!(request["tools"][0]["function"]["name"], "add");
    ///
    /// let tool_calls = [
    ///     json!({"id": "a", "function": {"name": "add", "arguments": "{\"left\":20,\"right\":5}"}}),
    ///     json!({"id": "b", "function": {"name": "add", "arguments": "{\"left\":20}"}}),
    /// ];
    /// let messages = answered(&registry, &tool_calls).await;
    /// assert_eq!(messages[0]["content"], "25");
    /// assert_eq!(messages[1]["content"], "Invalid arguments at `right`: missing field `right`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`DispatchError`]; its `for_model` is what to hand back to the model.
    pub fn dispatch<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        ctx: &'a ToolCallContext,
    ) -> impl Future<Output = Result<ToolOutput, DispatchError>> + Send + 'a {
        self.inner.table.dispatch(name, Ok(arguments), ctx)
    }

    /// As [`dispatch`](Self::dispatch), for bytes from outside that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// `InvalidArguments` when they aren't; else as `dispatch`.
    pub async fn dispatch_bytes(
        &self,
        name: &str,
        arguments: &[u8],
        ctx: &ToolCallContext,
    ) -> Result<ToolOutput, DispatchError> {
        let arguments = std::str::from_utf8(arguments);
        self.inner.table.dispatch(name, arguments, ctx).await
    }

    /// Every tool as a model is shown it, sorted by name, whatever the authorizer says.
    ///
    /// Schemas are made when they are first asked for. A tool for whose arguments none can be
    /// made, because a type's `JsonSchema` panics, is left out here and in the two methods below,
    /// and an event says so; [`diagnostics`](Components::diagnostics) finds such a tool in a test.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.definitions_where(|_| true)
    }

    /// The tools that this context may see, which are those that it may run, sorted by name.
    pub fn definitions_for(&self, ctx: &ToolCallContext) -> Vec<ToolDefinition> {
        self.definitions_where(|row| self.inner.table.decide(row, ctx).is_allowed())
    }

    /// The tools whose rows `keep` keeps, sorted by name.
    pub fn definitions_where(
        &self,
        mut keep: impl FnMut(&RegistryEntry) -> bool,
    ) -> Vec<ToolDefinition> {
        self.inner
            .table
            .rows()
            .iter()
            .filter(|row| keep(row))
            .filter_map(|row| {
                let described = self.metadata(ComponentKind::Tool, row.name());
                let description = described.map_or(row.description(), |said| &said.description);
                ToolDefinition::of(row, description)
            })
            .collect()
    }

    /// The router of this name, or the one that has a route or an alias of this name; `None` also
    /// for a router that is only a name.
    pub fn model_router(&self, name: &str) -> Option<&ModelRouter> {
        let components = &self.inner.components;
        let name = components.canonical(ComponentKind::Router, name)?;
        self.inner.routers.get(name)
    }

    /// A router by its type; `None` when it isn't registered, or something else has its name.
    pub fn router_of<R: Router>(&self) -> Option<&ModelRouter> {
        let name = R::DESCRIPTOR.name();
        let declared = R::DESCRIPTOR.component().source();
        match self.origin(ComponentKind::Router, name)? {
            Origin::Declared(source) if std::ptr::eq(source, declared) => {
                self.inner.routers.get(name)
            }
            _ => None,
        }
    }

    /// What the authorizer says of one tool in this context; `None` when there is no such tool.
    pub fn authorization(&self, name: &str, ctx: &ToolCallContext) -> Option<Decision> {
        let row = self.inner.table.find(name)?;
        Some(self.inner.table.decide(row, ctx))
    }

    /// The requests for approval of this registry, to grant or deny.
    pub fn approvals(&self) -> &Approvals {
        &self.inner.table.rules.approvals
    }

    /// How many calls are waiting: each is counted from the first time its tool, or an approver,
    /// had to wait until it ends or is dropped. A call that never waits is never counted.
    pub fn in_flight(&self) -> usize {
        self.inner.table.in_flight()
    }

    /// 1 for a registry that was just sealed; counted up by a
    /// [`LiveRegistry`](crate::LiveRegistry) with each one that is published.
    pub fn version(&self) -> u64 {
        self.inner.version
    }

    /// An unsealed copy, to change and seal anew. Rows, state and rules are shared with this
    /// registry, which stays as it is.
    pub fn to_builder(&self) -> CapabilityRegistry {
        CapabilityRegistry {
            components: self.inner.components.clone(),
            host: Host {
                provided: self.inner.table.provided.clone(),
                rules: self.inner.table.rules.clone(),
            },
        }
    }
}

impl Deref for Registry {
    type Target = Components;

    fn deref(&self) -> &Components {
        &self.inner.components
    }
}

impl AgentRegistry for Registry {
    fn agent(&self, name: &str) -> Option<Arc<dyn Agent>> {
        self.inner.components.agent(name).cloned()
    }

    fn agent_names(&self) -> Vec<String> {
        self.inner.components.agent_names()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("version", &self.inner.version)
            .field("components", &self.inner.components)
            .field("routers", &self.inner.routers)
            .field("table", &self.inner.table)
            .finish()
    }
}
