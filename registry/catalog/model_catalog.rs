//! A catalog: the one that is compiled in, or one that is loaded.

use std::borrow::Cow;

use super::document::{NAME_BYTES, pack, pack_indexes};
use super::lookup::{Index, Tables, unpacked};
use super::{
    CatalogFaults, CatalogSnapshot, Date, ModelEntry, Provenance, SCHEMA_VERSION, document,
};

/// A set of models with their limits, prices and capabilities.
///
/// [`ModelCatalog::seed`] is the one compiled into the library; [`from_json`](Self::from_json)
/// loads another of the same shape, checked by the same rules. Both answer the same questions with
/// the same [`ModelEntry`].
///
/// ```
/// use callboard::catalog::{ModelCatalog, ModelIdMatch, Part};
///
/// let catalog = ModelCatalog::from_json(r#"{
///     "schema_version": 1,
///     "snapshot_id": "sha256:0000000000000000000000000000000000000000000000000000000000000000",
///     "provenance": [{
///         "source": "price-sheet", "version": "7", "date": "2026-11-30", "license": "CC0-1.0",
///         "sha256": "0000000000000000000000000000000000000000000000000000000000000000"
///     }],
///     "models": [{
///         "provider": "acme", "id": "house-large", "aliases": ["house"], "mode": "chat",
///         "limits": {"input": 32000, "output": 4096},
///         "pricing": {"input": 150000, "output": 600000},
///         "capabilities": {"tool_calling": true},
///         "source": "price-sheet"
///     }]
/// }"#)?;
///
/// let house = catalog.get("acme", "house").expect("an alias finds its entry");
/// assert_eq!(house.id(), "house-large");
/// assert_eq!(house.price(Part::CacheRead), None); // not stated
/// assert!(matches!(catalog.get_by_model_id("house-large"), ModelIdMatch::One(_)));
/// # Ok::<(), callboard::catalog::CatalogFaults>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCatalog {
    pub(super) models: Cow<'static, [ModelEntry]>,
    /// How many names the models have.
    pub(super) names: usize,
    /// See [`Index`].
    pub(super) keys: Cow<'static, [u8]>,
    /// See [`Index`].
    pub(super) ids: Cow<'static, [u8]>,
    pub(super) snapshot_id: Cow<'static, str>,
    pub(super) provenance: Cow<'static, [SourceRow]>,
}

/// A [`Provenance`] that a `static` can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceRow {
    pub(super) source: Cow<'static, str>,
    pub(super) version: Cow<'static, str>,
    pub(super) sha256: Cow<'static, str>,
    pub(super) date: Date,
    pub(super) license: Cow<'static, str>,
    pub(super) note: Option<Cow<'static, str>>,
}

impl ModelCatalog {
    /// Reads a catalog from the text of a document, as [`CatalogSnapshot::to_json`] writes it.
    ///
    /// The text is not trusted: it is at most [`MAX_DOCUMENT_BYTES`](super::MAX_DOCUMENT_BYTES)
    /// long and nests at most 12 levels, and every field is bounded.
    ///
    /// # Errors
    ///
    /// Every fault of the document, sorted, each with its entry and field.
    pub fn from_json(text: &str) -> Result<Self, CatalogFaults> {
        document::parse(text).map(Self::from_checked)
    }

    /// Takes a catalog from data, with the same rules as [`from_json`](Self::from_json).
    ///
    /// # Errors
    ///
    /// Every fault of the snapshot, sorted, each with its entry and field.
    pub fn from_snapshot(snapshot: &CatalogSnapshot) -> Result<Self, CatalogFaults> {
        document::check(&snapshot.to_node()).map(Self::from_checked)
    }

    fn from_checked(mut snapshot: CatalogSnapshot) -> Self {
        snapshot.models.sort_by_cached_key(super::ModelRecord::key);
        let mut models = Vec::with_capacity(snapshot.models.len());
        let mut names = Vec::with_capacity(snapshot.models.len());
        // The checker bounds the count far below `u32::MAX`.
        for (entry, record) in (0u32..).zip(&snapshot.models) {
            let packed = pack(record);
            names.extend(packed.names(entry));
            models.push(ModelEntry::from_packed(packed));
        }
        let indexes = pack_indexes(&names);
        Self {
            models: Cow::Owned(models),
            names: names.len(),
            keys: Cow::Owned(indexes.keys),
            ids: Cow::Owned(indexes.ids),
            snapshot_id: Cow::Owned(snapshot.snapshot_id),
            provenance: snapshot.provenance.into_iter().map(Into::into).collect(),
        }
    }

    fn tables(&self) -> Tables<'_> {
        Tables {
            models: &self.models,
            keys: Index::new(&self.keys, self.names),
            ids: Index::new(&self.ids, self.names),
        }
    }

    /// The entry of a provider's model, by its id or an alias.
    #[must_use]
    pub fn get(&self, provider: &str, id: &str) -> Option<&ModelEntry> {
        // Keys are bounded, so the joined key of anything longer is in no catalog.
        let mut key = [0u8; 64 + 1 + 256];
        let length = provider.len().checked_add(1)?.checked_add(id.len())?;
        let joined = key.get_mut(..length)?;
        let (head, tail) = joined.split_at_mut_checked(provider.len())?;
        head.copy_from_slice(provider.as_bytes());
        let (slash, tail) = tail.split_first_mut()?;
        *slash = b'/';
        tail.copy_from_slice(id.as_bytes());
        self.find(std::str::from_utf8(joined).ok()?)
    }

    /// The entry with this `provider/model-id`, or with this alias of the form `provider/alias`.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&ModelEntry> {
        self.tables().find(key)
    }

    /// The entry with this model id or alias, whoever the provider is.
    ///
    /// Several providers may serve a model under one id, at different prices: that is
    /// [`ModelIdMatch::Ambiguous`], and nothing is picked.
    #[must_use]
    pub fn get_by_model_id(&self, id: &str) -> ModelIdMatch<'_> {
        let names = self.tables().with_id(id);
        match names.len() / NAME_BYTES {
            0 => ModelIdMatch::None,
            1 => unpacked(names)
                .next()
                .and_then(|name| self.models.get(name.entry as usize))
                .map_or(ModelIdMatch::None, ModelIdMatch::One),
            _ => ModelIdMatch::Ambiguous(Candidates {
                models: &self.models,
                names,
            }),
        }
    }

    /// Every model, sorted by key.
    #[must_use]
    pub fn models(&self) -> &[ModelEntry] {
        &self.models
    }

    /// The `snapshot_id` of the document.
    #[must_use]
    pub fn snapshot_id(&self) -> &str {
        &self.snapshot_id
    }

    /// Where the facts come from.
    pub fn provenance(&self) -> impl ExactSizeIterator<Item = Provenance> {
        self.provenance.iter().map(Provenance::from)
    }

    /// The day of the newest source: what the catalog says is as of then.
    #[must_use]
    pub const fn newest_source(&self) -> Option<Date> {
        let rows = match &self.provenance {
            Cow::Borrowed(rows) => *rows,
            Cow::Owned(rows) => rows.as_slice(),
        };
        let mut newest: Option<Date> = None;
        let mut i = 0;
        while i < rows.len() {
            newest = match newest {
                Some(newest) if newest.is_on_or_after(rows[i].date) => Some(newest),
                _ => Some(rows[i].date),
            };
            i += 1;
        }
        newest
    }

    /// The catalog as data: [`from_snapshot`](Self::from_snapshot) makes the same catalog of it.
    #[must_use]
    pub fn snapshot(&self) -> CatalogSnapshot {
        CatalogSnapshot {
            schema_version: SCHEMA_VERSION,
            snapshot_id: self.snapshot_id.clone().into_owned(),
            provenance: self.provenance().collect(),
            models: self.models.iter().map(ModelEntry::to_record).collect(),
        }
    }
}

impl From<Provenance> for SourceRow {
    fn from(source: Provenance) -> Self {
        Self {
            source: Cow::Owned(source.source),
            version: Cow::Owned(source.version),
            sha256: Cow::Owned(source.sha256),
            date: source.date,
            license: Cow::Owned(source.license),
            note: source.note.map(Cow::Owned),
        }
    }
}

impl From<&SourceRow> for Provenance {
    fn from(row: &SourceRow) -> Self {
        Self {
            source: row.source.clone().into_owned(),
            version: row.version.clone().into_owned(),
            sha256: row.sha256.clone().into_owned(),
            date: row.date,
            license: row.license.clone().into_owned(),
            note: row.note.clone().map(Cow::into_owned),
        }
    }
}

/// What a catalog has under a model id, when no provider is given.
#[derive(Clone, Copy, Debug)]
pub enum ModelIdMatch<'a> {
    /// Nothing.
    None,
    /// One entry.
    One(&'a ModelEntry),
    /// The entries of several providers.
    Ambiguous(Candidates<'a>),
}

impl<'a> ModelIdMatch<'a> {
    /// The entry, if there is exactly one.
    #[must_use]
    pub const fn one(self) -> Option<&'a ModelEntry> {
        match self {
            Self::One(entry) => Some(entry),
            Self::None | Self::Ambiguous(_) => None,
        }
    }
}

/// The entries that share a model id: two or more, sorted by key.
#[derive(Clone, Copy)]
pub struct Candidates<'a> {
    models: &'a [ModelEntry],
    /// Packed.
    names: &'a [u8],
}

impl<'a> Candidates<'a> {
    /// The entries.
    pub fn iter(self) -> impl Iterator<Item = &'a ModelEntry> {
        unpacked(self.names).filter_map(move |name| self.models.get(name.entry as usize))
    }
}

impl std::fmt::Debug for Candidates<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.iter().map(ModelEntry::key))
            .finish()
    }
}
