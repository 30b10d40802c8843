//! The tables that the build script makes of the snapshot.

use super::lookup::Tables;
use super::{ModelCatalog, ModelEntry};

mod tables {
    //! Written by the build script: `MODELS`, `ALIASES`, `IDS` and `SEED`.

    // One letter a name keeps half a megabyte out of the generated text.
    use std::borrow::Cow::{self, Borrowed as B};

    use crate::catalog::lookup::Name;
    use crate::catalog::model_catalog::SourceRow;
    use crate::catalog::{
        Capabilities, CapabilitySet, Date, Limits, Mode as M, ModelCatalog, ModelEntry as E,
        Prices as P, Rate as R, ServiceTier as S,
    };

    include!(concat!(env!("OUT_DIR"), "/model_catalog.rs"));
}

/// The entry with this `provider/model-id` in the tables that are compiled in.
///
/// An alias of the form `provider/alias` finds its entry too. In a constant the answer is there
/// before the program runs, in this crate or in another; at run time it is a binary search that
/// allocates nothing.
///
/// ```
/// use callboard::catalog::{self, ModelEntry};
///
/// const ENTRY: &ModelEntry = match catalog::find("openai/gpt-4o") {
///     Some(entry) => entry,
///     None => panic!("not in the catalog"),
/// };
/// assert_eq!(ENTRY.provider(), "openai");
/// assert!(catalog::find("openai/gpt-0").is_none());
/// ```
#[must_use]
#[cfg_attr(docsrs, doc(cfg(feature = "catalog")))]
pub const fn find(key: &str) -> Option<&'static ModelEntry> {
    Tables {
        models: &tables::MODELS,
        aliases: &tables::ALIASES,
        ids: &tables::IDS,
    }
    .find(key)
}

impl ModelCatalog {
    /// The catalog that is compiled in: `model-catalog.snapshot.json`, or the file that
    /// `CALLBOARD_CATALOG` named when the library was built.
    ///
    /// ```
    /// use callboard::catalog::{ModelCatalog, Part};
    ///
    /// let sonnet = ModelCatalog::seed().get("anthropic", "claude-sonnet-4-5").unwrap();
    /// assert_eq!(sonnet.price(Part::CacheRead), Some(300_000)); // $0.30 per million
    /// ```
    #[must_use]
    #[cfg_attr(docsrs, doc(cfg(feature = "catalog")))]
    pub const fn seed() -> &'static Self {
        &tables::SEED
    }
}
