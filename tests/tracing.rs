//! The span of a call: what it holds, and what it doesn't.

mod common;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use callboard::{
    AllowList, CancellationToken, CapabilityRegistry, Registry, ToolCallContext, ToolFailure, tool,
};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use common::{ctx, poll_once};

#[tool]
async fn greet(name: String) -> String {
    tracing::info!("inside");
    format!("hello {name}")
}

#[tool]
async fn fails(secret: String) -> Result<(), ToolFailure> {
    Err(ToolFailure::new(format!("bad {secret}")))
}

#[tool]
async fn panics(secret: String) {
    panic!("on purpose: {secret}")
}

#[tool(timeout = "5ms")]
async fn hangs() {
    std::future::pending::<()>().await;
}

#[tool(requires_approval)]
async fn guarded(secret: String) -> usize {
    secret.len()
}

type Fields = BTreeMap<&'static str, String>;

/// Keeps every span of callboard that has closed, and the span that each event was in.
#[derive(Clone, Default)]
struct Kept {
    closed: Arc<Mutex<Vec<Fields>>>,
    events_in: Arc<Mutex<Vec<Option<&'static str>>>>,
}

struct Into<'a>(&'a mut Fields);

impl Visit for Into<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Kept {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, ctx: Context<'_, S>) {
        let mut fields = Fields::new();
        attributes.record(&mut Into(&mut fields));
        let span = ctx.span(id).expect("it was just made");
        span.extensions_mut().insert(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, ctx: Context<'_, S>) {
        let span = ctx.span(id).expect("it is open");
        let mut extensions = span.extensions_mut();
        let fields = extensions.get_mut().expect("it was put there");
        values.record(&mut Into(fields));
    }

    fn on_event(&self, event: &Event<'_>, ctx: Context<'_, S>) {
        let within = ctx.event_span(event).map(|span| span.name());
        self.events_in.lock().expect("not poisoned").push(within);
    }

    fn on_close(&self, id: Id, ctx: Context<'_, S>) {
        let span = ctx.span(&id).expect("it is open");
        assert_eq!(span.name(), "tool_call");
        assert_eq!(span.metadata().target(), "callboard");
        let fields = span.extensions_mut().remove().expect("it was put there");
        self.closed.lock().expect("not poisoned").push(fields);
    }
}

impl Kept {
    /// Listens on this thread for as long as the guard lives.
    fn listen(&self) -> tracing::subscriber::DefaultGuard {
        tracing::subscriber::set_default(tracing_subscriber::registry().with(self.clone()))
    }

    /// The spans that have closed since it was asked last.
    fn take(&self) -> Vec<Fields> {
        std::mem::take(&mut *self.closed.lock().expect("not poisoned"))
    }

    /// The outcome of the one call that was made; it has all its fields and no others.
    fn outcome(&self, tool: &str) -> String {
        let spans = self.take();
        assert_eq!(spans.len(), 1, "{spans:?}");
        let fields = &spans[0];
        assert_eq!(
            fields.keys().copied().collect::<Vec<_>>(),
            ["call_id", "duration_us", "family", "outcome", "tool"]
        );
        assert_eq!(fields["tool"], tool);
        assert_eq!(fields["call_id"], "call_1");
        assert_eq!(fields["family"], "native");
        assert!(fields["duration_us"].parse::<u64>().is_ok(), "{fields:?}");
        assert!(
            !fields.values().any(|value| value.contains("hunter2")),
            "{fields:?}"
        );
        fields["outcome"].clone()
    }
}

fn builder() -> CapabilityRegistry {
    CapabilityRegistry::collect().expect("no conflicts")
}

fn registry() -> Registry {
    builder().seal().expect("it seals")
}

const SECRET: &str = r#"{"secret":"hunter2"}"#;

#[tokio::test]
async fn each_outcome_has_its_word_and_nothing_of_what_was_said() {
    let kept = Kept::default();
    let _listening = kept.listen();
    let registry = registry();
    for (name, arguments, outcome) in [
        ("greet", r#"{"name":"hunter2"}"#, "ok"),
        ("greet", r#"{"name":1,"hunter2":2}"#, "invalid_arguments"),
        ("fails", SECRET, "failed"),
        ("panics", SECRET, "panicked"),
        ("hangs", "", "timed_out"),
        ("guarded", SECRET, "approval_required"),
    ] {
        let result = registry.dispatch(name, arguments, &ctx()).await;
        assert_eq!(result.is_ok(), outcome == "ok");
        assert_eq!(kept.outcome(name), outcome);
        if let Err(error) = result {
            assert_eq!(error.kind(), outcome);
        }
    }
    let mut reg = builder();
    reg.set_authorizer(AllowList::default());
    let closed = reg.seal().expect("it seals");
    let denied = closed.dispatch("greet", "", &ctx()).await;
    assert!(denied.is_err());
    assert_eq!(kept.outcome("greet"), "denied");
}

#[tokio::test]
async fn the_typed_door_has_the_same_span() {
    let kept = Kept::default();
    let _listening = kept.listen();
    let registry = registry();
    let args = GreetArgs {
        name: "hunter2".to_owned(),
    };
    assert!(registry.call::<Greet>(args, &ctx()).await.is_ok());
    assert_eq!(kept.outcome("greet"), "ok");
    let args = FailsArgs {
        secret: "hunter2".to_owned(),
    };
    assert!(registry.call::<Fails>(args, &ctx()).await.is_err());
    assert_eq!(kept.outcome("fails"), "failed");
}

#[tokio::test]
async fn a_call_that_is_dropped_or_cancelled_says_so() {
    let kept = Kept::default();
    let _listening = kept.listen();
    let registry = registry();
    let context = ctx();
    let mut dropped = Box::pin(registry.dispatch("hangs", "", &context));
    assert!(poll_once(dropped.as_mut()).is_pending());
    assert!(kept.take().is_empty());
    drop(dropped);
    assert_eq!(kept.outcome("hangs"), "dropped");
    let token = CancellationToken::new();
    let context = ctx().with_cancel(token.clone());
    let (cancelled, ()) = tokio::join!(registry.dispatch("hangs", "", &context), async {
        token.cancel();
    });
    assert!(cancelled.is_err());
    assert_eq!(kept.outcome("hangs"), "cancelled");
}

#[tokio::test]
async fn what_a_tool_says_is_said_in_its_span() {
    let kept = Kept::default();
    let _listening = kept.listen();
    let output = registry()
        .dispatch("greet", r#"{"name":"ada"}"#, &ctx())
        .await;
    assert!(output.is_ok());
    let events = kept.events_in.lock().expect("not poisoned");
    assert_eq!(*events, [Some("tool_call")]);
}

#[tokio::test]
async fn the_duration_is_that_of_the_call_in_microseconds() {
    let kept = Kept::default();
    let _listening = kept.listen();
    let context = ToolCallContext::new("slow");
    let begun = std::time::Instant::now();
    assert!(registry().dispatch("hangs", "", &context).await.is_err());
    let whole = begun.elapsed();
    let spans = kept.take();
    let taken: u64 = spans[0]["duration_us"].parse().expect("a number");
    let taken = Duration::from_micros(taken);
    assert!(taken >= Duration::from_millis(5), "{taken:?}");
    assert!(taken <= whole, "{taken:?} of {whole:?}");
}

#[tokio::test]
async fn a_call_that_finds_no_row_has_a_span_with_a_short_name() {
    let kept = Kept::default();
    let _listening = kept.listen();
    let registry = builder().seal().expect("it seals");
    let name = "no_such_tool".repeat(100);
    assert!(registry.dispatch(&name, SECRET, &ctx()).await.is_err());
    let spans = kept.take();
    assert_eq!(spans.len(), 1, "{spans:?}");
    assert_eq!(spans[0]["family"], "none");
    assert_eq!(spans[0]["outcome"], "unknown_tool");
    assert_eq!(spans[0]["tool"], name[..64]);
}

#[cfg(feature = "dynamic")]
#[tokio::test]
async fn the_family_is_that_of_the_row() {
    let kept = Kept::default();
    let _listening = kept.listen();
    let mut reg = builder();
    let tool = callboard::DynamicTool::new(
        "given",
        serde_json::json!({ "type": "object" }),
        |arguments, _| async move { Ok::<_, String>(arguments) },
    );
    reg.register_dynamic(tool).expect("the name is free");
    let registry = reg.seal().expect("it seals");
    let output = registry.dispatch("given", SECRET, &ctx()).await;
    assert!(output.is_ok());
    let spans = kept.take();
    assert_eq!(spans[0]["family"], "dynamic");
    assert_eq!(spans[0]["outcome"], "ok");
    assert!(!spans[0].values().any(|value| value.contains("hunter2")));
}
