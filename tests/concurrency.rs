//! Many calls at once, each of which ends as it should, and leaves nothing.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use callboard::{
    CallError, CancellationToken, CapabilityRegistry, ComponentKind, DispatchError, LiveRegistry,
    Registry, RegistryError, State, ToolCall, ToolCallContext, tool,
};

use common::{ctx, poll_once};

/// How many tools began, and how many ended, in whatever way.
#[derive(Clone, Default)]
struct Balance(Arc<[AtomicUsize; 2]>);

impl Balance {
    fn begin(call: ToolCall<'_>) -> Running {
        let balance = call.state::<Self>().cloned().unwrap_or_default();
        balance.0[0].fetch_add(1, Ordering::Relaxed);
        Running(balance)
    }

    fn begun_and_ended(&self) -> (usize, usize) {
        let [begun, ended] = &*self.0;
        (begun.load(Ordering::Relaxed), ended.load(Ordering::Relaxed))
    }
}

struct Running(Balance);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0[1].fetch_add(1, Ordering::Relaxed);
    }
}

#[tool]
async fn at_once(#[inject] call: ToolCall<'_>, n: usize) -> usize {
    let _running = Balance::begin(call);
    n
}

#[tool]
async fn after_yielding(#[inject] call: ToolCall<'_>, n: usize) -> usize {
    let _running = Balance::begin(call);
    for _ in 0..n % 4 {
        tokio::task::yield_now().await;
    }
    n
}

#[tool]
async fn fails(#[inject] call: ToolCall<'_>, n: usize) -> Result<usize, String> {
    let _running = Balance::begin(call);
    tokio::task::yield_now().await;
    Err(n.to_string())
}

#[tool]
async fn panics(#[inject] call: ToolCall<'_>, n: usize) -> usize {
    let _running = Balance::begin(call);
    if n.is_multiple_of(2) {
        tokio::task::yield_now().await;
    }
    panic!("on purpose: {n}")
}

#[tool(timeout = "2ms")]
async fn hangs_briefly(#[inject] call: ToolCall<'_>) {
    let _running = Balance::begin(call);
    std::future::pending::<()>().await;
}

#[tool(timeout = "none")]
async fn hangs(#[inject] call: ToolCall<'_>) {
    let _running = Balance::begin(call);
    std::future::pending::<()>().await;
}

/// Panics that are part of a test don't fill its output.
fn hush() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let on_purpose = panic
            .payload()
            .downcast_ref::<String>()
            .is_some_and(|message| message.starts_with("on purpose"));
        if !on_purpose {
            loud(panic);
        }
    }));
}

/// Makes the `n`th call, and checks how it ends.
async fn call(registry: &Registry, n: usize) {
    let context = ToolCallContext::new(n.to_string());
    let arguments = format!(r#"{{"n":{n}}}"#);
    match n % 8 {
        0 => {
            let output = registry.call::<AtOnce>(AtOnceArgs { n }, &context).await;
            assert_eq!(output.expect("it runs"), n);
        }
        1 => {
            let output = registry
                .dispatch("after_yielding", &arguments, &context)
                .await;
            let n = n.to_string();
            assert_eq!(output.expect("it runs").as_json(), Some(n.as_str()));
        }
        2 => {
            let error = registry.call::<Fails>(FailsArgs { n }, &context).await;
            let error = error.expect_err("it fails").into_failed();
            assert_eq!(error, Some(n.to_string()));
        }
        3 => {
            let error = registry.dispatch("panics", &arguments, &context).await;
            assert!(
                matches!(&error, Err(DispatchError::Panicked { message, .. }) if *message == format!("on purpose: {n}")),
                "{error:?}"
            );
        }
        4 => {
            let error = registry.dispatch("hangs_briefly", "", &context).await;
            assert!(
                matches!(error, Err(DispatchError::TimedOut { .. })),
                "{error:?}"
            );
        }
        5 => {
            let token = CancellationToken::new();
            let context = context.with_cancel(token.clone());
            let stop = async {
                tokio::task::yield_now().await;
                token.cancel();
            };
            let (error, ()) = tokio::join!(registry.call::<Hangs>(HangsArgs {}, &context), stop);
            assert!(
                matches!(
                    error,
                    Err(CallError::Refused(DispatchError::Cancelled { .. }))
                ),
                "{error:?}"
            );
        }
        6 => {
            let mut dropped = Box::pin(registry.dispatch("hangs", "", &context));
            assert!(poll_once(dropped.as_mut()).is_pending());
            tokio::task::yield_now().await;
            assert!(poll_once(dropped.as_mut()).is_pending());
        }
        _ => {
            let error = registry.dispatch("at_once", "[]", &context).await;
            assert!(
                matches!(error, Err(DispatchError::InvalidArguments { .. })),
                "{error:?}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_calls_over_sixty_four_tasks_end_as_they_should_and_leave_nothing() {
    const CALLS: usize = 10_000;
    const TASKS: usize = 64;
    hush();
    let balance = Balance::default();
    let mut reg = CapabilityRegistry::collect_where(|declared| !declared.has_tag("live"))
        .expect("no conflicts");
    reg.provide(balance.clone());
    let registry = reg.seal().expect("it seals");
    let next = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let (registry, next) = (registry.clone(), Arc::clone(&next));
            tokio::spawn(async move {
                let mut made = 0;
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= CALLS {
                        return made;
                    }
                    call(&registry, n).await;
                    made += 1;
                }
            })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        made += task.await.expect("every call ended as it should");
    }
    assert_eq!(made, CALLS);
    assert_eq!(registry.in_flight(), 0);
    // All but the calls with bad arguments reached their tool.
    let reached = CALLS - CALLS / 8;
    assert_eq!(balance.begun_and_ended(), (reached, reached));
}

struct Epoch(u64);

#[tool(tags("live"), marker = EpochTool)]
async fn epoch(#[inject] epoch: State<'_, Epoch>) -> u64 {
    tokio::task::yield_now().await;
    epoch.0.0
}

/// The number in the name of the only store: what a whole registry agrees on.
fn number(registry: &callboard::Components) -> u64 {
    match registry.names(ComponentKind::Store).as_slice() {
        [name] => name["epoch_".len()..].parse().expect("a number"),
        other => panic!("a torn registry: {other:?}"),
    }
}

fn advance(reg: &mut CapabilityRegistry) -> Result<(), RegistryError> {
    let number = number(reg);
    reg.remove(ComponentKind::Store, &format!("epoch_{number}"));
    reg.register_descriptor(ComponentKind::Store, format!("epoch_{}", number + 1))?;
    reg.replace_provided(Epoch(number + 1));
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_of_a_live_registry_see_whole_versions_in_their_order() {
    const PUBLISHERS: u64 = 4;
    const EACH: u64 = 250;
    let mut reg = CapabilityRegistry::new();
    reg.provide(Epoch(1));
    reg.register_tool::<EpochTool>()
        .and_then(|reg| reg.register_descriptor(ComponentKind::Store, "epoch_1"))
        .expect("the names are free");
    let live = Arc::new(LiveRegistry::new(reg.seal().expect("it seals")));
    let done = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..8)
        .map(|_| {
            let (live, done) = (Arc::clone(&live), Arc::clone(&done));
            tokio::spawn(async move {
                let mut last = 0;
                let mut versions = 0_u64;
                loop {
                    let finished = done.load(Ordering::Acquire);
                    let registry = live.current();
                    let version = registry.version();
                    assert!(version >= last, "{version} after {last}");
                    versions += u64::from(version > last);
                    last = version;
                    assert_eq!(number(&registry), version);
                    let seen = registry.call::<EpochTool>(EpochToolArgs {}, &ctx()).await;
                    assert_eq!(seen.expect("it runs"), version);
                    if finished {
                        return (last, versions);
                    }
                }
            })
        })
        .collect();
    let publishers: Vec<_> = (0..PUBLISHERS)
        .map(|_| {
            let live = Arc::clone(&live);
            tokio::spawn(async move {
                let mut last = 0;
                for _ in 0..EACH {
                    let published = live
                        .update(advance)
                        .expect("the change is made")
                        .expect("it seals");
                    assert!(published.version() > last);
                    last = published.version();
                    tokio::time::sleep(Duration::from_micros(50)).await;
                }
            })
        })
        .collect();
    for publisher in publishers {
        publisher.await.expect("every version is published");
    }
    done.store(true, Ordering::Release);
    for reader in readers {
        let (last, versions) = reader.await.expect("every version is whole");
        assert_eq!(last, 1 + PUBLISHERS * EACH);
        assert!(versions > 1);
    }
}
