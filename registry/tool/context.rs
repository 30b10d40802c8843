//! What accompanies a call: its id, how long it may take, and what the host attaches to it.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::approval::Approval;
use super::interaction::CallPeer;

/// A `TypeId` is a hash already.
#[derive(Clone, Copy, Default)]
pub(crate) struct TypeIdHasher(u64);

impl Hasher for TypeIdHasher {
    #[cold]
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

pub(crate) type TypeMap<V> = HashMap<TypeId, V, BuildHasherDefault<TypeIdHasher>>;

/// What accompanies one call.
///
/// ```
/// use std::time::Duration;
/// use callboard::{CancellationToken, ToolCallContext};
///
/// struct User(String);
///
/// let stop = CancellationToken::new();
/// let ctx = ToolCallContext::new("call_1")
///     .with_cancel(stop.clone())
///     .with_time_limit(Duration::from_secs(10))
///     .with_extension(User("ada".into()));
/// assert_eq!(ctx.extension::<User>().unwrap().0, "ada");
/// ```
#[derive(Clone, Default)]
pub struct ToolCallContext {
    call_id: String,
    cancel: Option<CancellationToken>,
    deadline: Option<Instant>,
    approval: Option<Approval>,
    peer: Option<Arc<dyn CallPeer>>,
    extensions: TypeMap<Arc<dyn Any + Send + Sync>>,
}

impl ToolCallContext {
    /// A context with the id that the model's API, or the host, gave the call.
    pub fn new(call_id: impl Into<String>) -> Self {
        Self {
            call_id: call_id.into(),
            ..Self::default()
        }
    }

    /// Lets `token` stop the call: the tool's future is dropped, and the caller gets
    /// [`DispatchError::Cancelled`](crate::DispatchError::Cancelled).
    #[must_use]
    pub fn with_cancel(mut self, token: CancellationToken) -> Self {
        self.cancel = Some(token);
        self
    }

    /// Sets the moment at which the call is stopped, should the tool's own timeout not come
    /// first.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets the deadline this far from now.
    #[must_use]
    pub fn with_time_limit(self, limit: Duration) -> Self {
        match Instant::now().checked_add(limit) {
            Some(deadline) => self.with_deadline(deadline),
            None => self,
        }
    }

    /// Attaches a value for tools, extractors and the authorizer to find by its type; one value
    /// a type, the last one given.
    #[must_use]
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// Brings an approval for this call.
    #[must_use]
    pub fn with_approval(mut self, approval: Approval) -> Self {
        self.approval = Some(approval);
        self
    }

    /// Attaches whoever made the call, for the tool to tell or ask something while it runs.
    #[must_use]
    pub fn with_peer(mut self, peer: Arc<dyn CallPeer>) -> Self {
        self.peer = Some(peer);
        self
    }

    /// The call's id.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// Whoever made the call, when the host attached one.
    #[inline]
    pub fn peer(&self) -> Option<&Arc<dyn CallPeer>> {
        self.peer.as_ref()
    }

    /// The token that stops the call, when it has one.
    pub fn cancel(&self) -> Option<&CancellationToken> {
        self.cancel.as_ref()
    }

    /// Whether the call was cancelled: for a tool that computes for long without awaiting.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancel
            .as_ref()
            .is_some_and(CancellationToken::is_cancelled)
    }

    /// The moment at which the call is stopped, when the host set one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// What the host attached under this type.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.extensions
            .get(&TypeId::of::<T>())
            .and_then(|value| value.downcast_ref())
    }

    pub(super) fn approval(&self) -> Option<&Approval> {
        self.approval.as_ref()
    }
}

impl fmt::Debug for ToolCallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallContext")
            .field("call_id", &self.call_id)
            .field("cancelled", &self.is_cancelled())
            .field("deadline", &self.deadline)
            .field("approval", &self.approval)
            .field("peer", &self.peer.is_some())
            .field("extensions", &self.extensions.len())
            .finish()
    }
}
