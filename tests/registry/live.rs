//! A registry that changes while it is used.

use std::sync::Arc;
use std::time::Duration;

use callboard::{
    CapabilityRegistry, ComponentKind, DispatchError, LiveRegistry, RegistryError, State, tool,
};
use tokio::sync::Semaphore;

use super::{Add, AddArgs};
use crate::common::ctx;

type Gate = Arc<Semaphore>;
struct Epoch(u64);

#[tool(tags("stateful"))]
async fn read_epoch_twice(
    #[inject] gate: State<'_, Gate>,
    #[inject] epoch: State<'_, Epoch>,
) -> (u64, u64) {
    let before = epoch.0.0;
    drop(gate.0.acquire().await);
    (before, epoch.0.0)
}

#[tokio::test]
async fn a_call_in_flight_keeps_the_version_that_it_began_in() {
    let gate = Gate::new(Semaphore::new(0));
    let mut reg = CapabilityRegistry::new();
    reg.provide(Arc::clone(&gate)).provide(Epoch(1));
    reg.register_tool::<ReadEpochTwice>()
        .expect("the name is free");
    let live = LiveRegistry::new(reg.seal().expect("all is there"));
    let first = live.current();
    let calling = tokio::spawn({
        let first = first.clone();
        async move { first.dispatch("read_epoch_twice", "", &ctx()).await }
    });
    while first.in_flight() == 0 {
        tokio::task::yield_now().await;
    }
    let second = live
        .update(|reg| {
            reg.remove(ComponentKind::Tool, "read_epoch_twice");
            reg.replace_provided(Epoch(2));
            reg.register_tool::<Add>().map(drop)
        })
        .expect("the change is made")
        .expect("it seals");
    assert_eq!((first.version(), second.version()), (1, 2));
    assert_eq!(live.current().version(), 2);
    let gone = second.dispatch("read_epoch_twice", "", &ctx()).await;
    assert!(matches!(gone, Err(DispatchError::UnknownTool { .. })));
    assert_eq!(second.in_flight(), 0);
    gate.add_permits(1);
    let read = tokio::time::timeout(Duration::from_secs(60), calling)
        .await
        .expect("the gate is open")
        .expect("no panic");
    assert_eq!(read.expect("it ran to its end").as_json(), Some("[1,1]"));
    assert_eq!(first.in_flight(), 0);
}

#[tokio::test]
async fn a_change_that_fails_leaves_the_current_version() {
    let live = LiveRegistry::new(CapabilityRegistry::new().seal().expect("empty"));
    let refused = live.update(|reg| {
        reg.register_tool::<Add>()?;
        reg.register_tool::<Add>().map(drop)
    });
    assert!(matches!(refused, Err(RegistryError::Taken { .. })));
    let unsealed = live
        .update(|reg| reg.register_tool::<ReadEpochTwice>().map(drop))
        .expect("the change is made");
    assert!(unsealed.is_err());
    let mut lacking = CapabilityRegistry::new();
    lacking
        .register_tool::<ReadEpochTwice>()
        .expect("the name is free");
    let error = live.publish(lacking).expect_err("it has no state");
    assert_eq!(error.into_builder().len(), 1);
    assert_eq!(live.current().version(), 1);
    assert!(live.current().is_empty());
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Add>().expect("the name is free");
    let published = live.publish(reg).expect("it seals");
    assert_eq!(published.version(), 2);
    let sum = live
        .current()
        .call::<Add>(AddArgs { left: 1, right: 1 }, &ctx())
        .await;
    assert_eq!(sum.expect("it is current"), 2);
}

#[test]
fn a_change_that_panics_leaves_a_registry_that_can_be_changed() {
    let live = LiveRegistry::new(CapabilityRegistry::new().seal().expect("empty"));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        live.update(|_| -> Result<(), RegistryError> { panic!("in a change") })
    }));
    assert!(panicked.is_err());
    live.update(|reg| reg.register_router("r").map(drop))
        .expect("the change is made")
        .expect("it seals");
    assert_eq!(live.current().version(), 2);
}

/// State that publishes when it goes.
struct LastWill(Arc<LiveRegistry>);

impl Drop for LastWill {
    fn drop(&mut self) {
        let empty = CapabilityRegistry::new();
        self.0.publish(empty).expect("an empty registry seals");
    }
}

#[test]
fn state_whose_drop_publishes_waits_for_nobody() {
    let empty = CapabilityRegistry::new().seal().expect("it seals");
    let live = Arc::new(LiveRegistry::new(empty));
    let mut reg = CapabilityRegistry::new();
    reg.provide(LastWill(Arc::clone(&live)));
    live.publish(reg).expect("it seals");
    live.publish(CapabilityRegistry::new()).expect("it seals");
    // The second, the third, and the one that the second's state published.
    assert_eq!(live.current().version(), 4);
}
