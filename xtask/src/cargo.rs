//! Running cargo, and saying what is run.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(PathBuf::from).unwrap_or(manifest)
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A command of cargo in the workspace.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(root())
        .args(arguments.split_whitespace());
    command
}

/// Runs a command of cargo in the workspace; a failure is an error that names it.
pub(crate) fn run(arguments: &str) -> anyhow::Result<()> {
    run_command(arguments, &mut cargo(arguments))
}

/// Runs a prepared command; `words` is how it is named.
pub(crate) fn run_command(words: &str, command: &mut Command) -> anyhow::Result<()> {
    eprintln!("\n$ cargo {words}");
    let status = command
        .status()
        .with_context(|| format!("`cargo {words}` can't be run"))?;
    ensure!(status.success(), "`cargo {words}` failed: {status}");
    Ok(())
}
