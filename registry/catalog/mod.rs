//! What models cost, hold and can do.
//!
//! `model-catalog.snapshot.json` is compiled into `static` tables, sorted by `provider/model-id`:
//! [`find`] looks a model up in a constant, so that a wrong key or a missing capability can fail
//! the build, and [`ModelCatalog::seed`] is the same tables at run time, with nothing to start up.
//! A program can also load a catalog of its own with [`ModelCatalog::from_json`].
//!
//! - **Money** is whole picodollars (10⁻¹² USD): a price of 2 500 000 per token is $2.50 per
//!   million tokens. Sums are exact.
//! - **Not stated** is `None` or [`Support::NotStated`], never 0 or no. A [cost](ModelEntry::cost)
//!   with a part that has no price is an error that lists it.
//! - **Limits**: `input` and `output` are separate budgets, so a model's output limit may be above
//!   its input limit, and in some fifty entries of the sources it is. Where a `context` limit is
//!   stated it bounds both, and a document in which it doesn't is refused.
//! - **Time** is a [`Date`] that the caller gives. No clock is read.
//!
//! # A snapshot of your own
//!
//! Set `CALLBOARD_CATALOG` to the absolute path of a snapshot while building, and the tables are
//! made from it instead. For a whole workspace, in `.cargo/config.toml`:
//!
//! ```toml
//! [env]
//! CALLBOARD_CATALOG = { value = "catalog.json", relative = true }
//! ```
//!
//! A change of the variable or of the file builds the library again. Faults are errors of the
//! build, all of them at once, one line each, with the entry and the field.
//!
//! # Features
//!
//! `catalog` (on by default) compiles the tables in, with [`find`] and [`ModelCatalog::seed`].
//! Everything else here is there without it.

// The documentation speaks of the tables whether they are compiled in or not.
#![cfg_attr(not(feature = "catalog"), allow(rustdoc::broken_intra_doc_links))]

mod cost;
mod declared;
mod document;
mod entry;
mod lookup;
mod model_catalog;
#[cfg(feature = "catalog")]
mod seed;
mod serde_impls;
mod usage;

pub(crate) use cost::dollars;
pub use cost::{Cost, CostLine, Unpriced, UnpricedPart};
#[doc(hidden)]
pub use declared::DeclaredModel;
pub use document::{
    Capabilities, Capability, CapabilitySet, CatalogFault, CatalogFaults, CatalogSnapshot,
    DOCUMENT_NAME, Date, InvalidDate, Limits, MAX_ALIASES, MAX_DOCUMENT_BYTES, MAX_LIMIT,
    MAX_MODELS, MAX_PRICE, MAX_SOURCES, MAX_TEXT_BYTES, MAX_TIERS, Mode, ModelRecord, Part, Prices,
    Provenance, Rate, SCHEMA_VERSION, ServiceTier, Support,
};
pub use entry::{DoesNotFit, LimitKind, ModelEntry, Rates, Unsatisfied};
pub(crate) use lookup::equal;
pub use model_catalog::{Candidates, ModelCatalog, ModelIdMatch};
#[cfg(feature = "catalog")]
pub use seed::find;
#[cfg(feature = "catalog")]
pub(crate) use seed::nearest;
pub use usage::{Usage, UsageError};
