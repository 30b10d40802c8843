//! The catalog as a document: its vocabulary, its records, and the one checker.
//!
//! This folder depends on nothing else in the library, because the build
//! script includes it too: a snapshot that is compiled in and one that is
//! loaded at run time are read and refused by the same lines.

mod check;
mod date;
mod facts;
mod fault;
mod node;
mod pack;
mod record;
mod vocabulary;
mod write;

pub use date::{Date, InvalidDate};
pub use facts::{Capabilities, CapabilitySet, Limits, Prices, Rate};
pub use fault::{CatalogFault, CatalogFaults, DOCUMENT_NAME};
pub use record::{CatalogSnapshot, ModelRecord, Provenance};
pub use vocabulary::{Capability, Mode, Part, ServiceTier, Support};

pub(crate) use check::{check, parse};
#[allow(unused_imports, reason = "the build script doesn't write documents")]
pub(crate) use node::Node;

#[cfg(feature = "catalog")]
pub(crate) use pack::HEAD_WORDS;
pub(crate) use pack::{
    Head, NAME_BYTES, Name, Packed, hash, index_bits, pack, pack_indexes, unpack_rate,
};
#[allow(unused_imports, reason = "the build script declares no model")]
pub(crate) use pack::{MAX_RATE_BYTES, pack_prices};

/// The `schema_version` that this library reads and writes.
pub const SCHEMA_VERSION: u64 = 1;
/// The longest document that is read, in bytes: 64 MiB.
pub const MAX_DOCUMENT_BYTES: usize = 64 << 20;
/// The most models in one document.
pub const MAX_MODELS: usize = 100_000;
/// The most sources in `provenance`.
pub const MAX_SOURCES: usize = 1_000;
/// The longest text of any field, in bytes.
pub const MAX_TEXT_BYTES: usize = 512;
/// The most aliases of one model.
pub const MAX_ALIASES: usize = 64;
/// The most prompt-size tiers in one price list, and the most dated price lists of one model.
pub const MAX_TIERS: usize = 32;
/// The highest price, in picodollars per token: a thousand dollars a token.
///
/// It bounds every sum: twelve parts of `u64::MAX` tokens at this price fit in a `u128`.
pub const MAX_PRICE: u64 = 1_000_000_000_000_000;
/// The largest token limit of a model, and the largest threshold of a tier.
pub const MAX_LIMIT: u64 = 1_000_000_000;
