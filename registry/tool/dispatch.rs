//! The pipeline: every call, through either door, to any family of row, takes these steps.

use std::any::{Any, TypeId};
use std::convert::Infallible;
use std::future::Future;
use std::marker::PhantomData;
use std::str::Utf8Error;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use tracing::field;

use super::approval::{self, Arguments};
use super::authorize::Decision;
use super::call::ToolCall;
use super::context::ToolCallContext;
use super::decode;
use super::descriptor::{BoxFuture, Tool};
use super::entry::RegistryEntry;
use super::error::{CallError, DispatchError};
use super::guard::{Guarded, cancelled};
use super::output::{EncodeOutput, ToolOutput};
use super::table::ToolTable;
use super::unwind::{self, Quiet};
use crate::component::{MAX_NAME_LEN, closest_names};
use crate::record::{Record, Recorded};

/// The part of a call that depends on how it comes in.
pub(super) trait Door: Sized + Send + 'static {
    type Args: Send;
    type Output: Send;
    type Reply;
    type Error: From<DispatchError>;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<Self::Args>, DispatchError>;

    /// The arguments as text, which an approval is bound to; or why there is no such thing.
    fn arguments(args: &Self::Args, call: ToolCall<'_>) -> Result<Arguments, String>;

    fn run(
        args: Self::Args,
        call: ToolCall<'_>,
    ) -> impl Future<Output = Result<Self::Output, Self::Error>> + Send;

    fn encode(output: Self::Output, call: ToolCall<'_>) -> Result<Self::Reply, Self::Error>;

    fn outcome(error: &Self::Error) -> &'static str;
}

/// Authorize → decode → approve → run → encode, within a span.
#[inline]
pub(super) fn execute<D: Door>(
    call: ToolCall<'_>,
    door: D,
) -> impl Future<Output = Result<D::Reply, D::Error>> + Send {
    Recorded::new(
        record(call.tool(), call.context, call.entry.family().as_str()),
        steps(call, door),
        |result: &Result<D::Reply, D::Error>| match result {
            Ok(_) => "ok",
            Err(error) => D::outcome(error),
        },
    )
}

async fn steps<D: Door>(call: ToolCall<'_>, door: D) -> Result<D::Reply, D::Error> {
    if let Decision::Deny { reason } = call.table.decide(call.entry, call.context) {
        return Err(D::Error::from(DispatchError::Denied {
            tool: call.asked.to_owned(),
            reason,
        }));
    }
    let args = door.decode(call)?;
    if approval::is_needed(call) {
        // A user's `Serialize` may panic as a tool may.
        let arguments = match args.get() {
            Some(args) => unwind::catch(call.tool(), || D::arguments(args, call))
                .unwrap_or_else(|panic| Err(panic.to_string())),
            None => return Err(cancelled(call).into()),
        };
        // Boxed, since few calls need one, and every call would be larger for it.
        Box::pin(approval::obtain(call, arguments)).await?;
    }
    let timeout = call.entry.policy().timeout;
    // Making the future is the tool's code as well, where no `async` stands before it.
    let Some(args) = args.into_inner() else {
        return Err(cancelled(call).into());
    };
    let running = unwind::catch(call.tool(), || D::run(args, call))?;
    match Guarded::new(call, running, timeout).await? {
        Ok(output) => D::encode(output, call),
        // A tool that was told to stop, and did, has its own words for it.
        Err(error) if call.context.is_cancelled() => {
            unwind::drop_quietly(error);
            Err(cancelled(call).into())
        }
        Err(error) => Err(error),
    }
}

/// The span of a call, where someone listens.
#[inline]
fn record(tool: &str, context: &ToolCallContext, family: &str) -> Option<Record> {
    Record::begin(|| {
        tracing::info_span!(
            target: "callboard",
            "tool_call",
            tool = tool,
            call_id = context.call_id(),
            family = family,
            outcome = field::Empty,
            duration_us = field::Empty,
        )
    })
}

impl ToolTable {
    /// The typed door.
    #[inline]
    pub(crate) fn call<'a, T: Tool>(
        self: &'a Arc<Self>,
        args: T::Args,
        context: &'a ToolCallContext,
    ) -> impl Future<Output = Result<T::Output, CallError<T::Error>>> + Send + use<'a, T> {
        let entry = self.find_typed(TypeId::of::<T>());
        let args = Quiet::new(args);
        async move {
            let Some(entry) = entry else {
                return Err(CallError::Refused(not_registered::<T>(context)));
            };
            let call = ToolCall {
                table: self,
                entry,
                context,
                asked: entry.name(),
                json: "",
            };
            execute(call, TypedDoor::<T>(args)).await
        }
    }

    /// The JSON door.
    pub(crate) async fn dispatch(
        self: &Arc<Self>,
        name: &str,
        arguments: Result<&str, Utf8Error>,
        context: &ToolCallContext,
    ) -> Result<ToolOutput, DispatchError> {
        let Some(entry) = self.find(name) else {
            return Err(self.unknown(name, context));
        };
        let call = ToolCall {
            table: self,
            entry,
            context,
            asked: name,
            json: arguments.unwrap_or_default(),
        };
        if let Err(error) = arguments {
            return execute(call, UnreadableDoor(error)).await;
        }
        match entry {
            RegistryEntry::Native(native) => (native.descriptor().parts().invoke)(call).await,
            #[cfg(feature = "dynamic")]
            RegistryEntry::Dynamic(dynamic) => execute(call, dynamic.door()).await,
            // Boxed, or every call would be larger for it.
            #[cfg(feature = "mcp")]
            RegistryEntry::Mcp(mcp) => Box::pin(execute(call, mcp.door())).await,
        }
    }

    #[cold]
    fn unknown(&self, name: &str, context: &ToolCallContext) -> DispatchError {
        let closest = closest_names(name, self.rows().iter().map(RegistryEntry::name));
        unknown(name, closest, context)
    }
}

#[cold]
fn not_registered<T: Tool>(context: &ToolCallContext) -> DispatchError {
    unknown(T::descriptor().name(), Vec::new(), context)
}

/// The error for a call that finds no row, after a span for it.
fn unknown(name: &str, closest: Vec<String>, context: &ToolCallContext) -> DispatchError {
    let shown = name
        .char_indices()
        .nth(MAX_NAME_LEN)
        .map_or(name, |(end, _)| &name[..end]);
    if let Some(record) = record(shown, context, "none") {
        record.end("unknown_tool");
    }
    DispatchError::UnknownTool {
        name: name.to_owned(),
        closest,
    }
}

/// Typed in, typed out.
struct TypedDoor<T: Tool>(Quiet<T::Args>);

impl<T: Tool> Door for TypedDoor<T> {
    type Args = T::Args;
    type Output = T::Output;
    type Reply = T::Output;
    type Error = CallError<T::Error>;

    fn decode(self, _call: ToolCall<'_>) -> Result<Quiet<T::Args>, DispatchError> {
        Ok(self.0)
    }

    fn arguments(args: &T::Args, _call: ToolCall<'_>) -> Result<Arguments, String> {
        match arguments_as_json::<T>(args) {
            Some(typed) => Ok(Arguments {
                given: None,
                typed: Some(typed?),
            }),
            None => Err(format!(
                "`{}` doesn't implement `Serialize`",
                std::any::type_name::<T::Args>()
            )),
        }
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

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<T::Args>, DispatchError> {
        decode::arguments(call, T::descriptor().coerces_strings()).map(Quiet::new)
    }

    fn arguments(args: &T::Args, call: ToolCall<'_>) -> Result<Arguments, String> {
        Ok(Arguments {
            given: Some(decode::given(call.json).to_owned()),
            typed: arguments_as_json::<T>(args).and_then(Result::ok),
        })
    }

    async fn run(args: T::Args, call: ToolCall<'_>) -> Result<T::Output, DispatchError> {
        T::call(args, call).await.map_err(DispatchError::from)
    }

    fn encode(output: T::Output, call: ToolCall<'_>) -> Result<ToolOutput, DispatchError> {
        output.encode(call.tool())
    }

    fn outcome(error: &DispatchError) -> &'static str {
        error.kind()
    }
}

/// Bytes that are no text: refused, but not before the tool was found and the caller allowed.
struct UnreadableDoor(Utf8Error);

impl Door for UnreadableDoor {
    type Args = Infallible;
    type Output = Infallible;
    type Reply = ToolOutput;
    type Error = DispatchError;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<Infallible>, DispatchError> {
        let message = format!("not UTF-8: {}", self.0);
        Err(decode::invalid(call.tool(), "", message))
    }

    fn arguments(args: &Infallible, _call: ToolCall<'_>) -> Result<Arguments, String> {
        match *args {}
    }

    async fn run(args: Infallible, _call: ToolCall<'_>) -> Result<Infallible, DispatchError> {
        match args {}
    }

    fn encode(output: Infallible, _call: ToolCall<'_>) -> Result<ToolOutput, DispatchError> {
        match output {}
    }

    fn outcome(error: &DispatchError) -> &'static str {
        error.kind()
    }
}

/// Arguments as JSON text with sorted keys; `None` where their type can't be written as JSON.
fn arguments_as_json<T: Tool>(args: &T::Args) -> Option<Result<String, String>> {
    let to_json = T::descriptor().parts().args_to_json?;
    let any: &dyn Any = args;
    let json = to_json(any)?.map(|mut value| {
        value.sort_all_objects();
        value.to_string()
    });
    Some(json.map_err(|error| error.to_string()))
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
            asked: entry.name(),
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
