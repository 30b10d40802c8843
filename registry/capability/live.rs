//! A registry that changes while it is used: by whole versions.

use std::sync::{Mutex, PoisonError};

use arc_swap::ArcSwap;

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
}

impl LiveRegistry {
    /// Starts from a sealed registry, and its version.
    pub fn new(registry: Registry) -> Self {
        Self {
            current: ArcSwap::from_pointee(registry),
            publishing: Mutex::new(()),
        }
    }

    /// The version that is current now.
    pub fn current(&self) -> Registry {
        Registry::clone(&self.current.load())
    }

    /// Seals `builder` as the next version, and makes it current.
    ///
    /// # Errors
    ///
    /// When it can't be sealed; the current version stays.
    pub fn publish(&self, builder: CapabilityRegistry) -> Result<Registry, SealError> {
        let _in_order = self
            .publishing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.publish_in_order(builder)
    }

    /// Changes a copy of the current version, and makes it current; no other change comes
    /// between.
    ///
    /// # Errors
    ///
    /// The outer error is that of `change`, the inner one that of sealing; either way the current
    /// version stays.
    pub fn update<E>(
        &self,
        change: impl FnOnce(&mut CapabilityRegistry) -> Result<(), E>,
    ) -> Result<Result<Registry, SealError>, E> {
        let _in_order = self
            .publishing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut builder = self.current.load().to_builder();
        change(&mut builder)?;
        Ok(self.publish_in_order(builder))
    }

    fn publish_in_order(&self, builder: CapabilityRegistry) -> Result<Registry, SealError> {
        let next = self.current.load().version() + 1;
        let registry = builder.seal_as(next)?;
        self.current.store(std::sync::Arc::new(registry.clone()));
        Ok(registry)
    }
}
