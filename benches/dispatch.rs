//! One call, four ways, in one run: the function itself, the typed door, the function between
//! hand-written serde, and the JSON door; at 1, 100 and 10,000 rows.
//!
//! ```text
//! cargo bench --package callboard-benches --bench dispatch
//! ```

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use callboard::{ToolCallContext, tool};
use callboard_benches::registry;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Adds two numbers.
#[tool(read_only)]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

/// A line of an order.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Line {
    sku: String,
    quantity: u32,
    price: f64,
}

/// Adds up an order.
#[tool(read_only, marker = TotalOrder)]
async fn total(customer: String, lines: Vec<Line>) -> Total {
    Total {
        sum: lines
            .iter()
            .map(|line| f64::from(line.quantity) * line.price)
            .sum(),
        customer,
    }
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
struct Total {
    customer: String,
    sum: f64,
}

/// What someone writes who has two tools and no registry.
mod by_hand {
    use super::{Line, add, total};
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct AddArguments {
        left: i64,
        right: i64,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct TotalArguments {
        customer: String,
        lines: Vec<Line>,
    }

    pub(super) async fn dispatch(name: &str, arguments: &str) -> Result<String, serde_json::Error> {
        match name {
            "add" => {
                let arguments: AddArguments = serde_json::from_str(arguments)?;
                serde_json::to_string(&add(arguments.left, arguments.right).await)
            }
            _ => {
                let arguments: TotalArguments = serde_json::from_str(arguments)?;
                serde_json::to_string(&total(arguments.customer, arguments.lines).await)
            }
        }
    }
}

/// Runs what never waits.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("nothing here waits"),
    }
}

const SMALL: &str = r#"{"left":20,"right":5}"#;

fn large() -> String {
    let lines: Vec<_> = (0..50)
        .map(|line| json!({ "sku": format!("sku-{line}"), "quantity": line, "price": 9.99 }))
        .collect();
    json!({ "customer": "ada", "lines": lines }).to_string()
}

fn doors(c: &mut Criterion) {
    let ctx = ToolCallContext::new("call_1");
    let large = large();
    let mut small_group = c.benchmark_group("add");
    small_group.bench_function("direct", |b| {
        b.iter(|| now(add(black_box(20), black_box(5))));
    });
    small_group.bench_function("serde by hand", |b| {
        b.iter(|| now(by_hand::dispatch(black_box("add"), black_box(SMALL))).unwrap());
    });
    for rows in [1, 100, 10_000] {
        let registry = registry(rows - 1, |declared| declared.name() == "add");
        small_group.bench_function(BenchmarkId::new("typed door", rows), |b| {
            b.iter(|| {
                let args = AddArgs {
                    left: black_box(20),
                    right: black_box(5),
                };
                now(registry.call::<Add>(args, &ctx)).unwrap()
            });
        });
        small_group.bench_function(BenchmarkId::new("JSON door", rows), |b| {
            b.iter(|| now(registry.dispatch(black_box("add"), black_box(SMALL), &ctx)).unwrap());
        });
    }
    small_group.finish();

    let mut large_group = c.benchmark_group("order of 50 lines");
    large_group.bench_function("serde by hand", |b| {
        b.iter(|| now(by_hand::dispatch(black_box("total"), black_box(&large))).unwrap());
    });
    let registry = registry(99, |declared| declared.name() == "total");
    large_group.bench_function("JSON door", |b| {
        b.iter(|| now(registry.dispatch(black_box("total"), black_box(&large), &ctx)).unwrap());
    });
    large_group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30);
    targets = doors
}
criterion_main!(benches);
