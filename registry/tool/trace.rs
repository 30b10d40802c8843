//! The trace that a call belongs to, in the words of W3C Trace Context.

use super::context::ToolCallContext;

/// The most bytes of `tracestate`, and of `baggage`: what the standard asks everyone to carry,
/// and eight times that for baggage, as its own standard does.
const MOST_STATE: usize = 1024;
const MOST_BAGGAGE: usize = 8192;

/// Where a call stands in a distributed trace: the headers of W3C Trace Context.
///
/// It travels with a call that leaves the program, and is attached to one that came in with it.
///
/// ```
/// use callboard::{ToolCallContext, TraceContext};
///
/// let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// let trace = TraceContext::new(parent).expect("it is well formed");
/// let ctx = ToolCallContext::new("call_1").with_trace(trace);
/// assert_eq!(ctx.trace().map(TraceContext::traceparent), Some(parent));
/// assert!(TraceContext::new("yesterday").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    traceparent: String,
    tracestate: Option<String>,
    baggage: Option<String>,
}

impl TraceContext {
    /// A place in a trace, by its `traceparent`: `00-<32 hex>-<16 hex>-<2 hex>`, in lower case,
    /// neither id all zeros. `None` when it is anything else.
    pub fn new(traceparent: impl Into<String>) -> Option<Self> {
        let traceparent = traceparent.into();
        is_traceparent(&traceparent).then_some(Self {
            traceparent,
            tracestate: None,
            baggage: None,
        })
    }

    /// Adds what tracing systems say to each other; left out when it is longer than 1,024 bytes or
    /// isn't printable ASCII.
    #[must_use]
    pub fn with_tracestate(mut self, tracestate: impl Into<String>) -> Self {
        self.tracestate = Some(tracestate.into()).filter(|text| is_header(text, MOST_STATE));
        self
    }

    /// Adds what the application says along the way; left out when it is longer than 8,192 bytes
    /// or isn't printable ASCII.
    #[must_use]
    pub fn with_baggage(mut self, baggage: impl Into<String>) -> Self {
        self.baggage = Some(baggage.into()).filter(|text| is_header(text, MOST_BAGGAGE));
        self
    }

    /// The trace's id, the id of the span above, and flags.
    pub fn traceparent(&self) -> &str {
        &self.traceparent
    }

    /// What tracing systems say to each other.
    pub fn tracestate(&self) -> Option<&str> {
        self.tracestate.as_deref()
    }

    /// What the application says along the way.
    pub fn baggage(&self) -> Option<&str> {
        self.baggage.as_deref()
    }
}

impl ToolCallContext {
    /// Says which trace the call belongs to.
    #[must_use]
    pub fn with_trace(self, trace: TraceContext) -> Self {
        self.with_extension(trace)
    }

    /// The trace that the call belongs to, when the host said so.
    pub fn trace(&self) -> Option<&TraceContext> {
        self.extension()
    }
}

fn is_header(text: &str, most: usize) -> bool {
    text.len() <= most && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

fn is_traceparent(text: &str) -> bool {
    let is_hex = |part: &str, digits: usize| {
        part.len() == digits
            && part
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let is_id =
        |part: &str, digits: usize| is_hex(part, digits) && part.bytes().any(|byte| byte != b'0');
    let parts: Vec<&str> = text.split('-').take(5).collect();
    matches!(
        parts.as_slice(),
        ["00", trace, span, flags] if is_id(trace, 32) && is_id(span, 16) && is_hex(flags, 2)
    )
}
