//! What several test binaries share.
#![allow(dead_code, reason = "each binary uses a part of it")]

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use callboard::{
    CapabilityRegistry, DispatchError, Registry, RegistryError, Tool, ToolCallContext,
};
use serde_json::Value;

/// A context as most calls have it: an id and nothing else.
pub(crate) fn ctx() -> ToolCallContext {
    ToolCallContext::new("call_1")
}

/// A registry that `fill` filled, sealed.
pub(crate) fn sealed(
    fill: impl FnOnce(&mut CapabilityRegistry) -> Result<(), RegistryError>,
) -> Registry {
    let mut reg = CapabilityRegistry::new();
    fill(&mut reg).expect("the registrations are accepted");
    reg.seal().expect("the registry seals")
}

/// A registry with one tool.
pub(crate) fn only<T: Tool>() -> Registry {
    sealed(|reg| reg.register_tool::<T>().map(drop))
}

/// Calls the one tool of a registry through the JSON door, and reads its output.
pub(crate) async fn ask<T: Tool>(
    registry: &Registry,
    arguments: &str,
) -> Result<Value, DispatchError> {
    let output = registry
        .dispatch(T::descriptor().name(), arguments, &ctx())
        .await?;
    let json = output.as_json().expect("the output is JSON");
    Ok(serde_json::from_str(json).expect("the output parses"))
}

/// As [`ask`], of a registry with that tool alone.
pub(crate) async fn ask_only<T: Tool>(arguments: &str) -> Result<Value, DispatchError> {
    ask::<T>(&only::<T>(), arguments).await
}

/// The path and the message of a refusal of arguments.
pub(crate) fn refusal(error: DispatchError) -> (String, String) {
    match error {
        DispatchError::InvalidArguments { path, message, .. } => (path, message),
        other => panic!("not about arguments: {other:?}"),
    }
}

/// Runs a future with no runtime of any kind around it.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// Polls a future once, with nobody to wake.
pub(crate) fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Fails unless `schema` is a JSON Schema of draft 2020-12, by that draft's own meta-schema.
pub(crate) fn assert_is_schema(name: &str, schema: &Value) {
    assert_eq!(
        schema["$schema"], "https://json-schema.org/draft/2020-12/schema",
        "the schema of {name} says which draft it is"
    );
    if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
        panic!("the schema of {name} is none: {error}\n{schema:#}");
    }
}
