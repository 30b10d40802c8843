//! Tools whose schema and handler are given at run time.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::approval::Arguments;
use super::call::ToolCall;
use super::checked::{CheckedSchema, MOST_PATTERNS, Wrong};
use super::context::ToolCallContext;
use super::decode;
use super::descriptor::BoxFuture;
use super::dispatch::Door;
use super::entry::RowFamily;
use super::error::DispatchError;
use super::failure::IntoToolFailure;
use super::output::{EncodeOutput, ToolOutput};
use super::policy::{ToolIoMode, ToolPolicy};
use super::schema;
use super::unwind::Quiet;
use crate::component::Origin;

/// The most levels that a schema given at run time may have.
const MOST_SCHEMA_DEPTH: usize = 64;
/// The most bytes that a schema given at run time may have, as JSON text.
const MOST_SCHEMA_BYTES: usize = 256 << 10;

type Handler = dyn Fn(Value, ToolCallContext) -> BoxFuture<'static, Result<ToolOutput, DispatchError>>
    + Send
    + Sync;

/// A tool whose schema and handler are given at run time.
///
/// Arguments are checked against the schema before the handler sees them.
///
/// Checking takes bounded work, before the deadline begins. A schema is refused when it is
/// registered if it is more than 256 KiB long or 64 levels deep, leads through more than 256
/// subschemas in a row, refers to something outside it or to itself on the same level, or can
/// need more than 10,000 steps for one value; arguments are refused if they can need more than
/// 4,000,000. What is wrong with arguments is told with its path, unless finding it could take
/// more than 50,000 steps: a schema that refers to itself in several branches of an `anyOf`
/// doubles them with each level. Such arguments are refused all the same, and the message names
/// the place that is too deep.
///
/// ```
/// use callboard::{CapabilityRegistry, DynamicTool, ToolCallContext, ToolPolicy};
/// use serde_json::json;
///
/// let shout = DynamicTool::new(
///     "shout",
///     json!({
///         "type": "object",
///         "properties": { "text": { "type": "string" } },
///         "required": ["text"],
///         "additionalProperties": false
///     }),
///     |arguments, _ctx| async move {
///         let text = arguments["text"].as_str().unwrap_or_default();
///         Ok::<_, String>(text.to_uppercase())
///     },
/// )
/// .with_description("Says it louder.")
/// .with_policy(ToolPolicy::read_only());
///
/// let mut reg = CapabilityRegistry::new();
/// reg.register_dynamic(shout)?;
/// let registry = reg.seal()?;
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # runtime.block_on(async {
/// let ctx = ToolCallContext::new("call_1");
/// let output = registry.dispatch("shout", r#"{"text":"hi"}"#, &ctx).await?;
/// assert_eq!(output.as_json(), Some("\"HI\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DynamicTool {
    name: String,
    title: Option<String>,
    description: String,
    tags: Vec<String>,
    version: String,
    policy: ToolPolicy,
    input_schema: Value,
    output_schema: Option<Value>,
    handler: Arc<Handler>,
}

impl DynamicTool {
    /// A tool with the name that a model calls, the JSON Schema (draft 2020-12) of its arguments,
    /// and what runs. Name and schema are checked when it is registered. A `pattern` must be one
    /// that takes linear time: without look-around and back-references, and of 64 KiB at most once
    /// it is compiled.
    pub fn new<F, R, O, E>(name: impl Into<String>, input_schema: Value, handler: F) -> Self
    where
        F: Fn(Value, ToolCallContext) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, E>> + Send + 'static,
        O: Serialize + Send + 'static,
        E: IntoToolFailure,
    {
        let name = name.into();
        let tool = name.clone();
        Self {
            handler: Arc::new(move |arguments, context| {
                let running = handler(arguments, context);
                let tool = tool.clone();
                Box::pin(async move {
                    let output = running
                        .await
                        .map_err(|error| DispatchError::Failed(error.into_tool_failure()))?;
                    EncodeOutput::<false>::encode(output, &tool)
                })
            }),
            name,
            title: None,
            description: String::new(),
            tags: Vec::new(),
            version: String::new(),
            policy: ToolPolicy::unstated(),
            input_schema,
            output_schema: None,
        }
    }

    /// Adds a short name for people.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds what it does, for the model.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds labels.
    #[must_use]
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags.extend(tags.into_iter().map(Into::into));
        self
    }

    /// Sets the version that approvals are bound to.
    #[must_use]
    pub fn with_version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Sets what it may do; unless set, [`ToolPolicy::unstated`].
    #[must_use]
    pub fn with_policy(mut self, policy: ToolPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Adds the JSON Schema of its output, which is told and not checked: the handler is code of
    /// this program.
    #[must_use]
    pub fn with_output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Checks the schemas; what is wrong is said in words.
    pub(crate) fn into_entry(
        self,
        registered: &'static Location<'static>,
    ) -> Result<DynamicEntry, String> {
        let input = checked(&self.input_schema)?;
        if let Some(problem) = schema::input_problem(&self.input_schema) {
            return Err(problem);
        }
        if let Some(output) = &self.output_schema {
            checked(output).map_err(|why| format!("the schema of the output: {why}"))?;
        }
        Ok(DynamicEntry {
            inner: Arc::new(Inner {
                tool: self,
                input,
                registered,
            }),
        })
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool")
            .field("name", &self.name)
            .field("version", &self.version)
            .field("policy", &self.policy)
            .field("input_schema", &self.input_schema)
            .finish_non_exhaustive()
    }
}

fn checked(given: &Value) -> Result<CheckedSchema, String> {
    if schema::depth(given, MOST_SCHEMA_DEPTH).is_none() {
        return Err(format!(
            "the schema is more than {MOST_SCHEMA_DEPTH} levels deep"
        ));
    }
    let bytes = given.to_string().len();
    if bytes > MOST_SCHEMA_BYTES {
        return Err(format!(
            "the schema is {bytes} bytes long, and {MOST_SCHEMA_BYTES} is the most"
        ));
    }
    let mut patterns_left = MOST_PATTERNS;
    CheckedSchema::new(given, &mut patterns_left)
}

/// A row for a tool whose schema and handler were given at run time.
#[derive(Clone)]
pub struct DynamicEntry {
    inner: Arc<Inner>,
}

struct Inner {
    tool: DynamicTool,
    input: CheckedSchema,
    registered: &'static Location<'static>,
}

impl DynamicEntry {
    pub(super) fn name(&self) -> &str {
        &self.inner.tool.name
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.inner.tool.title.as_deref()
    }

    pub(super) fn description(&self) -> &str {
        &self.inner.tool.description
    }

    pub(super) fn tags(&self) -> Vec<&str> {
        self.inner.tool.tags.iter().map(String::as_str).collect()
    }

    pub(super) fn version(&self) -> &str {
        &self.inner.tool.version
    }

    pub(super) fn policy(&self) -> &ToolPolicy {
        &self.inner.tool.policy
    }

    pub(super) fn io_mode(&self) -> ToolIoMode {
        ToolIoMode::Unary
    }

    pub(super) fn family(&self) -> RowFamily {
        RowFamily::Dynamic
    }

    pub(super) fn input_schema(&self) -> &Value {
        &self.inner.tool.input_schema
    }

    pub(super) fn output_schema(&self) -> Option<&Value> {
        self.inner.tool.output_schema.as_ref()
    }

    pub(super) fn origin(&self) -> Origin {
        Origin::Registered(self.inner.registered)
    }

    pub(super) fn is_same_tool(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    pub(super) fn door(&self) -> DynamicDoor {
        DynamicDoor(self.clone())
    }
}

impl fmt::Debug for DynamicEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.tool.fmt(f)
    }
}

/// JSON in, validated, and JSON out.
pub(super) struct DynamicDoor(DynamicEntry);

impl Door for DynamicDoor {
    type Args = (Value, DynamicEntry);
    type Output = ToolOutput;
    type Failure = DispatchError;
    type Reply = ToolOutput;
    type Error = DispatchError;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<Self::Args>, DispatchError> {
        let arguments = decode::arguments(call, false)?;
        let tool = call.tool();
        let Some(fault) = self.0.inner.input.fault(&arguments) else {
            return Ok(Quiet::new((arguments, self.0)));
        };
        let message = match fault.what {
            Wrong::Misfit(message) => message,
            Wrong::Unexplained { values, levels } => format!(
                "the arguments don't fit the schema of `{tool}`; with {values} values, and {levels} levels deep here, they are too large to say where: send fewer levels"
            ),
            Wrong::TooMuch { values, levels } => format!(
                "the arguments are too much to be checked against the schema of `{tool}`: {values} values, and here they are {levels} levels deep; send fewer"
            ),
        };
        Err(decode::invalid(tool, &fault.path, message))
    }

    fn arguments(_args: &Self::Args, call: ToolCall<'_>) -> Result<Arguments, String> {
        Ok(Arguments {
            given: Some(decode::given(call.json()).to_owned()),
            typed: None,
        })
    }

    fn run(
        (args, entry): Self::Args,
        call: ToolCall<'_>,
    ) -> impl Future<Output = Result<ToolOutput, DispatchError>> + Send {
        (entry.inner.tool.handler)(args, call.context.clone())
    }

    fn encode(output: ToolOutput, _call: ToolCall<'_>) -> Result<ToolOutput, DispatchError> {
        Ok(output)
    }

    fn outcome(error: &DispatchError) -> &'static str {
        error.kind()
    }
}
