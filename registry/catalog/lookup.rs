//! Binary search over sorted tables, in constants and at run time alike.

use super::ModelEntry;
use super::document::{NAME_BYTES, Name, hash};
use super::entry::piece;

/// The tables of a catalog.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    /// Sorted by key.
    pub(super) models: &'a [ModelEntry],
    /// Every name, as a key.
    pub(super) keys: Index<'a>,
    /// Every name, as a model id.
    pub(super) ids: Index<'a>,
}

/// Names sorted by their hash: first all hashes, then the names, eight bytes each.
///
/// A search among keys compares long texts that begin alike; among hashes it compares words.
#[derive(Clone, Copy)]
pub(super) struct Index<'a>(pub(super) &'a [u8]);

impl<'a> Index<'a> {
    const fn len(self) -> usize {
        self.0.len() / 2 / NAME_BYTES
    }

    /// The eight bytes at an index of the hashes, or after them of the names.
    const fn row(self, index: usize) -> [u8; NAME_BYTES] {
        if let Some((_, rest)) = self.0.split_at_checked(index * NAME_BYTES)
            && let Some(row) = rest.first_chunk()
        {
            return *row;
        }
        [0; NAME_BYTES]
    }

    const fn hash(self, index: usize) -> u64 {
        u64::from_le_bytes(self.row(index))
    }

    const fn name(self, index: usize) -> Name {
        Name::from_bytes(self.row(self.len() + index))
    }

    /// The first place whose hash isn't below this one.
    const fn start(self, hash: u64) -> usize {
        let (mut low, mut size) = (0, self.len());
        while size > 0 {
            let half = size / 2;
            if self.hash(low + half) < hash {
                low += half + 1;
                size -= half + 1;
            } else {
                size = half;
            }
        }
        low
    }

    /// The names at these places, packed.
    fn names(self, start: usize, count: usize) -> &'a [u8] {
        let start = (self.len() + start) * NAME_BYTES;
        self.0
            .get(start..start + count * NAME_BYTES)
            .unwrap_or_default()
    }
}

/// The names that are packed in these bytes.
pub(super) fn unpacked(names: &[u8]) -> impl Iterator<Item = Name> {
    let (names, _) = names.as_chunks();
    names.iter().map(|name| Name::from_bytes(*name))
}

impl<'a> Tables<'a> {
    /// The entry with this key or alias.
    pub(super) const fn find(self, key: &str) -> Option<&'a ModelEntry> {
        let wanted = hash(key);
        let mut at = self.keys.start(wanted);
        while at < self.keys.len() && self.keys.hash(at) == wanted {
            let name = self.keys.name(at);
            if equal(self.key_of(name), key) {
                return Some(&self.models[name.entry as usize]);
            }
            at += 1;
        }
        None
    }

    /// The packed names with this model id, sorted by key.
    pub(super) fn with_id(self, id: &str) -> &'a [u8] {
        let wanted = hash(id);
        let mut start = self.ids.start(wanted);
        let same = |at| self.ids.hash(at) == wanted && self.id_of(self.ids.name(at)) == id;
        while start < self.ids.len() && self.ids.hash(start) == wanted && !same(start) {
            start += 1;
        }
        let count = (start..self.ids.len()).take_while(|at| same(*at)).count();
        self.ids.names(start, count)
    }

    /// The name as a key.
    const fn key_of(self, name: Name) -> &'a str {
        let text = self.models[name.entry as usize].text();
        piece(
            text,
            name.start as usize,
            name.start as usize + name.len as usize,
        )
    }

    /// The name as a model id.
    fn id_of(self, name: Name) -> &'a str {
        let provider = self
            .models
            .get(name.entry as usize)
            .map_or(0, ModelEntry::provider_end);
        self.key_of(name).get(provider + 1..).unwrap_or_default()
    }
}

/// `==` for texts isn't const.
const fn equal(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    while let (Some((x, rest_a)), Some((y, rest_b))) =
        (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        if u64::from_le_bytes(*x) != u64::from_le_bytes(*y) {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    true
}
