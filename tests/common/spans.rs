//! A subscriber that keeps the spans of callboard.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

pub(crate) type Fields = BTreeMap<&'static str, String>;

/// Keeps every span of one name that has closed, and the span that each event was in; another
/// span is a mistake.
#[derive(Clone)]
pub(crate) struct Kept {
    name: &'static str,
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
        assert_eq!(span.name(), self.name);
        assert_eq!(span.metadata().target(), "callboard");
        let fields = span.extensions_mut().remove().expect("it was put there");
        self.closed.lock().expect("not poisoned").push(fields);
    }
}

impl Kept {
    pub(crate) fn of(name: &'static str) -> Self {
        Self {
            name,
            closed: Arc::default(),
            events_in: Arc::default(),
        }
    }

    /// Listens on this thread for as long as the guard lives.
    pub(crate) fn listen(&self) -> tracing::subscriber::DefaultGuard {
        tracing::subscriber::set_default(tracing_subscriber::registry().with(self.clone()))
    }

    /// The spans that have closed since it was asked last.
    pub(crate) fn take(&self) -> Vec<Fields> {
        std::mem::take(&mut *self.closed.lock().expect("not poisoned"))
    }

    /// The spans of the events since it was asked last.
    pub(crate) fn events_in(&self) -> Vec<Option<&'static str>> {
        std::mem::take(&mut *self.events_in.lock().expect("not poisoned"))
    }
}
