//! From a function under `#[model]` to a handle, once, when the registry is sealed.

use std::any::type_name;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use super::ChatModel;
use crate::tool::{Provided, Requirements, State};

/// How the handle of a model is made of what the registry was given.
pub struct ModelFactory {
    requires: fn(&mut Requirements),
    make: fn(&Provided) -> Result<Arc<dyn ChatModel>, String>,
}

impl ModelFactory {
    pub const fn new(
        requires: fn(&mut Requirements),
        make: fn(&Provided) -> Result<Arc<dyn ChatModel>, String>,
    ) -> Self {
        Self { requires, make }
    }

    pub(crate) fn requirements(&self) -> Requirements {
        let mut requirements = Requirements::default();
        (self.requires)(&mut requirements);
        requirements
    }

    pub(crate) fn make(&self, provided: &Provided) -> Result<Arc<dyn ChatModel>, String> {
        (self.make)(provided)
    }
}

impl fmt::Debug for ModelFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelFactory").finish_non_exhaustive()
    }
}

/// What a parameter of a function under `#[model]` may be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a parameter of a model's function",
    label = "not something that a registry is given",
    note = "the function runs once, when the registry is sealed, and takes what was given with `provide`: write `#[inject] State(http): State<'_, Http>`"
)]
pub trait FromProvided<'a>: Sized {
    fn requires(requirements: &mut Requirements);

    fn from_provided(provided: &'a Provided) -> Option<Self>;
}

impl<'a, T: Send + Sync + 'static> FromProvided<'a> for State<'a, T> {
    fn requires(requirements: &mut Requirements) {
        requirements.state::<T>();
    }

    fn from_provided(provided: &'a Provided) -> Option<Self> {
        provided.get().map(State)
    }
}

/// A parameter's value.
pub fn provided<'a, T: FromProvided<'a>>(provided: &'a Provided) -> Result<T, String> {
    // Sealing has checked the requirements by now.
    T::from_provided(provided)
        .ok_or_else(|| format!("the registry was not given a `{}`", type_name::<T>()))
}

/// What the function returned; `into_result` tells a `Result`, under whatever name, from the rest.
pub struct Made<T>(pub T);

impl<T, E> Made<Result<T, E>> {
    pub fn into_result(self) -> Result<T, E> {
        self.0
    }
}

/// The way of what is no `Result`: the inherent method goes first.
pub trait NotResult {
    type Model;

    fn into_result(self) -> Result<Self::Model, Infallible>;
}

impl<T> NotResult for Made<T> {
    type Model = T;

    fn into_result(self) -> Result<T, Infallible> {
        Ok(self.0)
    }
}

/// The handle of what the function returned.
pub fn made<M: ChatModel, E: fmt::Display>(
    result: Result<M, E>,
) -> Result<Arc<dyn ChatModel>, String> {
    match result {
        Ok(model) => Ok(Arc::new(model)),
        Err(error) => Err(error.to_string()),
    }
}
