//! `cargo xtask catalog build-time`

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::Args;

use callboard::catalog::{CatalogSnapshot, ModelCatalog};

use super::{root, snapshot_path};

#[derive(Args)]
pub(crate) struct Options {
    /// How many entries the catalogs have, beside the present one.
    #[arg(long, value_delimiter = ',', default_values_t = [5_000, 20_000])]
    entries: Vec<usize>,
    /// How often each build is timed; the fastest counts.
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// Time an optimised build.
    #[arg(long)]
    release: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let text = fs::read_to_string(snapshot_path()).context("model-catalog.snapshot.json")?;
    let catalog = ModelCatalog::from_json(&text)?;
    let folder = root().join("target/catalog-build-time");
    fs::create_dir_all(&folder)?;

    let without = fastest(options, &folder, None)?;
    println!("{:>8} entries: {:.2} s", 0, without.as_secs_f64());
    let present = [catalog.models().len()];
    for entries in present.iter().chain(&options.entries) {
        let path = folder.join(format!("{entries}.json"));
        fs::write(&path, resized(catalog.snapshot(), *entries).to_json())?;
        let with = fastest(options, &folder, Some(&path))?;
        println!(
            "{entries:>8} entries: {:.2} s, {:+.2} s",
            with.as_secs_f64(),
            with.as_secs_f64() - without.as_secs_f64()
        );
    }
    Ok(())
}

/// A snapshot with this many models, the further ones copied under other ids.
fn resized(mut snapshot: CatalogSnapshot, entries: usize) -> CatalogSnapshot {
    let originals = snapshot.models.clone();
    let mut copies = originals.iter().cycle().enumerate().skip(originals.len());
    while snapshot.models.len() < entries {
        let Some((i, original)) = copies.next() else {
            break;
        };
        let mut copy = original.clone();
        copy.id = format!("{}~{}", original.id, i / originals.len());
        copy.aliases.clear();
        snapshot.models.push(copy);
    }
    snapshot.models.truncate(entries);
    snapshot
}

/// The time to build the library again after a change of the catalog.
///
/// Reading and checking the document is in it; compiling the build script and the dependencies
/// isn't. Nothing is taken from an incremental build before.
fn fastest(options: &Options, folder: &Path, catalog: Option<&Path>) -> anyhow::Result<Duration> {
    let mut fastest = Duration::MAX;
    build(options, folder, catalog)?;
    let root_module = root().join("registry/lib.rs");
    for _ in 0..options.runs {
        for file in catalog.into_iter().chain([root_module.as_path()]) {
            let file = fs::OpenOptions::new().append(true).open(file)?;
            file.set_modified(std::time::SystemTime::now())?;
        }
        fastest = fastest.min(build(options, folder, catalog)?);
    }
    ensure!(fastest < Duration::MAX, "--runs must be at least 1");
    Ok(fastest)
}

fn build(options: &Options, folder: &Path, catalog: Option<&Path>) -> anyhow::Result<Duration> {
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(root())
        .args(["build", "--quiet", "--package", "callboard", "--lib"])
        .arg("--no-default-features")
        .arg("--target-dir")
        .arg(folder)
        .env("CARGO_INCREMENTAL", "0");
    if options.release {
        command.arg("--release");
    }
    match catalog {
        Some(path) => command
            .args(["--features", "catalog"])
            .env("CALLBOARD_CATALOG", path),
        None => command.env_remove("CALLBOARD_CATALOG"),
    };
    let start = Instant::now();
    if !command.status()?.success() {
        bail!("the build failed");
    }
    Ok(start.elapsed())
}
