//! A registry that changes while it is used: by whole versions.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use tokio::sync::watch;

use super::builder::CapabilityRegistry;
use super::error::SealError;
use super::registry::Registry;

/// The current version of a registry whose components change while it is used.
///
/// Reading it takes no lock. A call that began goes on in the version that it began in.
///
/// ```
/// use callboard::{CapabilityRegistry, ComponentKind, LiveRegistry};
///
/// let live = LiveRegistry::new(CapabilityRegistry::new().seal()?);
/// live.update(|builder| {
///     builder.register_descriptor(ComponentKind::Store, "sessions").map(|_| ())
/// })??;
/// assert_eq!(live.current().version(), 2);
/// assert!(live.current().has(ComponentKind::Store, "sessions"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LiveRegistry {
    current: ArcSwap<Registry>,
    /// Held while a new version is made, so that versions are published in their order.
    publishing: Mutex<()>,
    /// Told after each version that was published.
    published: watch::Sender<()>,
}

impl LiveRegistry {
    /// Starts from a sealed registry, and its version.
    pub fn new(registry: Registry) -> Self {
        Self {
            current: ArcSwap::from_pointee(registry),
            publishing: Mutex::new(()),
            published: watch::Sender::new(()),
        }
    }

    /// The version that is current now.
    pub fn current(&self) -> Registry {
        Registry::clone(&self.current.load())
    }

    /// Waits until the current version is another than `version`, and gives it. Versions that came
    /// and went meanwhile are passed over.
    ///
    /// ```
    /// use callboard::{CapabilityRegistry, LiveRegistry};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let live = LiveRegistry::new(CapabilityRegistry::new().seal()?);
    /// let version = live.current().version();
    /// live.publish(CapabilityRegistry::new())?;
    /// assert_eq!(live.other_than(version).await.version(), 2);
    /// # Ok::<(), callboard::SealError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn other_than(&self, version: u64) -> Registry {
        let mut published = self.published.subscribe();
        loop {
            let current = self.current();
            // The sender is here, so waiting ends with a version alone.
            if current.version() != version || published.changed().await.is_err() {
                return current;
            }
        }
    }

    /// Seals `builder` as the next version, and makes it current.
    ///
    /// # Errors
    ///
    /// When it can't be sealed; the current version stays.
    pub fn publish(&self, builder: CapabilityRegistry) -> Result<Registry, SealError> {
        let in_order = self
            .publishing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let published = self.publish_in_order(builder);
        // What is replaced may be dropped here, with state whose drop publishes in its turn.
        drop(in_order);
        published.map(|(registry, _replaced)| registry)
    }

    /// Changes a copy of the current version, and makes it current; no other change comes
    /// between. `change` must not publish or update itself: it would wait for its own end.
    ///
    /// # Errors
    ///
    /// The outer error is that of `change`, the inner one that of sealing; either way the current
    /// version stays.
    pub fn update<E>(
        &self,
        change: impl FnOnce(&mut CapabilityRegistry) -> Result<(), E>,
    ) -> Result<Result<Registry, SealError>, E> {
        let in_order = self
            .publishing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut builder = self.current.load().to_builder();
        change(&mut builder)?;
        let published = self.publish_in_order(builder);
        drop(in_order);
        Ok(published.map(|(registry, _replaced)| registry))
    }

    fn publish_in_order(
        &self,
        builder: CapabilityRegistry,
    ) -> Result<(Registry, Arc<Registry>), SealError> {
        let next = self.current.load().version() + 1;
        let registry = builder.seal_as(next)?;
        let replaced = self.current.swap(Arc::new(registry.clone()));
        self.published.send_replace(());
        Ok((registry, replaced))
    }
}
