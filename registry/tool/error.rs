//! Why a call was not answered with the tool's output.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::approval::ApprovalRequest;
use super::failure::{IntoToolFailure, ToolFailure};

/// Why a dispatched call gave no output.
///
/// `Display` is for logs and people; [`for_model`](Self::for_model) is what may be handed back to
/// a model.
#[derive(Debug)]
#[non_exhaustive]
pub enum DispatchError {
    /// No row has this name, or, for a typed call, the type was not registered.
    UnknownTool {
        /// The name that was asked for.
        name: String,
        /// Names of rows near it, nearest first. Not filtered by what the caller may see: show
        /// them to people; `for_model` leaves them out.
        closest: Vec<String>,
    },
    /// The authorizer refused the call: this context may neither see nor run the tool.
    Denied {
        /// The tool.
        tool: String,
        /// Why, in the words of what refused it.
        reason: String,
    },
    /// The call needs an approval, and was refused one, or brought one that isn't for it.
    NotApproved {
        /// The tool.
        tool: String,
        /// Why, in the words of what refused it.
        reason: String,
    },
    /// The tool needs an approval, and the call brought none.
    ApprovalRequired(Box<ApprovalRequest>),
    /// The arguments don't fit the tool.
    InvalidArguments {
        /// The tool.
        tool: String,
        /// Where in the arguments, such as `items[3].price`; empty for the whole.
        path: String,
        /// What is wrong there.
        message: String,
    },
    /// The call took longer than it may; the tool's future was dropped.
    TimedOut {
        /// The tool.
        tool: String,
        /// What ran out: the tool's timeout, or what was left until the context's deadline. Zero
        /// for a call whose deadline had passed before the tool began.
        limit: Duration,
    },
    /// The context's cancellation token was cancelled; the tool's future was dropped.
    Cancelled {
        /// The tool.
        tool: String,
    },
    /// The tool panicked; the panic went no further.
    Panicked {
        /// The tool.
        tool: String,
        /// The panic's message, when it was text.
        message: String,
    },
    /// The tool returned an error.
    Failed(ToolFailure),
    /// The tool's output can't be written as JSON.
    Unencodable {
        /// The tool.
        tool: String,
        /// What the serializer said.
        message: String,
    },
    /// The server that has the tool answered with something other than what it declares.
    InvalidOutput {
        /// The tool.
        tool: String,
        /// Where in the output, such as `items[3].price`; empty for the whole.
        path: String,
        /// What is wrong there.
        message: String,
    },
    /// The server that has the tool is away.
    Disconnected {
        /// The server's id.
        server: String,
    },
    /// The call has to wait, and no async runtime with a timer is there to wait on.
    NoRuntime {
        /// The tool.
        tool: String,
    },
}

impl DispatchError {
    /// A short word for the kind of error, for logs and metrics.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "unknown_tool",
            Self::Denied { .. } => "denied",
            Self::NotApproved { .. } => "not_approved",
            Self::ApprovalRequired(_) => "approval_required",
            Self::InvalidArguments { .. } => "invalid_arguments",
            Self::TimedOut { .. } => "timed_out",
            Self::Cancelled { .. } => "cancelled",
            Self::Panicked { .. } => "panicked",
            Self::Failed(_) => "failed",
            Self::Unencodable { .. } => "unencodable",
            Self::InvalidOutput { .. } => "invalid_output",
            Self::Disconnected { .. } => "disconnected",
            Self::NoRuntime { .. } => "no_runtime",
        }
    }

    /// The text that is safe to hand back to a model: what it can act on, and nothing of the
    /// program's inside. A denied tool and one that doesn't exist read alike, so that names can't
    /// be probed.
    pub fn for_model(&self) -> String {
        match self {
            Self::UnknownTool { name, .. } | Self::Denied { tool: name, .. } => {
                let mut name: String = name.chars().take(crate::MAX_NAME_LEN).collect();
                name.retain(|c| !c.is_control());
                format!("The tool `{name}` is not available.")
            }
            Self::ApprovalRequired(request) => format!(
                "The call of `{}` needs an approval, and was not made.",
                request.tool()
            ),
            Self::NotApproved { tool, .. } => {
                format!("The call of `{tool}` was not approved, and was not made.")
            }
            Self::InvalidArguments { path, message, .. } if path.is_empty() => {
                format!("Invalid arguments: {message}")
            }
            Self::InvalidArguments { path, message, .. } => {
                format!("Invalid arguments at `{path}`: {message}")
            }
            Self::TimedOut { limit, .. } if limit.is_zero() => {
                "There was no time left for the call.".to_owned()
            }
            Self::TimedOut { limit, .. } => {
                format!("The tool took longer than {limit:?} and was stopped.")
            }
            Self::Cancelled { .. } => "The call was cancelled.".to_owned(),
            Self::Failed(failure) => failure.message().to_owned(),
            Self::Panicked { .. } | Self::Unencodable { .. } | Self::NoRuntime { .. } => {
                "The tool failed with an internal error.".to_owned()
            }
            Self::InvalidOutput { .. } => {
                "The tool answered with something other than it declares.".to_owned()
            }
            Self::Disconnected { .. } => {
                "The server of this tool is not connected; try again later.".to_owned()
            }
        }
    }
}

impl fmt::Display for DispatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name, closest } => {
                let shown: String = name.chars().take(crate::MAX_NAME_LEN).collect();
                write!(f, "no tool is called {shown:?}")?;
                match closest.as_slice() {
                    [] => Ok(()),
                    [one] => write!(f, "; did you mean `{one}`?"),
                    many => write!(f, "; did you mean one of `{}`?", many.join("`, `")),
                }
            }
            Self::Denied { tool, reason } => write!(f, "the call of `{tool}` was denied: {reason}"),
            Self::NotApproved { tool, reason } => {
                write!(f, "the call of `{tool}` was not approved: {reason}")
            }
            Self::ApprovalRequired(request) => write!(
                f,
                "the call of `{}` needs an approval (request {}): set an approver, or grant the request and call again with the approval",
                request.tool(),
                request.id()
            ),
            Self::InvalidArguments {
                tool,
                path,
                message,
            } if path.is_empty() => write!(f, "invalid arguments for `{tool}`: {message}"),
            Self::InvalidArguments {
                tool,
                path,
                message,
            } => write!(f, "invalid arguments for `{tool}` at `{path}`: {message}"),
            Self::TimedOut { tool, limit } if limit.is_zero() => {
                write!(
                    f,
                    "the deadline of the call had passed before `{tool}` began"
                )
            }
            Self::TimedOut { tool, limit } => {
                write!(f, "`{tool}` took longer than {limit:?} and was stopped")
            }
            Self::Cancelled { tool } => write!(f, "the call of `{tool}` was cancelled"),
            Self::Panicked { tool, message } => write!(f, "`{tool}` panicked: {message}"),
            Self::Failed(failure) => write!(f, "the tool failed: {}", failure.message()),
            Self::Unencodable { tool, message } => {
                write!(
                    f,
                    "the output of `{tool}` can't be written as JSON: {message}"
                )
            }
            Self::InvalidOutput {
                tool,
                path,
                message,
            } if path.is_empty() => {
                write!(
                    f,
                    "`{tool}` answered with something other than it declares: {message}"
                )
            }
            Self::InvalidOutput {
                tool,
                path,
                message,
            } => write!(
                f,
                "`{tool}` answered with something other than it declares, at `{path}`: {message}"
            ),
            Self::Disconnected { server } => write!(f, "the server `{server}` is not connected"),
            Self::NoRuntime { tool } => write!(
                f,
                "`{tool}` has to wait, and its deadline needs a tokio runtime with time enabled; call it inside one, or declare it with `timeout = \"none\"`"
            ),
        }
    }
}

impl Error for DispatchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Failed(failure) => failure.source().map(|source| source as _),
            _ => None,
        }
    }
}

impl From<ToolFailure> for DispatchError {
    fn from(failure: ToolFailure) -> Self {
        Self::Failed(failure)
    }
}

/// A typed call's error as the JSON door would give it: with it, `for_model` is there too.
impl<E: IntoToolFailure> From<CallError<E>> for DispatchError {
    fn from(error: CallError<E>) -> Self {
        match error {
            CallError::Refused(error) => error,
            CallError::Failed(error) => Self::Failed(error.into_tool_failure()),
        }
    }
}

impl From<Infallible> for DispatchError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Why a typed call gave no output: the call was refused, or the tool returned its own error.
#[derive(Debug)]
pub enum CallError<E> {
    /// The registry refused or stopped the call.
    Refused(DispatchError),
    /// The tool ran and returned this.
    Failed(E),
}

impl<E> CallError<E> {
    /// The tool's own error, when that is what it is.
    pub fn into_failed(self) -> Option<E> {
        match self {
            Self::Refused(_) => None,
            Self::Failed(error) => Some(error),
        }
    }
}

impl<E> From<DispatchError> for CallError<E> {
    fn from(error: DispatchError) -> Self {
        Self::Refused(error)
    }
}

impl<E: fmt::Display> fmt::Display for CallError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

// Not only where `E` is an error: a tool may fail with a `String` or an `anyhow::Error`, which
// aren't, and a caller's `?` should work all the same.
impl<E: fmt::Debug + fmt::Display> Error for CallError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Refused(error) => error.source(),
            Self::Failed(_) => None,
        }
    }
}
