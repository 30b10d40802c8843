//! The pipeline: every call, through either door, to any family of row, takes these steps.

use std::any::{Any, TypeId};
use std::convert::Infallible;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::str::Utf8Error;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use tracing::field;

use super::approval::{self, Arguments};
use super::authorize::Decision;
use super::call::{Request, ToolCall};
use super::context::ToolCallContext;
use super::decode;
use super::descriptor::{BoxFuture, Tool, ToolDescriptor};
use super::entry::RegistryEntry;
use super::error::{CallError, DispatchError};
use super::guard::{Guarded, cancelled, still_wanted};
use super::output::{EncodeOutput, ToolOutput};
use super::table::ToolTable;
use super::unwind::{self, Quiet};
use crate::component::{MAX_NAME_LEN, closest_names};
use crate::record::Record;

/// The part of a call that depends on how it comes in.
pub(super) trait Door: Sized + Send + 'static {
    type Args: Send;
    type Output: Send;
    /// What the tool's future fails with.
    type Failure: Into<Self::Error>;
    type Reply;
    type Error: From<DispatchError>;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<Self::Args>, DispatchError>;

    /// The arguments as text, which an approval is bound to; or why there is no such thing.
    fn arguments(args: &Self::Args, call: ToolCall<'_>) -> Result<Arguments, String>;

    fn run(
        args: Self::Args,
        call: ToolCall<'_>,
    ) -> impl Future<Output = Result<Self::Output, Self::Failure>> + Send;

    fn encode(output: Self::Output, call: ToolCall<'_>) -> Result<Self::Reply, Self::Error>;

    fn outcome(error: &Self::Error) -> &'static str;
}

/// Authorize → decode → approve → run → encode, within a span.
#[inline]
pub(super) fn execute<'a, D: Door>(
    call: ToolCall<'a>,
    door: D,
) -> impl Future<Output = Result<D::Reply, D::Error>> + Send + use<'a, D> {
    Execution {
        call,
        stage: Stage::Asked(door),
        run: D::run,
        tool: Guarded::new(),
        record: None,
    }
}

pin_project! {
    /// One call on its way.
    ///
    /// A future by hand: what the compiler makes of nested `async` copies the call from one to
    /// the next, which takes longer than all the steps of a tool that answers at once.
    struct Execution<'a, D: Door, R, F> {
        call: ToolCall<'a>,
        stage: Stage<'a, D>,
        // `D::run` as a value, whose future has no name otherwise.
        run: R,
        #[pin]
        tool: Guarded<'a, F>,
        // Last, so that the steps are dropped before it. Boxed, since few calls have one, and
        // every call would be larger for it.
        record: Option<Box<Record>>,
    }
}

/// How far a call has come.
enum Stage<'a, D: Door> {
    Asked(D),
    Approving(Quiet<D::Args>, Approval<'a>),
    Running,
}

// Boxed, since few calls need one, and every call would be larger for it.
type Approval<'a> = BoxFuture<'a, Result<(), DispatchError>>;

impl<'a, D: Door> Stage<'a, D> {
    /// Gives the arguments back once they are approved; keeps them until then.
    #[cold]
    fn approve(
        &mut self,
        args: Quiet<D::Args>,
        mut approval: Approval<'a>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Quiet<D::Args>, DispatchError>> {
        let approved = approval.as_mut().poll(cx);
        if approved.is_pending() {
            *self = Self::Approving(args, approval);
            return Poll::Pending;
        }
        approved.map_ok(|()| args)
    }
}

impl<'a, D, R, F> Execution<'a, D, R, F>
where
    D: Door,
    R: Fn(D::Args, ToolCall<'a>) -> F,
    F: Future<Output = Result<D::Output, D::Failure>>,
{
    /// The steps, from where the call stands. One that fails is the last.
    #[inline]
    fn steps(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<D::Reply, D::Error>> {
        let mut this = self.project();
        let call = *this.call;
        let admitted = match std::mem::replace(this.stage, Stage::Running) {
            Stage::Asked(door) => {
                authorize(call)?;
                // Before an approval is used up for it.
                still_wanted(call)?;
                let args = door.decode(call)?;
                if approval::is_needed(call) {
                    let approval = approval_of::<D>(call, &args);
                    ready!(this.stage.approve(args, approval, cx))?.into_inner()
                } else {
                    args.into_inner()
                }
            }
            Stage::Approving(args, approval) => {
                ready!(this.stage.approve(args, approval, cx))?.into_inner()
            }
            Stage::Running => None,
        };
        if let Some(args) = admitted {
            let run = &*this.run;
            this.tool.as_mut().begin(call, || run(args, call))?;
        }
        let timeout = call.entry.policy().timeout;
        match ready!(this.tool.poll(call, timeout, cx))? {
            Ok(output) => Poll::Ready(D::encode(output, call)),
            Err(failure) => Poll::Ready(Err(failed::<D>(call, failure))),
        }
    }

    #[cold]
    fn recorded_steps(
        mut self: Pin<&mut Self>,
        record: Box<Record>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<D::Reply, D::Error>> {
        let polled = record.in_scope(|| self.as_mut().steps(cx));
        match &polled {
            Poll::Pending => *self.project().record = Some(record),
            Poll::Ready(Ok(_)) => record.end("ok"),
            Poll::Ready(Err(error)) => record.end(D::outcome(error)),
        }
        polled
    }
}

impl<'a, D, R, F> Future for Execution<'a, D, R, F>
where
    D: Door,
    R: Fn(D::Args, ToolCall<'a>) -> F,
    F: Future<Output = Result<D::Output, D::Failure>>,
{
    type Output = Result<D::Reply, D::Error>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let record = match self.stage {
            Stage::Asked(_) => {
                let call = self.call;
                record(call.tool(), call.context, call.entry.family().as_str())
            }
            _ => self.as_mut().project().record.take(),
        };
        match record {
            None => self.steps(cx),
            Some(record) => self.recorded_steps(record, cx),
        }
    }
}

#[inline]
fn authorize(call: ToolCall<'_>) -> Result<(), DispatchError> {
    match call.table.decide(call.entry, call.context) {
        Decision::Allow => Ok(()),
        Decision::Deny { reason } => Err(denied(call, reason)),
    }
}

#[cold]
fn denied(call: ToolCall<'_>, reason: String) -> DispatchError {
    DispatchError::Denied {
        tool: call.asked().to_owned(),
        reason,
    }
}

#[cold]
fn approval_of<'a, D: Door>(call: ToolCall<'a>, args: &Quiet<D::Args>) -> Approval<'a> {
    // A user's `Serialize` may panic as a tool may.
    let arguments = unwind::catch(call.tool(), || match args.get() {
        Some(args) => D::arguments(args, call),
        None => Err("they are gone".to_owned()),
    })
    .unwrap_or_else(|panic| Err(panic.to_string()));
    Box::pin(approval::obtain(call, arguments))
}

#[cold]
fn failed<D: Door>(call: ToolCall<'_>, failure: D::Failure) -> D::Error {
    // A tool that was told to stop, and did, has its own words for it.
    if call.context.is_cancelled() {
        unwind::drop_quietly(failure);
        return cancelled(call).into();
    }
    // A user's `Display` may panic as a tool may.
    unwind::catch(call.tool(), || failure.into()).unwrap_or_else(Into::into)
}

/// The span of a call, where someone listens.
#[inline]
fn record(tool: &str, context: &ToolCallContext, family: &str) -> Option<Box<Record>> {
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
    .map(Box::new)
}

impl ToolTable {
    /// The typed door.
    #[inline]
    pub(crate) fn call<'a, T: Tool>(
        self: &'a Arc<Self>,
        args: T::Args,
        context: &'a ToolCallContext,
    ) -> impl Future<Output = Result<T::Output, CallError<T::Error>>> + Send + use<'a, T> {
        let args = Quiet::new(args);
        match self.find_typed(TypeId::of::<T>()) {
            Some(entry) => TypedCall::Found {
                execution: execute(
                    ToolCall {
                        table: self,
                        entry,
                        context,
                        request: None,
                    },
                    TypedDoor::<T>(args),
                ),
            },
            None => TypedCall::NotRegistered {
                tool: T::descriptor(),
                context,
            },
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
        let request = Request {
            tool: name,
            arguments: arguments.unwrap_or_default(),
        };
        let call = ToolCall {
            table: self,
            entry,
            context,
            request: Some(&request),
        };
        let running = match (arguments, entry) {
            (Err(error), _) => boxed(call, UnreadableDoor(error)),
            (Ok(_), RegistryEntry::Native(native)) => (native.descriptor().parts().invoke)(call),
            #[cfg(feature = "dynamic")]
            (Ok(_), RegistryEntry::Dynamic(dynamic)) => boxed(call, dynamic.door()),
            #[cfg(feature = "mcp")]
            (Ok(_), RegistryEntry::Mcp(mcp)) => boxed(call, mcp.door()),
        };
        running.await
    }

    #[cold]
    fn unknown(&self, name: &str, context: &ToolCallContext) -> DispatchError {
        let closest = closest_names(name, self.rows().iter().map(RegistryEntry::name));
        unknown(name, closest, context)
    }
}

pin_project! {
    /// What a typed call waits for.
    #[project = TypedCallProjection]
    enum TypedCall<'a, X> {
        Found { #[pin] execution: X },
        NotRegistered { tool: &'static ToolDescriptor, context: &'a ToolCallContext },
    }
}

impl<T, E, X: Future<Output = Result<T, CallError<E>>>> Future for TypedCall<'_, X> {
    type Output = X::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<X::Output> {
        match self.project() {
            TypedCallProjection::Found { execution } => execution.poll(cx),
            TypedCallProjection::NotRegistered { tool, context } => {
                let error = unknown(tool.name(), Vec::new(), context);
                Poll::Ready(Err(CallError::Refused(error)))
            }
        }
    }
}

/// The error for a call that finds no row, after a span for it.
#[cold]
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
    type Failure = CallError<T::Error>;
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
    type Failure = CallError<T::Error>;
    type Reply = ToolOutput;
    type Error = DispatchError;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<T::Args>, DispatchError> {
        decode::arguments(call, T::descriptor().coerces_strings()).map(Quiet::new)
    }

    fn arguments(args: &T::Args, call: ToolCall<'_>) -> Result<Arguments, String> {
        Ok(Arguments {
            typed: arguments_as_json::<T>(args)
                .and_then(Result::ok)
                .filter(|typed| approval::shows(typed, call.json())),
            given: Some(decode::given(call.json()).to_owned()),
        })
    }

    fn run(
        args: T::Args,
        call: ToolCall<'_>,
    ) -> impl Future<Output = Result<T::Output, CallError<T::Error>>> + Send {
        T::call(args, call)
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
    type Failure = Infallible;
    type Reply = ToolOutput;
    type Error = DispatchError;

    fn decode(self, call: ToolCall<'_>) -> Result<Quiet<Infallible>, DispatchError> {
        let message = format!("not UTF-8: {}", self.0);
        Err(decode::invalid(call.tool(), "", message))
    }

    fn arguments(args: &Infallible, _call: ToolCall<'_>) -> Result<Arguments, String> {
        match *args {}
    }

    async fn run(args: Infallible, _call: ToolCall<'_>) -> Result<Infallible, Infallible> {
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
    boxed(call, JsonDoor::<T, CONTENT>(PhantomData))
}

fn boxed<D: Door>(call: ToolCall<'_>, door: D) -> BoxFuture<'_, Result<D::Reply, D::Error>> {
    // Made where it is to be, rather than copied there.
    let made = Box::write(Box::new_uninit(), execute(call, door));
    Box::into_pin(made)
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
            request: None,
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
