//! Binary search over sorted tables, in constants and at run time alike.

use super::ModelEntry;
use super::document::{NAME_BYTES, Name, hash, index_bits};
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

/// Names sorted by their hash, and where the hashes with each beginning start.
///
/// A search among keys compares long texts that begin alike; among hashes it compares words, and
/// few of them.
#[derive(Clone, Copy)]
pub(super) struct Index<'a> {
    /// As `pack_indexes` makes them.
    packed: &'a [u8],
    count: usize,
    bits: u32,
    hashes: usize,
}

impl<'a> Index<'a> {
    pub(super) const fn new(packed: &'a [u8], count: usize) -> Self {
        let bits = index_bits(count);
        Self {
            packed,
            count,
            bits,
            hashes: ((1 << bits) + 1) * 4,
        }
    }

    /// Bytes at a place; zeros beyond the end, where packing leaves no place.
    const fn bytes<const N: usize>(self, place: usize) -> [u8; N] {
        if let Some((_, rest)) = self.packed.split_at_checked(place)
            && let Some(bytes) = rest.first_chunk()
        {
            return *bytes;
        }
        [0; N]
    }

    const fn hash(self, index: usize) -> u64 {
        u64::from_le_bytes(self.bytes(self.hashes + index * 8))
    }

    const fn name(self, index: usize) -> Name {
        Name::from_bytes(self.bytes(self.hashes + self.count * 8 + index * NAME_BYTES))
    }

    /// The first place whose hash isn't below this one.
    const fn start(self, hash: u64) -> usize {
        let division = (hash >> (64 - self.bits)) as usize;
        let mut low = u32::from_le_bytes(self.bytes(division * 4)) as usize;
        let mut high = u32::from_le_bytes(self.bytes(division * 4 + 4)) as usize;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.hash(middle) < hash {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The names at these places, packed.
    fn names(self, start: usize, count: usize) -> &'a [u8] {
        let start = self.hashes + self.count * 8 + start * NAME_BYTES;
        self.packed
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
        while at < self.keys.count && self.keys.hash(at) == wanted {
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
        while start < self.ids.count && self.ids.hash(start) == wanted && !same(start) {
            start += 1;
        }
        let count = (start..self.ids.count).take_while(|at| same(*at)).count();
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
pub(crate) const fn equal(a: &str, b: &str) -> bool {
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
