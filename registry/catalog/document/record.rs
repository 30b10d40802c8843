//! A checked document, as plain data.

use super::{Capabilities, Date, Limits, Mode, Rate, SCHEMA_VERSION};

/// A whole catalog as data: what [`ModelCatalog::snapshot`](crate::catalog::ModelCatalog::snapshot) gives
/// and [`ModelCatalog::from_snapshot`](crate::catalog::ModelCatalog::from_snapshot) takes.
///
/// It serializes as the document that [`CatalogSnapshot::to_json`] writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogSnapshot {
    /// The version of the document's shape: [`SCHEMA_VERSION`].
    pub schema_version: u64,
    /// `sha256:` and the hash, in hex, of the document written with an empty `snapshot_id`.
    ///
    /// The library checks its shape only, since it carries no hash function; `cargo xtask catalog
    /// check` checks the hash.
    pub snapshot_id: String,
    /// Where the facts come from.
    pub provenance: Vec<Provenance>,
    /// The models. [`CatalogSnapshot::to_json`] sorts them by key.
    pub models: Vec<ModelRecord>,
}

impl CatalogSnapshot {
    /// A snapshot with no models, to be filled by code.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            snapshot_id: format!("sha256:{:064}", 0),
            provenance: Vec::new(),
            models: Vec::new(),
        }
    }
}

/// A source of facts, and exactly which bytes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The source's name, which an entry's `source` may be.
    pub source: String,
    /// The source's own version.
    pub version: String,
    /// SHA-256 of the source's bytes, 64 hex digits.
    pub sha256: String,
    /// The day on which these bytes were taken in.
    pub date: Date,
    /// The source's licence.
    pub license: String,
    /// What was done to its figures, if anything.
    pub note: Option<String>,
}

/// One model, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelRecord {
    /// The provider: lower-case letters, digits, `_`, `.` and `-`.
    pub provider: String,
    /// The model's id at that provider.
    pub id: String,
    /// Other ids of the model at that provider.
    pub aliases: Vec<String>,
    /// What the model does.
    pub mode: Mode,
    /// Its token limits.
    pub limits: Limits,
    /// Its price list, sorted by `from`, `service` and `above`.
    pub rates: Vec<Rate>,
    /// What it can do.
    pub capabilities: Capabilities,
    /// The first day on which it is deprecated.
    pub deprecation_date: Option<Date>,
    /// The `provider/model-id` to move to. It need not be in the catalog.
    pub successor: Option<String>,
    /// Where the facts come from: a web address, or the name of a source in `provenance`.
    pub source: String,
}

impl ModelRecord {
    /// `provider/model-id`.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}/{}", self.provider, self.id)
    }
}
