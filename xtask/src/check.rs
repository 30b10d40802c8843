//! What must hold before a change lands.

use crate::cargo;

/// The features that can be switched on alone.
const FEATURES: &[&str] = &["catalog", "dynamic", "mcp", "mcp-server"];

/// The suites that differ without features: what the compiler and the linker say doesn't.
const SUITES_WITHOUT_FEATURES: &[&str] = &[
    "allocations",
    "arguments",
    "cancellation",
    "component",
    "concurrency",
    "conflicts",
    "interaction",
    "model",
    "policy",
    "properties",
    "registry",
    "router",
    "tool",
    "tracing",
];

pub(crate) fn test() -> anyhow::Result<()> {
    cargo::run("test --workspace --all-features")?;
    let suites: String = SUITES_WITHOUT_FEATURES
        .iter()
        .map(|suite| format!(" --test {suite}"))
        .collect();
    cargo::run(&format!(
        "test --package callboard --no-default-features --lib{suites}"
    ))
}

pub(crate) fn lint() -> anyhow::Result<()> {
    cargo::run("fmt --all --check")?;
    cargo::run("clippy --workspace --all-targets --all-features -- -D warnings")?;
    let docs = "doc --workspace --no-deps --all-features";
    cargo::run_command(docs, cargo::cargo(docs).env("RUSTDOCFLAGS", "-D warnings"))?;
    let bare = "doc --package callboard --no-deps --no-default-features";
    cargo::run_command(bare, cargo::cargo(bare).env("RUSTDOCFLAGS", "-D warnings"))?;
    cargo::run("clippy --package callboard --no-default-features -- -D warnings")?;
    FEATURES.iter().try_for_each(|feature| {
        cargo::run(&format!(
            "clippy --package callboard --no-default-features --features {feature} -- -D warnings"
        ))
    })
}
