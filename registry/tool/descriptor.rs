//! What `#[tool]` makes known of a function before the program starts.

use std::any::{Any, TypeId};
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use super::call::ToolCall;
use super::error::{CallError, DispatchError};
use super::failure::IntoToolFailure;
use super::inject::Requirements;
use super::output::ToolOutput;
use super::policy::{ToolIoMode, ToolPolicy};
use crate::component::{ComponentDescriptor, SourceLocation};

/// A boxed future that may cross threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool as a type: what `#[tool]` implements for the struct it makes beside a function.
///
/// Call it through a registry, with [`Registry::call`](crate::Registry::call): that is where
/// policy, deadlines and cancellation are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    note = "put `#[callboard::tool]` on the function, and name the struct that it makes: `FindOrders` for `fn find_orders`"
)]
pub trait Tool: Sized + 'static {
    /// The arguments: a generated struct, or the one marked `#[args]`.
    type Args: Send + 'static;
    /// What the function returns, without the `Result` around it.
    type Output: Send + 'static;
    /// The error that the function returns; `Infallible` when it returns no `Result`.
    type Error: IntoToolFailure;

    /// What is known of the tool before the program starts.
    fn descriptor() -> &'static ToolDescriptor;

    /// Takes what is injected from the call, and runs the function.
    fn call(
        args: Self::Args,
        call: ToolCall<'_>,
    ) -> impl Future<Output = Result<Self::Output, CallError<Self::Error>>> + Send;
}

/// What `#[tool]` makes known of a function before the program starts: plain data and function
/// pointers, in a `static`.
pub struct ToolDescriptor {
    parts: ToolParts,
}

/// The parts of a descriptor, filled in by generated code.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "for generated code alone")]
pub struct ToolParts {
    pub component: ComponentDescriptor,
    pub title: Option<&'static str>,
    pub version: &'static str,
    pub policy: ToolPolicy,
    pub io_mode: ToolIoMode,
    pub coerce_strings: bool,
    /// The arguments are a struct that the user wrote, so their schema is checked when sealing.
    pub args_are_declared: bool,
    pub type_id: TypeId,
    pub requires: fn(&mut Requirements),
    pub input_schema: fn() -> Value,
    pub output_schema: Option<fn() -> Value>,
    pub args_to_json: Option<ArgsToJson>,
    pub invoke: Invoke,
}

/// Arguments as JSON, for their digest. `None` when the value is of another type.
#[doc(hidden)]
pub type ArgsToJson = fn(&dyn Any) -> Option<Result<Value, serde_json::Error>>;

/// The JSON door of one tool: decode, approve, run, encode.
#[doc(hidden)]
pub type Invoke = fn(ToolCall<'_>) -> BoxFuture<'_, Result<ToolOutput, DispatchError>>;

impl ToolDescriptor {
    #[doc(hidden)]
    pub const fn __new(parts: ToolParts) -> Self {
        Self { parts }
    }

    /// Kind, name, description, tags and source: what every component has.
    pub const fn component(&self) -> &ComponentDescriptor {
        &self.parts.component
    }

    /// The name by which a model calls it.
    pub const fn name(&self) -> &'static str {
        self.parts.component.name()
    }

    /// The doc comment, or the `description` given.
    pub const fn description(&self) -> &'static str {
        self.parts.component.description()
    }

    /// The labels given with `tags(…)`.
    pub const fn tags(&self) -> &'static [&'static str] {
        self.parts.component.tags()
    }

    /// Where the function is.
    pub const fn source(&self) -> &SourceLocation {
        self.parts.component.source()
    }

    /// A short name for people, when one was given.
    pub const fn title(&self) -> Option<&'static str> {
        self.parts.title
    }

    /// The version given, or else the version of the function's crate.
    pub const fn version(&self) -> &'static str {
        self.parts.version
    }

    /// What the tool may do, and under which conditions it runs.
    pub const fn policy(&self) -> &ToolPolicy {
        &self.parts.policy
    }

    /// How arguments come in and results go out.
    pub const fn io_mode(&self) -> ToolIoMode {
        self.parts.io_mode
    }

    /// Whether `"30"` is accepted for a number, and `"true"` for a boolean.
    pub const fn coerces_strings(&self) -> bool {
        self.parts.coerce_strings
    }

    /// What the tool needs its registry to have been given.
    pub fn requirements(&self) -> Requirements {
        let mut requirements = Requirements::default();
        (self.parts.requires)(&mut requirements);
        requirements
    }

    /// The JSON Schema (draft 2020-12) of the arguments, made anew; a registry's row keeps it.
    pub fn input_schema(&self) -> Value {
        let mut schema = (self.parts.input_schema)();
        if let Value::Object(root) = &mut schema
            && !self.parts.args_are_declared
        {
            // What the generated struct says of itself is for readers of Rust.
            root.remove("description");
        }
        schema
    }

    /// The JSON Schema (draft 2020-12) of the output, if its type has one; made anew.
    pub fn output_schema(&self) -> Option<Value> {
        self.parts.output_schema.map(|make| make())
    }

    pub(crate) const fn parts(&self) -> &ToolParts {
        &self.parts
    }
}

impl fmt::Debug for ToolDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDescriptor")
            .field("name", &self.name())
            .field("title", &self.title())
            .field("version", &self.version())
            .field("tags", &self.tags())
            .field("policy", self.policy())
            .field("io_mode", &self.io_mode())
            .field("source", self.source())
            .finish_non_exhaustive()
    }
}
