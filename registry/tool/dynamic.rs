//! Tools whose schema and handler are given at run time.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use serde::Serialize;
use serde_json::Value;

use super::approval::Arguments;
use super::call::ToolCall;
use super::context::ToolCallContext;
use super::decode;
use super::descriptor::BoxFuture;
use super::dispatch::Door;
use super::error::DispatchError;
use super::failure::IntoToolFailure;
use super::output::{EncodeOutput, ToolOutput};
use super::policy::ToolPolicy;
use super::schema;
use super::schema_work::{SchemaWork, Size, Step};
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
    /// and what runs. Name and schema are checked when it is registered.
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

    /// Adds the JSON Schema of its output.
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
        let (validator, work) = validator(&self.input_schema)?;
        if let Some(problem) = schema::input_problem(&self.input_schema) {
            return Err(problem);
        }
        if let Some(output) = &self.output_schema {
            self::validator(output).map_err(|why| format!("the schema of the output: {why}"))?;
        }
        Ok(DynamicEntry {
            inner: Arc::new(Inner {
                tool: self,
                validator,
                work,
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

fn validator(schema: &Value) -> Result<(jsonschema::Validator, SchemaWork), String> {
    if depth(schema, MOST_SCHEMA_DEPTH).is_none() {
        return Err(format!(
            "the schema is more than {MOST_SCHEMA_DEPTH} levels deep"
        ));
    }
    let bytes = schema.to_string().len();
    if bytes > MOST_SCHEMA_BYTES {
        return Err(format!(
            "the schema is {bytes} bytes long, and {MOST_SCHEMA_BYTES} is the most"
        ));
    }
    // Before it is compiled, which goes as deep as the schema's references lead.
    let work = SchemaWork::of(schema)?;
    let validator = jsonschema::draft202012::new(schema)
        .map_err(|error| format!("not a JSON Schema of draft 2020-12: {error}"))?;
    Ok((validator, work))
}

/// How deep a value is, unless that is deeper than `most`.
fn depth(value: &Value, most: usize) -> Option<usize> {
    let inner = match value {
        Value::Array(items) => items.iter().collect::<Vec<_>>(),
        Value::Object(members) => members.values().collect(),
        _ => return Some(0),
    };
    let below = most.checked_sub(1)?;
    inner
        .into_iter()
        .try_fold(0, |deepest, item| Some(deepest.max(depth(item, below)?)))
        .map(|deepest| deepest + 1)
}

/// A row for a tool whose schema and handler were given at run time.
#[derive(Clone)]
pub struct DynamicEntry {
    inner: Arc<Inner>,
}

struct Inner {
    tool: DynamicTool,
    validator: jsonschema::Validator,
    work: SchemaWork,
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
    type Reply = ToolOutput;
    type Error = DispatchError;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<Self::Args>, DispatchError> {
        let arguments = decode::arguments(call, false)?;
        match self.0.inner.fault(call.tool(), &arguments) {
            None => Ok(Quiet::new((arguments, self.0))),
            Some(fault) => Err(fault),
        }
    }

    fn arguments(_args: &Self::Args, call: ToolCall<'_>) -> Result<Arguments, String> {
        Ok(Arguments {
            given: Some(decode::given(call.json).to_owned()),
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

impl Inner {
    /// What is wrong with arguments, if anything.
    fn fault(&self, tool: &str, arguments: &Value) -> Option<DispatchError> {
        let size = Size::of(arguments);
        if !self.work.can_check(&size) {
            let message = format!(
                "the arguments are too much to be checked against the schema of `{tool}`: {} values, and here they are {} levels deep; send fewer",
                size.values(),
                size.levels()
            );
            return Some(decode::invalid(tool, &path_of(&size.deepest), message));
        }
        // It remembers what it found out of a value and a recursive reference; `validate` doesn't,
        // so that is for arguments that were found wrong, and small enough.
        if self.validator.is_valid(arguments) {
            return None;
        }
        if !self.work.can_explain(&size) {
            let message = format!(
                "the arguments don't fit the schema of `{tool}`; with {} values, and {} levels deep here, they are too large to say where: send fewer levels",
                size.values(),
                size.levels()
            );
            return Some(decode::invalid(tool, &path_of(&size.deepest), message));
        }
        // `validate` stops at the first fault; listing them all can take a thousand times as long.
        let error = self.validator.validate(arguments).err()?;
        let mut path = dotted(&error.instance_path().to_string());
        let message = match error.kind() {
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                step_into(&mut path, Step::Name(name));
                format!("missing field `{name}`")
            }
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let name = unexpected.first().map_or("", String::as_str);
                step_into(&mut path, Step::Name(name));
                format!("unknown field `{name}`")
            }
            _ => error.to_string(),
        };
        let path = decode::clipped(path);
        Some(decode::invalid(tool, &path, decode::clipped(message)))
    }
}

/// A JSON pointer in the form that all paths in errors have: `/items/3/price` is
/// `items[3].price`.
fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let position = step.parse().ok().filter(|_| !step.starts_with('+'));
        step_into(
            &mut path,
            position.map_or(Step::Name(&step), Step::Position),
        );
    }
    path
}

fn path_of(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        step_into(&mut path, *step);
    }
    decode::clipped(path)
}

fn step_into(path: &mut String, step: Step<'_>) {
    match step {
        Step::Position(position) => path.push_str(&format!("[{position}]")),
        Step::Name(name) => {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
    }
}
