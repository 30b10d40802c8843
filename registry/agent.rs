//! Agents: what maps a prompt to an answer, with no state of the application around it.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::component::ComponentDescriptor;
use crate::tool::{BoxFuture, DispatchError, IntoToolFailure};

/// An agent as an application holds it: named, and callable with a finished prompt.
///
/// `#[agent]` implements it for a function or a type; a hand-written one goes to
/// `CapabilityRegistry::register_agent`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an agent",
    note = "put `#[callboard::agent]` on it and implement `callboard::Respond` for it; for an `async fn`, name the struct that the attribute makes: `Summarizer` for `fn summarizer`"
)]
pub trait Agent: Send + Sync + 'static {
    /// The name, by the rule of [`check_name`](crate::check_name).
    fn name(&self) -> &str;

    /// What it is for; may be empty.
    fn description(&self) -> &str {
        ""
    }

    /// Labels to select by.
    fn tags(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Answers a prompt, into which whatever the agent needs has been written.
    ///
    /// # Errors
    ///
    /// [`DispatchError::Failed`] with the agent's own words.
    ///
    /// # Panics
    ///
    /// Where the agent does: unlike a tool's, its panic is its caller's.
    fn answer<'a>(&'a self, prompt: &'a str) -> BoxFuture<'a, Result<String, DispatchError>>;
}

impl fmt::Debug for dyn Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Agent").field(&self.name()).finish()
    }
}

/// What a type under `#[agent]` implements; the attribute adds the name and makes it an
/// [`Agent`].
///
/// ```
/// use callboard::{Respond, agent};
///
/// /// Says it backwards.
/// #[agent]
/// #[derive(Default)]
/// struct Reverser;
///
/// impl Respond for Reverser {
///     type Error = String;
///
///     async fn respond(&self, prompt: &str) -> Result<String, String> {
///         Ok(prompt.chars().rev().collect())
///     }
/// }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is under `#[agent]` and says nothing to a prompt",
    label = "no `Respond` for this type",
    note = "implement `callboard::Respond` for it: `async fn respond(&self, prompt: &str) -> Result<String, Self::Error>`"
)]
pub trait Respond: Send + Sync + 'static {
    /// The error that it returns.
    type Error: IntoToolFailure;

    /// Answers a prompt.
    fn respond(&self, prompt: &str) -> impl Future<Output = Result<String, Self::Error>> + Send;
}

/// Where an application finds its agents.
pub trait AgentRegistry {
    /// The agent of this name or alias.
    fn agent(&self, name: &str) -> Option<Arc<dyn Agent>>;

    /// The names, without aliases, sorted.
    fn agent_names(&self) -> Vec<String>;
}

impl AgentRegistry for BTreeMap<String, Arc<dyn Agent>> {
    fn agent(&self, name: &str) -> Option<Arc<dyn Agent>> {
        self.get(name).cloned()
    }

    fn agent_names(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }
}

/// What `#[agent]` makes known before the program starts.
#[derive(Debug)]
pub struct AgentDescriptor {
    component: ComponentDescriptor,
    make: fn() -> Arc<dyn Agent>,
}

impl AgentDescriptor {
    #[doc(hidden)]
    pub const fn __new(component: ComponentDescriptor, make: fn() -> Arc<dyn Agent>) -> Self {
        Self { component, make }
    }

    /// Kind, name, description, tags and source.
    pub const fn component(&self) -> &ComponentDescriptor {
        &self.component
    }

    /// The agent itself.
    pub fn make(&self) -> Arc<dyn Agent> {
        (self.make)()
    }
}

/// What the function of an agent may return, under a `Result` or without one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the answer of an agent",
    label = "an answer is text",
    note = "return a `String`, or a `Result` with one"
)]
#[doc(hidden)]
pub trait Answer: Into<String> {}

#[diagnostic::do_not_recommend]
impl<T: Into<String>> Answer for T {}

/// The type of the parameter of an agent's function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the prompt of an agent",
    label = "a prompt is text",
    note = "write `prompt: &str` or `prompt: String`"
)]
#[doc(hidden)]
pub trait Prompt<'a>: From<&'a str> {}

#[diagnostic::do_not_recommend]
impl<'a, T: From<&'a str>> Prompt<'a> for T {}

/// The prompt, in the type that an agent's function takes.
#[doc(hidden)]
pub fn prompt<'a, T: Prompt<'a>>(prompt: &'a str) -> T {
    T::from(prompt)
}

/// The answer of an agent's function, in the form of [`Agent::answer`].
#[doc(hidden)]
pub fn answered<T: Answer, E: IntoToolFailure>(
    result: Result<T, E>,
) -> Result<String, DispatchError> {
    result
        .map(Into::into)
        .map_err(|error| DispatchError::Failed(error.into_tool_failure()))
}
