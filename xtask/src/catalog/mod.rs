//! `cargo xtask catalog …`

mod build_time;
mod check;
mod compare;
mod genai;
mod import;
mod litellm;
mod money;
mod names;
mod report;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use sha2::{Digest, Sha256};

use callboard::catalog::{CatalogSnapshot, DOCUMENT_NAME};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make model-catalog.snapshot.json from the published price lists.
    Import(import::Options),
    /// Check model-catalog.snapshot.json: its rules, its layout and its hash.
    Check(check::Options),
    /// Time a debug build with catalogs of given sizes.
    BuildTime(build_time::Options),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Import(options) => import::run(&options),
            Self::Check(options) => check::run(&options),
            Self::BuildTime(options) => build_time::run(&options),
        }
    }
}

/// The workspace's directory.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

fn snapshot_path() -> PathBuf {
    root().join(DOCUMENT_NAME)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// `sha256:` and the hash of the document written with an empty id.
fn snapshot_id(snapshot: &CatalogSnapshot) -> String {
    let unnamed = CatalogSnapshot {
        snapshot_id: String::new(),
        ..snapshot.clone()
    };
    format!("sha256:{}", sha256(unnamed.to_json().as_bytes()))
}
