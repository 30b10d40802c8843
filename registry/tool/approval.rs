//! Approval: one call, with these arguments, before this moment, once.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::future::poll_fn;
use std::hash::BuildHasher;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use super::call::ToolCall;
use super::context::ToolCallContext;
use super::descriptor::BoxFuture;
use super::entry::RegistryEntry;
use super::error::DispatchError;
use super::guard::Guarded;
use super::policy::Risk;

/// A call that waits for someone's consent.
///
/// It serializes for a person or a log to read: the arguments as JSON text with sorted keys, and
/// the digest in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovalRequest {
    id: ApprovalId,
    call_id: String,
    tool: String,
    version: String,
    risk: Risk,
    arguments: String,
    digest: ArgumentsDigest,
}

impl ApprovalRequest {
    /// What names this request among those of its [`Approvals`].
    pub fn id(&self) -> ApprovalId {
        self.id
    }

    /// The id of the call, from its context.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The tool that would run.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The version of the tool: an approval is for no other.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// How much harm the tool says a wrong call can do.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// The arguments as JSON text: to the letter as they came through the JSON door, or, of a
    /// typed call, as `Serialize` writes them, with sorted keys.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// The digest of the arguments: an approval is for no others.
    pub fn digest(&self) -> ArgumentsDigest {
        self.digest
    }
}

/// Names a request; drawn at random, so that an id of another run of the program means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ApprovalId(u64);

impl fmt::Display for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for ApprovalId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The SHA-256 of a call's arguments, as [`ApprovalRequest::arguments`] shows them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArgumentsDigest([u8; 32]);

impl ArgumentsDigest {
    fn of(arguments: &str) -> Self {
        Self(hmac_sha256::Hash::hash(arguments.as_bytes()))
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ArgumentsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ArgumentsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArgumentsDigest({self})")
    }
}

impl Serialize for ArgumentsDigest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Consent to one call; made by [`Approvals::grant`], brought to the call by
/// [`ToolCallContext::with_approval`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    request: ApprovalId,
}

/// What an [`Approver`] answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalDecision {
    /// The call is made.
    Approve,
    /// The call is not made.
    Deny {
        /// Why, for the log.
        reason: String,
    },
}

impl ApprovalDecision {
    /// A refusal, and why.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: reason.into(),
        }
    }
}

/// Decides, while the call waits, whether it is made: by asking a person, or by a rule.
///
/// A call waits for it no longer than an approval lives, and stops waiting when it is cancelled.
/// An approver that panics denies.
pub trait Approver: Send + Sync + 'static {
    /// Whether the call is made.
    fn decide<'a>(
        &'a self,
        request: &'a ApprovalRequest,
        context: &'a ToolCallContext,
    ) -> BoxFuture<'a, ApprovalDecision>;
}

impl<F> Approver for F
where
    F: Fn(&ApprovalRequest) -> ApprovalDecision + Send + Sync + 'static,
{
    fn decide<'a>(
        &'a self,
        request: &'a ApprovalRequest,
        _context: &'a ToolCallContext,
    ) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(async move { self(request) })
    }
}

/// Why a request can't be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalError {
    /// No such request waits here: it was denied, was used, or belongs to another registry.
    NotPending,
    /// Nobody decided in time.
    Expired,
    /// It was granted before; the approval from then is the only one.
    AlreadyGranted,
    /// The request differs from the one that waits under its id.
    Altered,
}

impl fmt::Display for ApprovalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPending => {
                "no such request waits: it was denied or used, or belongs to another registry; make the call again for a new one"
            }
            Self::Expired => "the request has expired; make the call again for a new one",
            Self::AlreadyGranted => "the request was granted before; use the approval from then",
            Self::Altered => "the request differs from the one that waits under its id",
        })
    }
}

impl std::error::Error for ApprovalError {}

/// The requests that wait and the approvals that were not used yet.
///
/// Each registry makes its own; a host that publishes new versions of a registry gives each the
/// same one with `set_approvals`, so that a request outlives the version it came from. Cloning
/// gives another handle to the same requests.
///
/// An approval is for what the request shows, to the letter at the JSON door. At the typed door it
/// is for what the type writes, so a type that hides a field when it is written, as with
/// `#[serde(skip_serializing)]`, hides it from whoever approves: don't let it.
///
/// A call that needs an approval and brings none fails with the request for it. Someone grants
/// it, and the same call is made again with the approval:
///
/// ```
/// use callboard::{CapabilityRegistry, DispatchError, ToolCallContext, tool};
///
/// /// Pays somebody.
/// #[tool(risk = "high", requires_approval)]
/// async fn pay(to: String, cents: u64) -> String {
///     format!("{to} has {cents} cents more")
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # runtime.block_on(async {
/// let registry = CapabilityRegistry::collect()?.seal()?;
/// let ctx = ToolCallContext::new("call_1");
/// let arguments = r#"{"to":"ada","cents":500}"#;
///
/// let Err(DispatchError::ApprovalRequired(request)) =
///     registry.dispatch("pay", arguments, &ctx).await
/// else {
///     return Err("paid without asking".into());
/// };
/// assert_eq!((request.tool(), request.arguments()), ("pay", arguments)); // show it to a person
///
/// let approval = registry.approvals().grant(&request)?; // or `deny(&request)`
/// let ctx = ctx.with_approval(approval);
/// let output = registry.dispatch("pay", arguments, &ctx).await?;
/// assert_eq!(output.to_text(), "ada has 500 cents more");
///
/// // It was for one call.
/// let again = registry.dispatch("pay", arguments, &ctx).await;
/// assert!(matches!(again, Err(DispatchError::NotApproved { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Approvals {
    time_to_live: Duration,
    pending: Arc<Mutex<Waiting>>,
    random: RandomState,
}

struct Pending {
    request: ApprovalRequest,
    arguments: Identity,
    /// The tool that would run: another one that takes its name doesn't take its approvals.
    row: RegistryEntry,
    /// `None` is never.
    expires: Option<Instant>,
    granted: bool,
}

/// The arguments of a call that needs an approval, as text.
pub(super) struct Arguments {
    /// What came through the JSON door, to the letter: what was decoded may hold more than it
    /// shows when it is written again, or have lost the last digits of a number.
    pub(super) given: Option<String>,
    /// What the type writes, with sorted keys.
    pub(super) typed: Option<String>,
}

impl Arguments {
    fn shown(&self) -> &str {
        self.given
            .as_deref()
            .or(self.typed.as_deref())
            .unwrap_or_default()
    }

    fn identity(&self) -> Identity {
        Identity {
            given: self.given.as_deref().map(ArgumentsDigest::of),
            typed: self.typed.as_deref().map(ArgumentsDigest::of),
        }
    }
}

/// What must be the same for a call to be the one that was approved.
#[derive(Clone, Copy)]
struct Identity {
    given: Option<ArgumentsDigest>,
    typed: Option<ArgumentsDigest>,
}

impl Identity {
    /// A call with a text is the one with that text; one without is the one with those values.
    fn is_that_of(self, call: Self) -> bool {
        match call.given {
            Some(_) => self.given == call.given,
            None => call.typed.is_some() && self.typed == call.typed,
        }
    }
}

impl Pending {
    fn is_expired(&self, now: Instant) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// The requests, and how many bytes of arguments they hold.
#[derive(Default)]
struct Waiting {
    by_id: HashMap<ApprovalId, Pending>,
    bytes: usize,
}

impl Waiting {
    fn insert(&mut self, pending: Pending) {
        self.bytes += pending.request.arguments.len();
        self.by_id.insert(pending.request.id, pending);
    }

    fn remove(&mut self, id: ApprovalId) -> bool {
        let removed = self.by_id.remove(&id);
        if let Some(pending) = &removed {
            self.bytes -= pending.request.arguments.len();
        }
        removed.is_some()
    }

    fn has_room_for(&self, bytes: usize) -> bool {
        self.by_id.len() < Approvals::MOST_PENDING
            && self.bytes + bytes <= Approvals::MOST_PENDING_BYTES
    }

    fn forget_expired(&mut self, now: Instant) {
        self.by_id.retain(|_, pending| !pending.is_expired(now));
        self.bytes = self
            .by_id
            .values()
            .map(|pending| pending.request.arguments.len())
            .sum();
    }
}

impl Default for Approvals {
    /// Requests that live five minutes.
    fn default() -> Self {
        Self::new(Duration::from_secs(300))
    }
}

impl Approvals {
    /// The most requests that may wait; a call that needs one more is denied.
    pub const MOST_PENDING: usize = 10_000;

    /// The most bytes of arguments that the waiting requests may hold; a call that would exceed
    /// it is denied.
    pub const MOST_PENDING_BYTES: usize = 64 << 20;

    /// None yet; each that comes lives this long, from the call that needs it to the call that
    /// uses it.
    pub fn new(time_to_live: Duration) -> Self {
        Self {
            time_to_live,
            pending: Arc::default(),
            random: RandomState::new(),
        }
    }

    /// Consents to a request: the approval is good for one call of the same tool, in the same
    /// version, with the same arguments.
    pub fn grant(&self, request: &ApprovalRequest) -> Result<Approval, ApprovalError> {
        let mut pending = self.lock();
        let waiting = pending
            .by_id
            .get_mut(&request.id)
            .ok_or(ApprovalError::NotPending)?;
        if waiting.request != *request {
            return Err(ApprovalError::Altered);
        }
        if waiting.is_expired(Instant::now()) {
            pending.remove(request.id);
            return Err(ApprovalError::Expired);
        }
        if std::mem::replace(&mut waiting.granted, true) {
            return Err(ApprovalError::AlreadyGranted);
        }
        Ok(Approval {
            request: request.id,
        })
    }

    /// Refuses a request, also one that was granted and not used yet; it can't be granted again.
    /// Returns whether it was still waiting.
    pub fn deny(&self, request: &ApprovalRequest) -> bool {
        self.lock().remove(request.id)
    }

    /// The requests that nobody has decided on, in the order of their ids.
    pub fn waiting(&self) -> Vec<ApprovalRequest> {
        let now = Instant::now();
        let mut waiting: Vec<_> = self
            .lock()
            .by_id
            .values()
            .filter(|pending| !pending.granted && !pending.is_expired(now))
            .map(|pending| pending.request.clone())
            .collect();
        waiting.sort_by_key(|request| request.id.0);
        waiting
    }

    /// A request that nobody waits for yet.
    fn request(&self, call: ToolCall<'_>, arguments: &Arguments) -> ApprovalRequest {
        let arguments = arguments.shown().to_owned();
        ApprovalRequest {
            id: ApprovalId(self.random.hash_one((Instant::now(), &arguments))),
            call_id: call.context.call_id().to_owned(),
            tool: call.tool().to_owned(),
            version: call.entry.version().to_owned(),
            risk: call.entry.policy().risk,
            digest: ArgumentsDigest::of(&arguments),
            arguments,
        }
    }

    /// Lets a request wait for someone to grant or deny it.
    fn open(
        &self,
        mut request: ApprovalRequest,
        arguments: &Arguments,
        row: &RegistryEntry,
    ) -> Result<ApprovalRequest, String> {
        let now = Instant::now();
        let mut pending = self.lock();
        if !pending.has_room_for(request.arguments.len()) {
            pending.forget_expired(now);
        }
        if !pending.has_room_for(request.arguments.len()) {
            return Err(format!(
                "{} calls with {} bytes of arguments wait for an approval already",
                pending.by_id.len(),
                pending.bytes
            ));
        }
        while pending.by_id.contains_key(&request.id) {
            request.id = ApprovalId(self.random.hash_one(request.id));
        }
        pending.insert(Pending {
            request: request.clone(),
            arguments: arguments.identity(),
            row: row.clone(),
            expires: now.checked_add(self.time_to_live),
            granted: false,
        });
        Ok(request)
    }

    /// Uses an approval up, when it is for this call.
    fn redeem(
        &self,
        approval: &Approval,
        call: ToolCall<'_>,
        arguments: &Arguments,
    ) -> Result<(), &'static str> {
        let mut pending = self.lock();
        let Some(waiting) = pending.by_id.get(&approval.request) else {
            return Err("its approval was used or revoked, or comes from another registry");
        };
        let request = &waiting.request;
        if waiting.is_expired(Instant::now()) {
            pending.remove(approval.request);
            return Err("its approval has expired");
        }
        if request.tool != call.tool() {
            return Err("its approval is for another tool");
        }
        if request.version != call.entry.version() {
            return Err("its approval is for another version of the tool");
        }
        if !waiting.row.is_same_tool(call.entry) {
            return Err("its approval is for a tool that had this name before");
        }
        if !waiting.arguments.is_that_of(arguments.identity()) {
            return Err("its approval is for other arguments");
        }
        pending.remove(approval.request);
        Ok(())
    }

    /// Nothing panics while the lock is held; if something did, the requests are still whole.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Approvals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approvals")
            .field("time_to_live", &self.time_to_live)
            .field("pending", &self.lock().by_id.len())
            .finish_non_exhaustive()
    }
}

/// Whether what a type writes shows all that was given: each field, with its value. A type may
/// hide some, or write them otherwise, and then an approval of the text is none of the value.
pub(super) fn shows(typed: &str, given: &str) -> bool {
    fn is_in(typed: &Value, given: &Value) -> bool {
        match (typed, given) {
            (Value::Object(typed), Value::Object(given)) => given
                .iter()
                .all(|(name, given)| typed.get(name).is_some_and(|typed| is_in(typed, given))),
            (Value::Array(typed), Value::Array(given)) => {
                typed.len() == given.len()
                    && typed
                        .iter()
                        .zip(given)
                        .all(|(one, other)| is_in(one, other))
            }
            (Value::Number(typed), Value::Number(given)) => {
                typed == given || typed.as_f64() == given.as_f64()
            }
            (typed, given) => typed == given,
        }
    }
    let value = serde_json::from_str::<Value>;
    matches!(
        (value(typed), value(super::decode::given(given))),
        (Ok(typed), Ok(given)) if is_in(&typed, &given)
    )
}

/// Whether a call of this row needs an approval.
pub(super) fn is_needed(call: ToolCall<'_>) -> bool {
    let policy = call.entry.policy();
    policy.requires_approval
        || call
            .table
            .rules
            .approval_from
            .is_some_and(|least| policy.risk >= least)
}

/// Lets the call go on when it has, or is given, an approval.
pub(super) async fn obtain(
    call: ToolCall<'_>,
    arguments: Result<Arguments, String>,
) -> Result<(), DispatchError> {
    let denied = |reason: String| DispatchError::NotApproved {
        tool: call.tool().to_owned(),
        reason,
    };
    let arguments = arguments.map_err(|why| {
        denied(format!(
            "it needs an approval, and its arguments have no digest: {why}"
        ))
    })?;
    let approvals = &call.table.rules.approvals;
    if let Some(approval) = call.context.approval() {
        return approvals
            .redeem(approval, call, &arguments)
            .map_err(|why| denied(why.to_owned()));
    }
    let request = approvals.request(call, &arguments);
    let Some(approver) = &call.table.rules.approver else {
        let request = approvals
            .open(request, &arguments, call.entry)
            .map_err(denied)?;
        return Err(DispatchError::ApprovalRequired(Box::new(request)));
    };
    // The approver decides here and now: the request waits for nobody else.
    let mut deciding = pin!(Guarded::new());
    let decide = || approver.decide(&request, call.context);
    let limit = Some(approvals.time_to_live);
    let decision = match deciding.as_mut().begin(call, decide) {
        Ok(()) => poll_fn(|cx| deciding.as_mut().poll(call, limit, cx)).await,
        Err(stopped) => Err(stopped),
    };
    match decision {
        Ok(ApprovalDecision::Approve) => Ok(()),
        Ok(ApprovalDecision::Deny { reason }) => Err(denied(reason)),
        Err(DispatchError::Panicked { message, .. }) => {
            Err(denied(format!("the approver panicked: {message}")))
        }
        Err(DispatchError::TimedOut { limit, .. }) => {
            Err(denied(format!("the approver gave no answer in {limit:?}")))
        }
        Err(other) => Err(other),
    }
}

#[cfg(all(test, feature = "dynamic"))]
mod tests {
    use super::*;
    use crate::tool::DynamicTool;

    #[test]
    fn a_request_that_was_altered_is_not_granted() {
        let approvals = Approvals::default();
        let request = ApprovalRequest {
            id: ApprovalId(1),
            call_id: "call_1".to_owned(),
            tool: "transfer".to_owned(),
            version: "1".to_owned(),
            risk: Risk::High,
            digest: ArgumentsDigest::of("{}"),
            arguments: "{}".to_owned(),
        };
        approvals.lock().insert(Pending {
            request: request.clone(),
            arguments: Identity {
                given: Some(request.digest),
                typed: None,
            },
            row: RegistryEntry::Dynamic(
                DynamicTool::new(
                    "transfer",
                    serde_json::json!({ "type": "object" }),
                    |_, _| async { Ok::<_, String>(()) },
                )
                .into_entry(std::panic::Location::caller())
                .unwrap(),
            ),
            expires: None,
            granted: false,
        });
        let shown = ApprovalRequest {
            arguments: r#"{"cents":1}"#.to_owned(),
            ..request.clone()
        };
        assert_eq!(approvals.grant(&shown), Err(ApprovalError::Altered));
        assert!(approvals.grant(&request).is_ok());
    }
}
