//! A row: one tool in a registry, wherever it lives.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::descriptor::ToolDescriptor;
#[cfg(feature = "dynamic")]
use super::dynamic::DynamicEntry;
#[cfg(feature = "mcp")]
use super::mcp::McpEntry;
use super::policy::{ToolIoMode, ToolPolicy};
use super::unwind;
use crate::component::{ComponentId, ComponentKind, ComponentMetadata, NameError, Origin};

/// One tool in a registry.
///
/// Callers don't choose between the families: they name a tool, and its row knows the way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RegistryEntry {
    /// A function of this program, declared with `#[tool]`.
    Native(NativeEntry),
    /// A schema and a handler that were given at run time.
    #[cfg(feature = "dynamic")]
    #[cfg_attr(docsrs, doc(cfg(feature = "dynamic")))]
    Dynamic(DynamicEntry),
    /// A tool of an MCP server.
    #[cfg(feature = "mcp")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mcp")))]
    Mcp(McpEntry),
}

/// A row for a function of this program.
#[derive(Clone)]
pub struct NativeEntry {
    descriptor: &'static ToolDescriptor,
    schemas: Arc<Schemas>,
}

/// Made when first asked for: a schema costs some microseconds, and a program may have thousands
/// of tools.
///
/// A type's `JsonSchema` is the user's code and may panic: then there is the message instead.
#[derive(Default)]
struct Schemas {
    input: OnceLock<Result<Value, String>>,
    output: OnceLock<Result<Option<Value>, String>>,
}

impl NativeEntry {
    pub(crate) fn new(descriptor: &'static ToolDescriptor) -> Self {
        Self {
            descriptor,
            schemas: Arc::default(),
        }
    }

    /// What the attribute made known of the function.
    pub fn descriptor(&self) -> &'static ToolDescriptor {
        self.descriptor
    }

    fn input_schema(&self) -> Result<&Value, &str> {
        let made = self.schemas.input.get_or_init(|| {
            unwind::caught(|| self.descriptor.input_schema()).inspect_err(|message| {
                self.tell(message, "the schema of the arguments");
            })
        });
        made.as_ref().map_err(String::as_str)
    }

    fn output_schema(&self) -> Result<Option<&Value>, &str> {
        let made = self.schemas.output.get_or_init(|| {
            unwind::caught(|| self.descriptor.output_schema()).inspect_err(|message| {
                self.tell(message, "the schema of the output");
            })
        });
        made.as_ref().map(Option::as_ref).map_err(String::as_str)
    }

    #[cold]
    fn tell(&self, message: &str, what: &str) {
        tracing::error!(
            target: "callboard",
            tool = self.descriptor.name(),
            place = %self.descriptor.source(),
            "{what} can't be made: {message}"
        );
    }
}

impl fmt::Debug for NativeEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativeEntry")
            .field("descriptor", self.descriptor)
            .finish_non_exhaustive()
    }
}

/// Where a row's tool lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowFamily {
    /// In this program, as a typed function.
    Native,
    /// In this program, as a handler given at run time.
    Dynamic,
    /// On an MCP server.
    Mcp,
}

impl RowFamily {
    /// `native`, `dynamic` or `mcp`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Dynamic => "dynamic",
            Self::Mcp => "mcp",
        }
    }
}

impl fmt::Display for RowFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Asks the row of each family the same question.
macro_rules! each {
    ($entry:expr, $native:ident => $of_native:expr, $given:ident => $of_given:expr) => {
        match $entry {
            RegistryEntry::Native($native) => $of_native,
            #[cfg(feature = "dynamic")]
            RegistryEntry::Dynamic($given) => $of_given,
            #[cfg(feature = "mcp")]
            RegistryEntry::Mcp($given) => $of_given,
        }
    };
}

impl RegistryEntry {
    /// The name by which it is called.
    pub fn name(&self) -> &str {
        each!(self, native => native.descriptor.name(), given => given.name())
    }

    /// A short name for people, when one was given.
    pub fn title(&self) -> Option<&str> {
        each!(self, native => native.descriptor.title(), given => given.title())
    }

    /// What its code says that it does; may be empty. A registry may describe it otherwise, and
    /// its [`metadata`](crate::Components::metadata) are what a model is shown.
    pub fn description(&self) -> &str {
        each!(self, native => native.descriptor.description(), given => given.description())
    }

    /// The labels that its code gives it.
    pub fn tags(&self) -> Vec<&str> {
        each!(self, native => native.descriptor.tags().to_vec(), given => given.tags())
    }

    /// Whether it carries this label.
    pub fn has_tag(&self, tag: &str) -> bool {
        each!(
            self,
            native => native.descriptor.component().has_tag(tag),
            given => given.tags().contains(&tag)
        )
    }

    /// The version, which an approval is bound to.
    pub fn version(&self) -> &str {
        each!(self, native => native.descriptor.version(), given => given.version())
    }

    /// What it may do, and under which conditions it runs.
    pub fn policy(&self) -> &ToolPolicy {
        each!(self, native => native.descriptor.policy(), given => given.policy())
    }

    /// How arguments come in and results go out.
    pub fn io_mode(&self) -> ToolIoMode {
        each!(self, native => native.descriptor.io_mode(), given => given.io_mode())
    }

    /// Where it lives.
    pub fn family(&self) -> RowFamily {
        each!(self, _native => RowFamily::Native, given => given.family())
    }

    /// The JSON Schema of its arguments: an object at the top.
    ///
    /// It is made when it is first asked for. Where a type's `JsonSchema` panics, it is `false`,
    /// which nothing fits: definitions leave such a tool out, and
    /// [`Components::diagnostics`](crate::Components::diagnostics) tells of it.
    pub fn input_schema(&self) -> &Value {
        self.try_input_schema().unwrap_or(&Value::Bool(false))
    }

    /// The JSON Schema of its output, if there is one and its type's `JsonSchema` doesn't panic.
    pub fn output_schema(&self) -> Option<&Value> {
        self.try_output_schema().ok().flatten()
    }

    /// The schema of the arguments, or the message of the panic that making it ended in.
    pub(crate) fn try_input_schema(&self) -> Result<&Value, &str> {
        each!(self, native => native.input_schema(), given => Ok(given.input_schema()))
    }

    /// The schema of the output, or the message of the panic that making it ended in.
    pub(crate) fn try_output_schema(&self) -> Result<Option<&Value>, &str> {
        each!(self, native => native.output_schema(), given => Ok(given.output_schema()))
    }

    /// Where it was declared or registered.
    pub fn origin(&self) -> Origin {
        each!(
            self,
            native => Origin::Declared(native.descriptor.source()),
            given => given.origin()
        )
    }

    pub(crate) fn native(&self) -> Option<&NativeEntry> {
        each!(self, native => Some(native), _given => None)
    }

    /// Whether both rows run the same thing, not only under the same name.
    pub(super) fn is_same_tool(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Native(one), Self::Native(other)) => {
                std::ptr::eq(one.descriptor, other.descriptor)
            }
            #[cfg(feature = "dynamic")]
            (Self::Dynamic(one), Self::Dynamic(other)) => one.is_same_tool(other),
            #[cfg(feature = "mcp")]
            (Self::Mcp(one), Self::Mcp(other)) => one.is_same_tool(other),
            #[cfg(any(feature = "dynamic", feature = "mcp"))]
            _ => false,
        }
    }

    pub(crate) fn metadata(&self) -> Result<ComponentMetadata, NameError> {
        if let Some(native) = self.native() {
            return Ok(native.descriptor.component().metadata());
        }
        let id = ComponentId::new(ComponentKind::Tool, self.name())?;
        Ok(ComponentMetadata::new(id)
            .with_description(self.description())
            .with_tags(self.tags()))
    }

    /// Whether sealing looks at the schema of its arguments: a generated struct is always an
    /// object, and a schema that was given was checked when it came.
    pub(crate) fn is_input_checked(&self) -> bool {
        self.native()
            .is_some_and(|native| native.descriptor.parts().args_are_declared)
    }
}
