//! How often a call allocates, whatever the number of tools.
#![allow(unsafe_code, reason = "an allocator that counts is an allocator")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::pin::pin;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};

use callboard::schemars::JsonSchema;
use callboard::serde::{Deserialize, Serialize};
use callboard::{
    CapabilityRegistry, ComponentKind, LogLevel, Need, Progress, Registry, RouterDefinition, State,
    ToolCallContext, WorkloadRoute, model, tool,
};

struct Counting;

thread_local! {
    /// How often this thread has allocated: tests run in threads of their own.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // Not there while a thread ends, when nobody counts.
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every method hands its own arguments to `System`, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `work` gives, and how often this thread allocated in it.
fn counted<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATIONS.get();
    let made = work();
    (made, ALLOCATIONS.get() - before)
}

/// Polls a future until it is ready: whoever it waits for has to be ready by the second poll.
fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..3 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
    panic!("it still waits");
}

struct Total(AtomicI64);

#[tool]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

#[tool]
async fn add_to_total(
    #[inject] total: State<'_, Total>,
    #[inject] ctx: &ToolCallContext,
    n: i64,
) -> i64 {
    total.0.0.fetch_add(n, Ordering::Relaxed) + i64::from(ctx.call_id().is_empty())
}

/// Ready when it is polled a second time.
struct Once(bool);

impl Future for Once {
    type Output = ();

    fn poll(mut self: std::pin::Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

#[tool]
async fn waits_once(n: i64) -> i64 {
    Once(false).await;
    n
}

#[tool]
async fn reports(#[inject] ctx: &ToolCallContext, n: i64) -> i64 {
    ctx.progress(Progress::of(0.0, 2.0).with_message("half"));
    ctx.progress_with(|| Progress::of(1.0, 2.0).with_message(n.to_string()));
    ctx.log(LogLevel::Info, "a text");
    n
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Line {
    product: String,
    count: u32,
}

#[tool]
async fn order(customer: String, lines: Vec<Line>, note: Option<String>) -> Vec<Line> {
    let _ = (customer, note);
    lines
}

const ORDER: &str =
    r#"{"customer":"ada","lines":[{"product":"tea","count":2},{"product":"cake","count":1}]}"#;

/// A registry with the tools above, and as many others as make `rows`.
fn filled(rows: usize) -> Registry {
    let mut reg =
        CapabilityRegistry::collect_where(|declared| declared.kind() == ComponentKind::Tool)
            .expect("no conflicts");
    reg.provide(Total(AtomicI64::new(0)));
    #[cfg(feature = "dynamic")]
    for position in reg.len()..rows {
        let filler = callboard::DynamicTool::new(
            format!("filler_{position}"),
            serde_json::json!({ "type": "object" }),
            |_, _| async { Ok::<_, String>(()) },
        );
        reg.register_dynamic(filler).expect("the name is free");
    }
    assert!(cfg!(not(feature = "dynamic")) || reg.len() == rows.max(5));
    reg.seal().expect("the total is provided")
}

/// With as few tools as there are, and with ten thousand where tools can be made at run time.
static REGISTRIES: LazyLock<Vec<(usize, Registry)>> = LazyLock::new(|| {
    let rows: &[usize] = if cfg!(feature = "dynamic") {
        &[1, 10_000]
    } else {
        &[1]
    };
    rows.iter().map(|&rows| (rows, filled(rows))).collect()
});

#[test]
fn the_typed_door_allocates_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let _entered = runtime.enter();
    for (rows, registry) in &*REGISTRIES {
        let ctx = ToolCallContext::new("call_1").with_extension(1_u8);
        // The first call of each tool lets tracing look at its place, once in a program.
        for round in 0..3 {
            let (sum, at_once) =
                counted(|| run(registry.call::<Add>(AddArgs { left: 20, right: 5 }, &ctx)));
            let (total, with_state) =
                counted(|| run(registry.call::<AddToTotal>(AddToTotalArgs { n: 2 }, &ctx)));
            let (waited, pending) =
                counted(|| run(registry.call::<WaitsOnce>(WaitsOnceArgs { n: 7 }, &ctx)));
            let (reported, to_nobody) =
                counted(|| run(registry.call::<Reports>(ReportsArgs { n: 3 }, &ctx)));
            assert_eq!(reported.expect("it runs"), 3);
            assert_eq!(sum.expect("it runs"), 25);
            assert_eq!(total.expect("it runs"), 2 * round);
            assert_eq!(waited.expect("it runs"), 7);
            if round > 0 {
                assert_eq!(
                    (at_once, with_state, pending, to_nobody),
                    (0, 0, 0, 0),
                    "{rows} rows"
                );
            }
        }
        assert_eq!(registry.in_flight(), 0);
    }
}

#[test]
fn the_json_door_allocates_twice_beyond_serde_and_the_tool() {
    for (rows, registry) in &*REGISTRIES {
        let ctx = common::ctx();
        for round in 0..3 {
            let (by_hand, least) = counted(|| {
                let args: OrderArgs = serde_json::from_str(ORDER).expect("it is read");
                let lines = run(order(args.customer, args.lines, args.note));
                serde_json::to_string(&lines).expect("it is written")
            });
            let (output, most) = counted(|| run(registry.dispatch("order", ORDER, &ctx)));
            let output = output.expect("it runs");
            assert_eq!(output.as_json(), Some(by_hand.as_str()));
            assert!(least >= 5, "three texts, the lines and the output: {least}");
            if round > 0 {
                assert!(
                    most <= least + 2,
                    "{rows} rows: {most} allocations, and {least} by hand"
                );
            }
            let (sum, most) =
                counted(|| run(registry.dispatch("add", r#"{"left":20,"right":5}"#, &ctx)));
            assert_eq!(sum.expect("it runs").as_json(), Some("25"));
            // The output's text is one that serde makes too.
            assert!(round == 0 || most <= 1 + 2, "{rows} rows: {most}");
        }
    }
}

#[model(
    provider = "acme",
    context = 32_000,
    output = 4_096,
    supports(tool_calling),
    prices(input = 150_000, output = 600_000)
)]
struct House;

#[test]
fn choosing_a_target_that_can_serve_allocates_nothing() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model_of::<House>().expect("the name is free");
    let name = reg.names(ComponentKind::Model)[0].to_owned();
    reg.register_model_router(
        RouterDefinition::new("workload").route(WorkloadRoute::new("chat-v1", name)),
    )
    .expect("the name is free");
    let registry = reg.seal().expect("the model is there");
    let router = registry
        .model_router("workload")
        .expect("it was registered");
    let need = Need::default()
        .prompt_tokens(10_000)
        .output_tokens(1_000)
        .budget(u128::MAX);
    let (choice, allocations) = counted(|| router.select("chat-v1", &need));
    assert!(choice.is_ok_and(|choice| choice.estimate.is_some()));
    assert_eq!(allocations, 0);
}
