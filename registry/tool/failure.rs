//! A tool's own failure, as it leaves the tool.

use std::error::Error;
use std::fmt;

use super::output::ToolOutput;

/// A failure that a tool reports: words for the model, and the error behind them for the host.
///
/// Any error that implements [`Display`](fmt::Display) becomes one by `?` or
/// [`From`]: its text is what a model is told. To tell the model less than the log, build it by
/// hand:
///
/// ```
/// use callboard::ToolFailure;
///
/// fn lookup(path: &str) -> Result<String, ToolFailure> {
///     std::fs::read_to_string(path)
///         .map_err(|error| ToolFailure::new("the file can't be read").with_source(error))
/// }
///
/// let failure = lookup("/no/such/file").unwrap_err();
/// assert_eq!(failure.message(), "the file can't be read");
/// assert!(failure.source().is_some());
/// ```
///
/// It doesn't implement `Display` or [`Error`] itself: that is what makes the conversion from
/// every error possible, as in `anyhow`. A [`DispatchError`](crate::DispatchError), which holds
/// one, implements both.
pub struct ToolFailure {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
    output: Option<Box<ToolOutput>>,
}

impl ToolFailure {
    /// A failure with the words that a model is to read.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
            output: None,
        }
    }

    /// Keeps the error behind it, for the host: it is never shown to a model.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Keeps what the tool gave with its failure, where it gave more than words: pictures, links or
    /// JSON that say what went wrong.
    #[must_use]
    pub fn with_output(mut self, output: ToolOutput) -> Self {
        self.output = Some(Box::new(output));
        self
    }

    /// What a model is told.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the tool gave with its failure, if it gave more than words.
    pub fn output(&self) -> Option<&ToolOutput> {
        self.output.as_deref()
    }

    /// The error behind it, if the tool kept one.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref()
    }
}

impl fmt::Debug for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolFailure")
            .field("message", &self.message)
            .field("source", &self.source)
            .field("output", &self.output)
            .finish()
    }
}

impl<E: fmt::Display> From<E> for ToolFailure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

/// An error type that a tool may return: anything that becomes a [`ToolFailure`].
///
/// It is implemented for every type with [`Display`](fmt::Display) that may cross threads, so for
/// `String`, `anyhow::Error`, `Box<dyn Error + Send + Sync>` and enums with `thiserror`, and for
/// `ToolFailure`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the error of a tool or an agent",
    label = "a model can't be told what went wrong from this type",
    note = "implement `std::fmt::Display` for it (and let it be `Send + 'static`), or return `Result<_, callboard::ToolFailure>`"
)]
pub trait IntoToolFailure: Send + 'static {
    /// The failure, in words for a model.
    fn into_tool_failure(self) -> ToolFailure;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolFailure> + Send + 'static> IntoToolFailure for E {
    fn into_tool_failure(self) -> ToolFailure {
        self.into()
    }
}
