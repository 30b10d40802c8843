//! What a program pays before its first call: collecting and sealing 10,000 tools.
//!
//! ```text
//! cargo bench --package callboard-benches --bench start_up
//! ```

use callboard::CapabilityRegistry;
use criterion::{Criterion, criterion_group, criterion_main};

fn start_up(c: &mut Criterion) {
    // Names the crate, so that the linker sees it.
    let declared = callboard_benches::registry(usize::MAX, |_| false).len();
    assert!(declared > 10_000, "{declared}");
    let mut group = c.benchmark_group(format!("start-up with {declared} tools"));
    group.bench_function("collect", |b| b.iter(CapabilityRegistry::collect));
    group.bench_function("collect and seal", |b| {
        b.iter(|| {
            CapabilityRegistry::collect().map(|reg| reg.seal().map(|registry| registry.len()))
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = start_up
}
criterion_main!(benches);
