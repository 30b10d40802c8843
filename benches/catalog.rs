//! Looking models up, beside a `HashMap` and a perfect hash over the same keys, and costing calls.
//!
//! Each sample goes through a thousand keys of all providers, so that it meets cold tables too.
//! `cargo bench --package callboard-benches --bench catalog`

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::LazyLock;

use callboard::catalog::{ModelCatalog, ModelEntry, Part, Usage, find};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

type Entry = &'static ModelEntry;

/// The names of the tables: keys, and aliases as keys.
static NAMES: LazyLock<Vec<(&'static str, Entry)>> = LazyLock::new(|| {
    let aliases = |entry: Entry| {
        entry
            .aliases()
            .map(move |alias| (&*format!("{}/{alias}", entry.provider()).leak(), entry))
    };
    ModelCatalog::seed()
        .models()
        .iter()
        .flat_map(|entry| aliases(entry).chain([(entry.key(), entry)]))
        .collect()
});

static HASH_MAP: LazyLock<HashMap<&'static str, Entry>> =
    LazyLock::new(|| NAMES.iter().copied().collect());

static PERFECT: LazyLock<phf::Map<&'static str, Entry>> = LazyLock::new(|| {
    let keys: Vec<&str> = NAMES.iter().map(|(key, _)| *key).collect();
    let state = phf_generator::generate_hash(&keys);
    let entries: Vec<(&str, Entry)> = state.map.iter().map(|at| NAMES[*at]).collect();
    phf::Map {
        key: state.key,
        disps: state.disps.leak(),
        entries: entries.leak(),
    }
});

/// A thousand keys, in an order that isn't that of the tables.
fn keys(kind: &str) -> Vec<String> {
    let names: Vec<String> = match kind {
        "present" => NAMES
            .iter()
            .filter(|(key, entry)| *key == entry.key())
            .map(|(key, _)| (*key).to_owned())
            .collect(),
        "alias" => NAMES
            .iter()
            .filter(|(key, entry)| *key != entry.key())
            .map(|(key, _)| (*key).to_owned())
            .collect(),
        _ => NAMES.iter().map(|(key, _)| format!("{key}-x")).collect(),
    };
    // 7919 is prime and larger than the tables, so that this visits every name in turn.
    (0..1_000)
        .map(|i| names[i * 7_919 % names.len()].clone())
        .collect()
}

fn look_up(bencher: Bencher<'_, '_>, kind: &str, get: impl Fn(&str) -> Option<Entry> + Sync) {
    let keys = keys(kind);
    bencher.counter(ItemsCount::new(keys.len())).bench(|| {
        keys.iter()
            .filter(|key| get(black_box(key)).is_some())
            .count()
    });
}

const KINDS: [&str; 3] = ["present", "alias", "absent"];

#[divan::bench(args = KINDS)]
fn tables(bencher: Bencher<'_, '_>, kind: &str) {
    look_up(bencher, kind, find);
}

#[divan::bench(args = KINDS)]
fn hash_map(bencher: Bencher<'_, '_>, kind: &str) {
    let map = &*HASH_MAP;
    look_up(bencher, kind, |key| map.get(key).copied());
}

#[divan::bench(args = KINDS)]
fn perfect_hash(bencher: Bencher<'_, '_>, kind: &str) {
    let map = &*PERFECT;
    look_up(bencher, kind, |key| map.get(key).copied());
}

#[divan::bench]
fn one_key(bencher: Bencher<'_, '_>) {
    bencher.bench(|| find(black_box("openai/gpt-4o")));
}

#[divan::bench]
fn by_model_id(bencher: Bencher<'_, '_>) {
    bencher.bench(|| ModelCatalog::seed().get_by_model_id(black_box("gpt-4o")));
}

#[divan::bench(args = ["openai/gpt-4o", "gemini/gemini-2.5-pro"])]
fn cost(bencher: Bencher<'_, '_>, key: &str) {
    let entry = find(key).expect("a known model");
    let usage = Usage::new()
        .with(Part::Input, 210_000)
        .with(Part::CacheRead, 1_000)
        .with(Part::Output, 500)
        .with(Part::Reasoning, 500);
    bencher.bench(|| entry.cost(black_box(&usage)).map(|cost| cost.picodollars()));
}
