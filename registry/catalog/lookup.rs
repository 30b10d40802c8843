//! Binary search over sorted tables, in constants and at run time alike.

use std::cmp::Ordering;

use super::ModelEntry;
use super::document::{NAME_BYTES, Name};
use super::entry::piece;

/// The tables of a catalog.
///
/// `models` is sorted by key. `aliases` and `ids` are packed [`Name`]s: the aliases sorted as
/// keys, and all names sorted by model id and then by key.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) models: &'a [ModelEntry],
    pub(super) aliases: &'a [u8],
    pub(super) ids: &'a [u8],
}

/// The name at an index; the first entry's key if there is none.
pub(super) const fn name_at(names: &[u8], index: usize) -> Name {
    let rest = match names.split_at_checked(index * NAME_BYTES) {
        Some((_, rest)) => rest,
        None => &[],
    };
    match rest.first_chunk() {
        Some(bytes) => Name::from_bytes(*bytes),
        None => Name::from_bytes([0; NAME_BYTES]),
    }
}

impl<'a> Tables<'a> {
    /// The entry with this key or alias.
    pub(super) const fn find(self, key: &str) -> Option<&'a ModelEntry> {
        let (mut low, mut high) = (0, self.models.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match compare(self.models[middle].key(), key) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(&self.models[middle]),
            }
        }
        let (mut low, mut high) = (0, self.aliases.len() / NAME_BYTES);
        while low < high {
            let middle = low + (high - low) / 2;
            let name = name_at(self.aliases, middle);
            match compare(self.key_of(name), key) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(&self.models[name.entry as usize]),
            }
        }
        None
    }

    /// The packed names with this model id.
    pub(super) fn with_id(self, id: &str) -> &'a [u8] {
        let (names, _) = self.ids.as_chunks::<NAME_BYTES>();
        let id_of = |bytes: &[u8; NAME_BYTES]| self.id_of(Name::from_bytes(*bytes));
        let start = names.partition_point(|name| id_of(name) < id);
        let found = names.get(start..).unwrap_or_default();
        let count = found.iter().take_while(|name| id_of(name) == id).count();
        found.get(..count).unwrap_or_default().as_flattened()
    }

    /// The name as a key.
    pub(super) const fn key_of(self, name: Name) -> &'a str {
        let text = self.models[name.entry as usize].text();
        piece(
            text,
            name.start as usize,
            name.start as usize + name.len as usize,
        )
    }

    /// The name as a model id.
    pub(super) fn id_of(self, name: Name) -> &'a str {
        let provider = self
            .models
            .get(name.entry as usize)
            .map_or(0, ModelEntry::provider_end);
        self.key_of(name).get(provider + 1..).unwrap_or_default()
    }
}

/// Compares as bytes, eight at a time: keys share long beginnings.
const fn compare(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let (Some((x, rest_a)), Some((y, rest_b))) =
        (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        let (x, y) = (u64::from_be_bytes(*x), u64::from_be_bytes(*y));
        if x != y {
            return if x < y {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        (a, b) = (rest_a, rest_b);
    }
    loop {
        match (a.split_first(), b.split_first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((x, rest_a)), Some((y, rest_b))) => {
                if *x != *y {
                    return if *x < *y {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    };
                }
                (a, b) = (rest_a, rest_b);
            }
        }
    }
}
