//! The pipeline: every call, through either door, to any family of row, takes these steps.

use std::any::{Any, TypeId};
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span, field};

use super::authorize::Decision;
use super::call::ToolCall;
use super::context::ToolCallContext;
use super::decode;
use super::descriptor::{BoxFuture, Tool};
use super::entry::RegistryEntry;
use super::error::{CallError, DispatchError};
use super::failure::IntoToolFailure;
use super::guard::Guarded;
use super::output::{EncodeOutput, ToolOutput};
use super::table::ToolTable;
use super::{approval, unwind};
use crate::component::closest_names;

/// The part of a call that depends on how it comes in.
pub(super) trait Door: Sized + Send + 'static {
    type Args: Send;
    type Output: Send;
    type Reply;
    type Error: From<DispatchError>;

    fn decode(self, call: ToolCall<'_>) -> Result<Self::Args, DispatchError>;

    /// The arguments as JSON, for an approval; or why there is no such thing.
    fn arguments(args: &Self::Args, call: ToolCall<'_>) -> Result<Value, String>;

    fn run(
        args: Self::Args,
        call: ToolCall<'_>,
    ) -> impl Future<Output = Result<Self::Output, Self::Error>> + Send;

    fn encode(output: Self::Output, call: ToolCall<'_>) -> Result<Self::Reply, Self::Error>;

    fn outcome(error: &Self::Error) -> &'static str;
}

/// Authorize → decode → approve → run → encode, within a span.
pub(super) async fn execute<D: Door>(call: ToolCall<'_>, door: D) -> Result<D::Reply, D::Error> {
    let mut record = CallRecord::begin(call);
    let span = record.span.clone();
    let result = steps(call, door).instrument(span).await;
    record.outcome = match &result {
        Ok(_) => "ok",
        Err(error) => D::outcome(error),
    };
    result
}

async fn steps<D: Door>(call: ToolCall<'_>, door: D) -> Result<D::Reply, D::Error> {
    if let Decision::Deny { reason } = call.table.decide(call.entry, call.context) {
        return Err(D::Error::from(DispatchError::Denied {
            tool: call.tool().to_owned(),
            reason,
        }));
    }
    let args = door.decode(call)?;
    if approval::is_needed(call) {
        Box::pin(approval::obtain(call, D::arguments(&args, call))).await?;
    }
    let running = unwind::catch(call.tool(), || D::run(args, call))?;
    let output = Guarded::new(call, running, call.entry.policy().timeout).await??;
    D::encode(output, call)
}

/// A call's span, which tells how it ended even when its caller dropped it.
struct CallRecord {
    span: Span,
    begun: Option<Instant>,
    outcome: &'static str,
}

impl CallRecord {
    fn begin(call: ToolCall<'_>) -> Self {
        let span = tracing::info_span!(
            target: "callboard",
            "tool_call",
            tool = call.tool(),
            call_id = call.context.call_id(),
            family = call.entry.family().as_str(),
            outcome = field::Empty,
            duration_us = field::Empty,
        );
        Self {
            // Nobody listens, mostly; then the clock isn't read.
            begun: (!span.is_disabled()).then(Instant::now),
            span,
            outcome: "dropped",
        }
    }
}

impl Drop for CallRecord {
    fn drop(&mut self) {
        if let Some(begun) = self.begun {
            self.span.record("outcome", self.outcome);
            let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.span.record("duration_us", micros);
        }
    }
}

impl ToolTable {
    /// The typed door.
    pub(crate) async fn call<T: Tool>(
        self: &Arc<Self>,
        args: T::Args,
        context: &ToolCallContext,
    ) -> Result<T::Output, CallError<T::Error>> {
        let Some(entry) = self.find_typed(TypeId::of::<T>()) else {
            return Err(CallError::Refused(not_registered::<T>()));
        };
        let call = ToolCall {
            table: self,
            entry,
            context,
            json: "",
        };
        execute(call, TypedDoor::<T>(args)).await
    }

    /// The JSON door.
    pub(crate) async fn dispatch(
        self: &Arc<Self>,
        name: &str,
        arguments: &str,
        context: &ToolCallContext,
    ) -> Result<ToolOutput, DispatchError> {
        let Some(entry) = self.find(name) else {
            return Err(self.unknown(name));
        };
        let call = ToolCall {
            table: self,
            entry,
            context,
            json: arguments,
        };
        match entry {
            RegistryEntry::Native(native) => (native.descriptor().parts().invoke)(call).await,
            #[cfg(feature = "dynamic")]
            RegistryEntry::Dynamic(dynamic) => execute(call, dynamic.door()).await,
        }
    }

    #[cold]
    fn unknown(&self, name: &str) -> DispatchError {
        DispatchError::UnknownTool {
            name: name.to_owned(),
            closest: closest_names(name, self.rows().iter().map(RegistryEntry::name)),
        }
    }
}

#[cold]
fn not_registered<T: Tool>() -> DispatchError {
    DispatchError::UnknownTool {
        name: T::descriptor().name().to_owned(),
        closest: Vec::new(),
    }
}

/// Typed in, typed out.
struct TypedDoor<T: Tool>(T::Args);

impl<T: Tool> Door for TypedDoor<T> {
    type Args = T::Args;
    type Output = T::Output;
    type Reply = T::Output;
    type Error = CallError<T::Error>;

    fn decode(self, _call: ToolCall<'_>) -> Result<T::Args, DispatchError> {
        Ok(self.0)
    }

    fn arguments(args: &T::Args, _call: ToolCall<'_>) -> Result<Value, String> {
        arguments_as_json::<T>(args).unwrap_or_else(|| {
            Err(format!(
                "`{}` doesn't implement `Serialize`",
                std::any::type_name::<T::Args>()
            ))
        })
    }

    fn run(
        args: T::Args,
        call: ToolCall<'_>,
    ) -> impl Future<Output = Result<T::Output, CallError<T::Error>>> + Send {
        T::call(args, call)
    }

    fn encode(output: T::Output, _call: ToolCall<'_>) -> Result<T::Output, Self::Error> {
        Ok(output)
    }

    fn outcome(error: &Self::Error) -> &'static str {
        match error {
            CallError::Refused(error) => error.kind(),
            CallError::Failed(_) => "failed",
        }
    }
}

/// JSON in, JSON or content out, for a tool whose types are known.
struct JsonDoor<T, const CONTENT: bool>(PhantomData<fn() -> T>);

impl<T, const CONTENT: bool> Door for JsonDoor<T, CONTENT>
where
    T: Tool,
    T::Args: DeserializeOwned,
    T::Output: EncodeOutput<CONTENT>,
{
    type Args = T::Args;
    type Output = T::Output;
    type Reply = ToolOutput;
    type Error = DispatchError;

    fn decode(self, call: ToolCall<'_>) -> Result<T::Args, DispatchError> {
        decode::arguments(call, T::descriptor().coerces_strings())
    }

    /// What was decoded, where it can be written again: defaults and all. Otherwise what came.
    fn arguments(args: &T::Args, call: ToolCall<'_>) -> Result<Value, String> {
        arguments_as_json::<T>(args).unwrap_or_else(|| {
            serde_json::from_str(decode::given(call.json)).map_err(|error| error.to_string())
        })
    }

    async fn run(args: T::Args, call: ToolCall<'_>) -> Result<T::Output, DispatchError> {
        T::call(args, call).await.map_err(|error| match error {
            CallError::Refused(error) => error,
            CallError::Failed(error) => DispatchError::Failed(error.into_tool_failure()),
        })
    }

    fn encode(output: T::Output, call: ToolCall<'_>) -> Result<ToolOutput, DispatchError> {
        output.encode(call.tool())
    }

    fn outcome(error: &DispatchError) -> &'static str {
        error.kind()
    }
}

/// `None` where the type of the arguments can't be written as JSON.
fn arguments_as_json<T: Tool>(args: &T::Args) -> Option<Result<Value, String>> {
    let to_json = T::descriptor().parts().args_to_json?;
    let any: &dyn Any = args;
    Some(to_json(any)?.map_err(|error| error.to_string()))
}

/// The JSON door of one tool, for its descriptor. `CONTENT` is `Probe::<Output>::IS_CONTENT`.
pub(super) fn invoke<T, const CONTENT: bool>(
    call: ToolCall<'_>,
) -> BoxFuture<'_, Result<ToolOutput, DispatchError>>
where
    T: Tool,
    T::Args: DeserializeOwned,
    T::Output: EncodeOutput<CONTENT>,
{
    Box::pin(execute(call, JsonDoor::<T, CONTENT>(PhantomData)))
}

/// Runs a `#[tool(blocking)]` function on a thread that may block.
///
/// The thread can't be stopped: when the call is, the function goes on, and finds
/// `ToolCallContext::is_cancelled` true.
#[doc(hidden)]
pub async fn run_blocking<R: Send + 'static>(
    call: ToolCall<'_>,
    work: impl FnOnce(ToolCall<'_>) -> R + Send + 'static,
) -> Result<R, DispatchError> {
    let runtime = tokio::runtime::Handle::try_current().map_err(|_| DispatchError::NoRuntime {
        tool: call.tool().to_owned(),
    })?;
    let stop = call
        .context
        .cancel()
        .map_or_else(CancellationToken::new, CancellationToken::child_token);
    let _stop_when_dropped = stop.clone().drop_guard();
    let table = Arc::clone(call.table);
    let entry = call.entry.clone();
    let context = call.context.clone().with_cancel(stop);
    let task = runtime.spawn_blocking(move || {
        work(ToolCall {
            table: &table,
            entry: &entry,
            context: &context,
            json: "",
        })
    });
    // A task that hasn't begun when its call is dropped never begins.
    let _abort_when_dropped = AbortOnDrop(task.abort_handle());
    task.await.map_err(|error| match error.try_into_panic() {
        Ok(payload) => unwind::panicked(call.tool(), payload),
        // The runtime is shutting down.
        Err(_) => DispatchError::Cancelled {
            tool: call.tool().to_owned(),
        },
    })
}

struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
