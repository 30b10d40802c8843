//! The tables that the build script makes of the snapshot.

use std::borrow::Cow;

use super::document::{HEAD_WORDS, Head};
use super::entry::piece;
use super::lookup::{Index, Tables};
use super::model_catalog::SourceRow;
use super::{Date, ModelCatalog, ModelEntry};

// `COUNT`, `NAMES`, `SNAPSHOT_ID` and `PROVENANCE`.
include!(concat!(env!("OUT_DIR"), "/model_catalog.rs"));

/// The texts of all entries, end to end.
static TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/model_catalog.text"));
/// The price lists, end to end; entries with the same list share it.
static RATES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/model_catalog.rates"));
/// The index of keys.
static KEYS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/model_catalog.keys"));
/// The index of model ids.
static IDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/model_catalog.ids"));
/// For each entry its head, and where its text and its rates start and how long they are.
static ROWS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/model_catalog.rows"));

const ROW_WORDS: usize = HEAD_WORDS + 4;

/// The entries, sorted by key.
///
/// They are handles into the tables: what an entry says is taken out of its row when it is asked.
/// rustc evaluates this loop; it would take seconds to evaluate the rows.
// A large catalog is a long evaluation, and a bounded one.
#[allow(long_running_const_eval)]
static MODELS: [ModelEntry; COUNT] = {
    const FIRST: ModelEntry = ModelEntry::row(0);
    let mut models = [FIRST; COUNT];
    let mut row = 0;
    while row < COUNT {
        std::mem::forget(std::mem::replace(
            &mut models[row],
            ModelEntry::row(row as u32),
        ));
        row += 1;
    }
    models
};

/// A word of a row.
const fn word(row: u32, word: usize) -> u32 {
    let place = (row as usize * ROW_WORDS + word) * 4;
    if let Some((_, rest)) = ROWS.split_at_checked(place)
        && let Some(bytes) = rest.first_chunk::<4>()
    {
        return u32::from_le_bytes(*bytes);
    }
    0
}

/// The words of a row that are not places.
pub(super) const fn head(row: u32) -> Head {
    let mut head = Head([0; HEAD_WORDS]);
    let mut i = 0;
    while i < HEAD_WORDS {
        head.0[i] = word(row, i);
        i += 1;
    }
    head
}

/// The text of a row.
pub(super) const fn text(row: u32) -> &'static str {
    let (start, length) = (word(row, HEAD_WORDS), word(row, HEAD_WORDS + 1));
    piece(TEXT, start as usize, start as usize + length as usize)
}

/// The packed rates of a row.
pub(super) const fn rates(row: u32) -> &'static [u8] {
    let (start, length) = (word(row, HEAD_WORDS + 2), word(row, HEAD_WORDS + 3));
    if let Some((_, rest)) = RATES.split_at_checked(start as usize)
        && let Some((rates, _)) = rest.split_at_checked(length as usize)
    {
        return rates;
    }
    &[]
}

static SEED: ModelCatalog = ModelCatalog {
    models: Cow::Borrowed(&MODELS),
    names: NAMES,
    keys: Cow::Borrowed(KEYS),
    ids: Cow::Borrowed(IDS),
    snapshot_id: Cow::Borrowed(SNAPSHOT_ID),
    provenance: Cow::Borrowed(&PROVENANCE),
};

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
        models: &MODELS,
        keys: Index::new(KEYS, NAMES),
        ids: Index::new(IDS, NAMES),
    }
    .find(key)
}

/// An entry whose key someone may have meant who wrote this one, which is in no table: the one that
/// it begins with, or else one that stands beside it in the order of keys.
pub(crate) const fn nearest(key: &str) -> Option<&'static ModelEntry> {
    let mut shorter = key.len();
    while shorter > 0 {
        shorter -= 1;
        if let Some((beginning, _)) = key.split_at_checked(shorter)
            && let Some(entry) = find(beginning)
        {
            return Some(entry);
        }
    }
    let (mut low, mut high) = (0, COUNT);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(MODELS[middle].key(), key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if low < COUNT
        && let Some(after) = of_provider(&MODELS[low], key)
    {
        return Some(after);
    }
    if low == 0 {
        return None;
    }
    of_provider(&MODELS[low - 1], key)
}

/// The entry, if its provider is that of the key.
const fn of_provider(entry: &'static ModelEntry, key: &str) -> Option<&'static ModelEntry> {
    let (mut provider, mut key) = (entry.provider().as_bytes(), key.as_bytes());
    loop {
        match (provider.split_first(), key.split_first()) {
            (Some((a, rest_a)), Some((b, rest_b))) if *a == *b => {
                (provider, key) = (rest_a, rest_b);
            }
            (None, Some((b'/', _))) => return Some(entry),
            _ => return None,
        }
    }
}

/// `<` for texts isn't const.
const fn is_before(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        match (a.split_first(), b.split_first()) {
            (Some((x, rest_a)), Some((y, rest_b))) if *x == *y => (a, b) = (rest_a, rest_b),
            (Some((x, _)), Some((y, _))) => return *x < *y,
            (a, b) => return a.is_none() && b.is_some(),
        }
    }
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
        &SEED
    }
}
