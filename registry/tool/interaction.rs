//! What a tool may tell or ask whoever called it, while it runs.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::context::ToolCallContext;
use super::descriptor::BoxFuture;
use super::output::Content;
use super::schema;

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What is done, in units of the tool's choice; each report is above the one before.
    pub progress: f64,
    /// What there is to do, in the same units, when that is known.
    pub total: Option<f64>,
    /// What is being done, for people.
    pub message: Option<Cow<'static, str>>,
}

impl Progress {
    /// So much is done, of a total that isn't known.
    pub const fn new(progress: f64) -> Self {
        Self {
            progress,
            total: None,
            message: None,
        }
    }

    /// So much is done, of so much.
    pub const fn of(progress: f64, total: f64) -> Self {
        Self {
            progress,
            total: Some(total),
            message: None,
        }
    }

    /// Adds what is being done, for people.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = Some(message.into());
        self
    }
}

/// How grave a message is: the levels of syslog, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Of use while looking for a fault.
    Debug,
    /// As things go.
    Info,
    /// Normal, and worth a look.
    Notice,
    /// May become a fault.
    Warning,
    /// A fault.
    Error,
    /// A part is out of order.
    Critical,
    /// Someone has to act now.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    /// `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A message for the caller's log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogMessage {
    /// How grave it is.
    pub level: LogLevel,
    /// What wrote it, when that is known.
    pub logger: Option<String>,
    /// The message: any JSON value.
    pub data: Value,
}

impl LogMessage {
    /// A message without the name of what wrote it.
    pub fn new(level: LogLevel, data: impl Into<Value>) -> Self {
        Self {
            level,
            logger: None,
            data: data.into(),
        }
    }

    /// Adds the name of what wrote it.
    #[must_use]
    pub fn with_logger(mut self, logger: impl Into<String>) -> Self {
        self.logger = Some(logger.into());
        self
    }
}

/// A question to a person: words, and a form to fill in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ElicitRequest {
    /// What is asked, in words.
    pub message: String,
    /// The JSON Schema of the answer: an object with plain fields.
    pub schema: Value,
}

impl ElicitRequest {
    /// A question whose answer fits `schema`.
    pub fn new(message: impl Into<String>, schema: Value) -> Self {
        Self {
            message: message.into(),
            schema,
        }
    }
}

/// What a person did with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elicited<T> {
    /// Answered it.
    Accept(T),
    /// Refused to answer.
    Decline,
    /// Turned away without an answer.
    Cancel,
}

impl<T> Elicited<T> {
    /// The answer, if there is one.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accept(answer) => Some(answer),
            Self::Decline | Self::Cancel => None,
        }
    }
}

/// Who wrote a message of a [`SampleRequest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SampleRole {
    /// A person, or who speaks for one.
    User,
    /// A model.
    Assistant,
}

/// A message to or from a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SampleMessage {
    /// Who wrote it.
    pub role: SampleRole,
    /// Its parts: text, pictures or sounds.
    pub content: Vec<Content>,
}

impl SampleMessage {
    /// A message with these parts.
    pub fn new(role: SampleRole, content: impl Into<Vec<Content>>) -> Self {
        Self {
            role,
            content: content.into(),
        }
    }

    /// A text from the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(SampleRole::User, [Content::text(text)])
    }
}

/// A request that the caller let its model answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SampleRequest {
    /// The conversation so far, oldest first.
    pub messages: Vec<SampleMessage>,
    /// What the model is told before all else.
    pub system_prompt: Option<String>,
    /// The most tokens of the answer.
    pub max_tokens: u32,
    /// How freely the model chooses, from 0.0 to 1.0.
    pub temperature: Option<f32>,
    /// Texts at which the answer ends.
    pub stop_sequences: Vec<String>,
    /// Names, or parts of names, of models that would do, best first.
    pub model_hints: Vec<String>,
}

impl SampleRequest {
    /// A conversation, and the most tokens of its answer.
    pub fn new(messages: impl Into<Vec<SampleMessage>>, max_tokens: u32) -> Self {
        Self {
            messages: messages.into(),
            system_prompt: None,
            max_tokens,
            temperature: None,
            stop_sequences: Vec::new(),
            model_hints: Vec::new(),
        }
    }

    /// Sets what the model is told before all else.
    #[must_use]
    pub fn with_system_prompt(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }
}

/// What a caller's model answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sampled {
    /// The answer.
    pub message: SampleMessage,
    /// The model's name.
    pub model: String,
    /// Why the answer ended there, in the words of the caller, such as `endTurn`.
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// An answer of a model.
    pub fn new(model: impl Into<String>, content: impl Into<Vec<Content>>) -> Self {
        Self {
            message: SampleMessage::new(SampleRole::Assistant, content),
            model: model.into(),
            stop_reason: None,
        }
    }

    /// Adds why the answer ended there.
    #[must_use]
    pub fn with_stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }
}

/// Why whoever called gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PeerError {
    /// Nobody is there to ask, or none who answers questions of this sort.
    Unavailable,
    /// The question can't be put in this form.
    Unusable {
        /// What is wrong with it.
        problem: String,
    },
    /// The answer doesn't fit what was asked.
    InvalidAnswer {
        /// Where in the answer, such as `items[3].price`; empty for the whole.
        path: String,
        /// What is wrong there.
        message: String,
    },
    /// The caller failed to answer.
    Failed {
        /// What it said.
        message: String,
    },
    /// The caller is gone.
    Closed,
}

impl fmt::Display for PeerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable => f.write_str("the caller can't be asked"),
            Self::Unusable { problem } => write!(f, "the caller can't be asked this: {problem}"),
            Self::InvalidAnswer { path, message } if path.is_empty() => {
                write!(f, "the caller's answer doesn't fit the question: {message}")
            }
            Self::InvalidAnswer { path, message } => write!(
                f,
                "the caller's answer doesn't fit the question at `{path}`: {message}"
            ),
            Self::Failed { message } => write!(f, "the caller failed to answer: {message}"),
            Self::Closed => f.write_str("the caller is gone"),
        }
    }
}

impl Error for PeerError {}

/// Which questions a [`CallPeer`] answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeerSupport {
    /// A person can be asked to fill in a form.
    pub elicitation: bool,
    /// A model can be asked.
    pub sampling: bool,
}

impl PeerSupport {
    /// No questions.
    pub const NONE: Self = Self {
        elicitation: false,
        sampling: false,
    };

    /// Sets whether a person can be asked to fill in a form.
    #[must_use]
    pub const fn with_elicitation(mut self, elicitation: bool) -> Self {
        self.elicitation = elicitation;
        self
    }

    /// Sets whether a model can be asked.
    #[must_use]
    pub const fn with_sampling(mut self, sampling: bool) -> Self {
        self.sampling = sampling;
        self
    }
}

/// Whoever made a call, as far as its tool may tell or ask something while it runs.
///
/// A host attaches one with [`ToolCallContext::with_peer`]. Each method does nothing, or refuses,
/// unless it is implemented; what [`support`](Self::support) says is what the tool is told
/// beforehand.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use callboard::{CallPeer, Progress, ToolCallContext};
///
/// #[derive(Default)]
/// struct Bar(Mutex<f64>);
///
/// impl CallPeer for Bar {
///     fn progress(&self, progress: Progress) {
///         *self.0.lock().unwrap() = progress.progress;
///     }
/// }
///
/// let bar = Arc::new(Bar::default());
/// let ctx = ToolCallContext::new("call_1").with_peer(bar.clone());
/// ctx.progress(Progress::of(3.0, 10.0));
/// assert_eq!(*bar.0.lock().unwrap(), 3.0);
/// ```
pub trait CallPeer: Send + Sync {
    /// Which questions this caller answers.
    fn support(&self) -> PeerSupport {
        PeerSupport::NONE
    }

    /// Is told how far the call has come. Must not block.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }

    /// Is given a message for its log. Must not block.
    fn log(&self, message: LogMessage) {
        let _ = message;
    }

    /// Asks a person.
    fn elicit(&self, request: ElicitRequest) -> BoxFuture<'_, Result<Elicited<Value>, PeerError>> {
        let _ = request;
        Box::pin(std::future::ready(Err(PeerError::Unavailable)))
    }

    /// Asks a model.
    fn sample(&self, request: SampleRequest) -> BoxFuture<'_, Result<Sampled, PeerError>> {
        let _ = request;
        Box::pin(std::future::ready(Err(PeerError::Unavailable)))
    }
}

impl ToolCallContext {
    /// Which questions whoever called answers: none where nobody was attached.
    pub fn peer_support(&self) -> PeerSupport {
        self.peer().map_or(PeerSupport::NONE, |peer| peer.support())
    }

    /// Tells whoever called how far the call has come; does nothing where nobody was attached.
    #[inline]
    pub fn progress(&self, progress: Progress) {
        if let Some(peer) = self.peer() {
            peer.progress(progress);
        }
    }

    /// As [`progress`](Self::progress), for a message that costs something to make: `report` runs
    /// only where someone was attached.
    #[inline]
    pub fn progress_with(&self, report: impl FnOnce() -> Progress) {
        if let Some(peer) = self.peer() {
            peer.progress(report());
        }
    }

    /// Gives whoever called a message for its log. `data` is written as JSON only where someone
    /// was attached; what can't be is left out.
    #[inline]
    pub fn log<T: Serialize + ?Sized>(&self, level: LogLevel, data: &T) {
        if let Some(peer) = self.peer()
            && let Ok(data) = serde_json::to_value(data)
        {
            peer.log(LogMessage {
                level,
                logger: None,
                data,
            });
        }
    }

    /// Asks the person behind the call to fill in a form with the fields of `T`, which is a struct
    /// with plain fields: texts, numbers, booleans and enums without data.
    ///
    /// ```
    /// use callboard::schemars::JsonSchema;
    /// use callboard::serde::Deserialize;
    /// use callboard::{Elicited, PeerError, ToolCallContext, tool};
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// # #[serde(crate = "callboard::serde")]
    /// # #[schemars(crate = "callboard::schemars")]
    /// struct Seat {
    ///     /// At the window?
    ///     window: bool,
    /// }
    ///
    /// /// Books a seat.
    /// #[tool]
    /// async fn book_seat(#[inject] ctx: &ToolCallContext) -> Result<String, PeerError> {
    ///     Ok(match ctx.elicit::<Seat>("Which seat?").await? {
    ///         Elicited::Accept(seat) if seat.window => "at the window".into(),
    ///         Elicited::Accept(_) => "at the aisle".into(),
    ///         Elicited::Decline | Elicited::Cancel => "not booked".into(),
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// `Unavailable` where nobody can be asked, at once and without making the form; `Unusable`
    /// when `T` is no struct; `InvalidAnswer` when the answer isn't a `T`; else what the caller
    /// says.
    pub async fn elicit<T: DeserializeOwned + JsonSchema>(
        &self,
        message: impl Into<String>,
    ) -> Result<Elicited<T>, PeerError> {
        let peer = self.peer().filter(|peer| peer.support().elicitation);
        let Some(peer) = peer else {
            return Err(PeerError::Unavailable);
        };
        let schema = schema::of_form::<T>();
        if let Some(problem) = schema::input_problem(&schema) {
            return Err(PeerError::Unusable { problem });
        }
        let answer = peer.elicit(ElicitRequest::new(message, schema)).await?;
        Ok(match answer {
            Elicited::Accept(value) => Elicited::Accept(answer_of(value)?),
            Elicited::Decline => Elicited::Decline,
            Elicited::Cancel => Elicited::Cancel,
        })
    }

    /// Asks the model of whoever called.
    ///
    /// # Errors
    ///
    /// `Unavailable` where nobody can be asked; else what the caller says.
    pub async fn sample(&self, request: SampleRequest) -> Result<Sampled, PeerError> {
        match self.peer().filter(|peer| peer.support().sampling) {
            None => Err(PeerError::Unavailable),
            Some(peer) => peer.sample(request).await,
        }
    }
}

fn answer_of<T: DeserializeOwned>(value: Value) -> Result<T, PeerError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = match error.path().to_string() {
            // How the crate writes the whole.
            whole if whole == "." => String::new(),
            path => path,
        };
        PeerError::InvalidAnswer {
            path,
            message: error.into_inner().to_string(),
        }
    })
}
