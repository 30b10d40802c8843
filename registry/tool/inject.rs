//! Parameters that come from the call or the registry, not from the model.

use std::any::{TypeId, type_name};
use std::convert::Infallible;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::call::ToolCall;
use super::context::ToolCallContext;
use super::error::DispatchError;
use super::failure::ToolFailure;

/// A type that a `#[inject]` parameter may have.
///
/// ```
/// use callboard::{FromToolCall, ToolCall, ToolFailure};
///
/// #[derive(Clone)]
/// struct User(String);
///
/// // The host attaches it with `ToolCallContext::with_extension`.
/// impl<'a> FromToolCall<'a> for &'a User {
///     type Rejection = ToolFailure;
///
///     fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, ToolFailure> {
///         call.context()
///             .extension::<User>()
///             .ok_or_else(|| ToolFailure::new("nobody is signed in"))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be injected into a tool",
    label = "no `FromToolCall` for this type",
    note = "a value that the registry was given with `provide` is injected as `State<'_, T>`, and the call's context as `&ToolCallContext`",
    note = "without `#[inject]`, the parameter is an argument that the model sends"
)]
pub trait FromToolCall<'a>: Sized {
    /// Why the value can't be had for this call.
    ///
    /// A [`ToolFailure`] and a `String` are told to the model; a [`DispatchError`] is what it says
    /// it is.
    type Rejection: IntoRejection;

    /// Says what the registry must have been given for this to work, so that sealing can check
    /// it. Nothing, unless overridden.
    fn requires(_requirements: &mut Requirements) {}

    /// Takes the value from the call.
    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, Self::Rejection>;
}

/// Why a value can't be injected.
///
/// A [`ToolFailure`] and a text are told to the model, as a tool's own error is; a
/// [`DispatchError`] is what it says it is. Another error becomes a `ToolFailure` with `?` or
/// `into`, if it has `Display`, or implements this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the rejection of an extractor",
    label = "neither told to a model nor a reason to refuse the call",
    note = "write `type Rejection = callboard::ToolFailure;`: every error with `Display` becomes one with `?` or `.into()`, and its text is told to the model",
    note = "or write `type Rejection = callboard::DispatchError;`, to refuse the call for a reason that the host acts on"
)]
pub trait IntoRejection {
    /// What the call ends in.
    fn into_rejection(self) -> DispatchError;
}

impl IntoRejection for DispatchError {
    fn into_rejection(self) -> DispatchError {
        self
    }
}

impl IntoRejection for Infallible {
    fn into_rejection(self) -> DispatchError {
        match self {}
    }
}

macro_rules! told_to_the_model {
    ($($rejection:ty)*) => {$(
        impl IntoRejection for $rejection {
            fn into_rejection(self) -> DispatchError {
                DispatchError::Failed(self.into())
            }
        }
    )*};
}

told_to_the_model!(ToolFailure String &'static str);

/// A value of type `T` that the registry was given with `provide`.
///
/// A tool that takes one can't be sealed into a registry that lacks it.
pub struct State<'a, T>(
    /// The value.
    pub &'a T,
);

impl<T> Clone for State<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for State<'_, T> {}

impl<T> Deref for State<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for State<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(self.0).finish()
    }
}

impl<'a, T: Send + Sync + 'static> FromToolCall<'a> for State<'a, T> {
    type Rejection = DispatchError;

    fn requires(requirements: &mut Requirements) {
        requirements.state::<T>();
    }

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, DispatchError> {
        call.state().map(State).ok_or_else(|| missing::<T>(call))
    }
}

/// Sealing makes this impossible for what a tool declares; an extractor that asks for state
/// without saying so in `requires` gets here.
#[cold]
fn missing<T>(call: &ToolCall<'_>) -> DispatchError {
    DispatchError::Denied {
        tool: call.tool().to_owned(),
        reason: format!(
            "the registry was not given a `{}`: provide it before sealing",
            type_name::<T>()
        ),
    }
}

impl<'a> FromToolCall<'a> for &'a ToolCallContext {
    type Rejection = Infallible;

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, Self::Rejection> {
        Ok(call.context())
    }
}

impl<'a> FromToolCall<'a> for ToolCall<'a> {
    type Rejection = Infallible;

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, Self::Rejection> {
        Ok(*call)
    }
}

impl<'a, T: FromToolCall<'a>> FromToolCall<'a> for Option<T> {
    type Rejection = Infallible;

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, Self::Rejection> {
        Ok(T::from_tool_call(call).ok())
    }
}

/// What a tool needs its registry to have been given; filled by [`FromToolCall::requires`].
#[derive(Debug, Default)]
pub struct Requirements {
    states: Vec<(TypeId, &'static str)>,
}

impl Requirements {
    /// Adds: a value of type `T` must have been provided.
    pub fn state<T: Send + Sync + 'static>(&mut self) {
        self.states.push((TypeId::of::<T>(), type_name::<T>()));
    }

    /// The names of the types, in the order in which they were asked for.
    pub fn type_names(&self) -> impl Iterator<Item = &'static str> {
        self.states.iter().map(|(_, name)| *name)
    }

    pub(crate) fn states(&self) -> &[(TypeId, &'static str)] {
        &self.states
    }
}

/// The values given with `provide`, by type.
#[derive(Clone, Default)]
/// Public for generated code alone.
pub struct Provided {
    values: super::context::TypeMap<Arc<dyn std::any::Any + Send + Sync>>,
    /// Types that were given more than once: which of the values counts would be luck.
    pub(crate) repeated: Vec<&'static str>,
}

impl fmt::Debug for Provided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provided")
            .field("values", &self.len())
            .finish_non_exhaustive()
    }
}

impl Provided {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        if self
            .values
            .insert(TypeId::of::<T>(), Arc::new(value))
            .is_some()
        {
            self.repeated.push(type_name::<T>());
        }
    }

    pub(crate) fn replace<T: Send + Sync + 'static>(&mut self, value: T) {
        self.values.insert(TypeId::of::<T>(), Arc::new(value));
        self.repeated.retain(|name| *name != type_name::<T>());
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.values.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.values.contains_key(&id)
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}
