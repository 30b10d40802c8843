//! `cargo xtask catalog check`

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;

use callboard::catalog::ModelCatalog;

use super::{snapshot_id, snapshot_path};

#[derive(Args)]
pub(crate) struct Options {
    /// The snapshot, if not model-catalog.snapshot.json.
    path: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let path = options.path.clone().unwrap_or_else(snapshot_path);
    let name = path.display().to_string();
    let text = fs::read_to_string(&path).with_context(|| name.clone())?;
    let catalog = ModelCatalog::from_json(&text).map_err(|faults| faults.in_document(&name))?;
    let snapshot = catalog.snapshot();
    let id = snapshot_id(&snapshot);
    if catalog.snapshot_id() != id {
        bail!(
            "{name}: snapshot_id: is {}, but the content is {id}",
            catalog.snapshot_id()
        );
    }
    if snapshot.to_json() != text {
        bail!("{name}: is not laid out as `cargo xtask catalog import` writes it");
    }
    println!("{name}: {} models, {id}", catalog.models().len());
    Ok(())
}
