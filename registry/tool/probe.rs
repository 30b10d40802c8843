//! Asking a type, while the program compiles, what it can do.
//!
//! An attribute sees tokens, not types: it can't know that `Fallible<T>` is an alias of
//! `Result<T, MyError>`, or that an output has a schema. It writes `Probe::<T>::IS_RESULT` and
//! lets the compiler answer: an inherent constant, which exists only where its `impl` fits, is
//! preferred to the constant of a trait that everything implements.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::descriptor::{ArgsToJson, Invoke, Tool};
use super::dispatch;
use super::inject::{FromToolCall, Requirements};
use super::output::{ContentOutput, EncodeOutput};
use super::schema;

/// The question, about the type `T`.
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The answers where no inherent one fits.
pub trait Otherwise {
    const IS_RESULT: bool = false;
    const IS_CONTENT: bool = false;
    const OUTPUT_SCHEMA: Option<fn() -> Value> = None;
    const ARGS_TO_JSON: Option<ArgsToJson> = None;

    // These three answers are never used: where they would be, the assertions beside them have
    // stopped the build, with a message at the user's own type. Asking here, rather than
    // requiring the trait, is what keeps that message the only one.
    const INPUT_SCHEMA: fn() -> Value = || unreachable!("the arguments have no schema");
    const INVOKE: Invoke = |_| unreachable!("the arguments or the output are not JSON");
    const REQUIRES: fn(&mut Requirements) = |_| unreachable!("the type can't be injected");
}

impl<T: ?Sized> Otherwise for Probe<T> {}

impl<T, E> Probe<Result<T, E>> {
    pub const IS_RESULT: bool = true;
}

impl<T: ContentOutput> Probe<T> {
    pub const IS_CONTENT: bool = true;
}

impl<T: JsonSchema> Probe<T> {
    pub const OUTPUT_SCHEMA: Option<fn() -> Value> = Some(schema::of_output::<T>);
}

impl<T: JsonSchema> Probe<T> {
    pub const INPUT_SCHEMA: fn() -> Value = schema::of_input::<T>;
}

/// The JSON door of the tool `T`, for a [`Probe`]. `CONTENT` is `Probe::<Output>::IS_CONTENT`.
pub struct JsonDoorOf<T, const CONTENT: bool>(PhantomData<T>);

impl<T, const CONTENT: bool> Probe<JsonDoorOf<T, CONTENT>>
where
    T: Tool,
    T::Args: DeserializeOwned,
    T::Output: EncodeOutput<CONTENT>,
{
    pub const INVOKE: Invoke = dispatch::invoke::<T, CONTENT>;
}

impl<'a, T: FromToolCall<'a>> Probe<T> {
    pub const REQUIRES: fn(&mut Requirements) = T::requires;
}

impl<T: Serialize + Any> Probe<T> {
    pub const ARGS_TO_JSON: Option<ArgsToJson> =
        Some(|args| args.downcast_ref::<T>().map(serde_json::to_value));
}

/// What a function's return type means for its tool. `RESULT` is [`Probe::IS_RESULT`].
pub trait Returned<const RESULT: bool> {
    type Output;
    type Error;

    fn into_result(self) -> Result<Self::Output, Self::Error>;
}

impl<T> Returned<false> for T {
    type Output = T;
    type Error = Infallible;

    fn into_result(self) -> Result<T, Infallible> {
        Ok(self)
    }
}

impl<T, E> Returned<true> for Result<T, E> {
    type Output = T;
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

macro_rules! if_the_field_does {
    ($($(#[$doc:meta])* $name:ident: $of:path;)*) => {$(
        $(#[$doc])*
        pub trait $name<'a>: $of {}
        impl<T: $of> $name<'_> for T {}
    )*};
}

// A bound that is false for a concrete type is an error where it is written, unless it mentions
// a bound lifetime: `for<'a> CustomerId: SerializeIf<'a>` makes an `impl` that exists only when
// the field's type allows it.
if_the_field_does! {
    /// Bound of the generated arguments' `Serialize`.
    SerializeIf: Serialize;
    /// Bound of the generated arguments' `Debug`.
    DebugIf: fmt::Debug;
    /// Bound of the generated arguments' `Clone`.
    CloneIf: Clone;
}

/// Bound of the generated arguments' `Deserialize`.
pub trait DeserializeIf<'a, 'de>: Deserialize<'de> {}
impl<'de, T: Deserialize<'de>> DeserializeIf<'_, 'de> for T {}
