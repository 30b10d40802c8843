//! Binary search over sorted tables, in constants and at run time alike.

use std::cmp::Ordering;

use super::ModelEntry;
use super::entry::text;

/// One name of an entry: its key, or one of its aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The index of the entry.
    pub(super) entry: u32,
    /// 0 for the key; `n` for alias `n - 1`.
    pub(super) alias: u32,
}

/// The tables of a catalog.
///
/// `models` is sorted by key, `aliases` by the alias as a key, and `ids` by model id and then by
/// key.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) models: &'a [ModelEntry],
    pub(super) aliases: &'a [Name],
    pub(super) ids: &'a [Name],
}

impl<'a> Tables<'a> {
    /// The entry with this key or alias.
    pub(super) const fn find(self, key: &str) -> Option<&'a ModelEntry> {
        let (mut low, mut high) = (0, self.models.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match compare(text(&self.models[middle].key), key) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(&self.models[middle]),
            }
        }
        let (mut low, mut high) = (0, self.aliases.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let name = self.aliases[middle];
            match compare(self.key_of(name), key) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(&self.models[name.entry as usize]),
            }
        }
        None
    }

    /// The names with this model id.
    pub(super) fn with_id(self, id: &str) -> &'a [Name] {
        let start = self.ids.partition_point(|name| self.id_of(*name) < id);
        let found = self.ids.get(start..).unwrap_or_default();
        let count = found
            .iter()
            .take_while(|name| self.id_of(**name) == id)
            .count();
        found.get(..count).unwrap_or_default()
    }

    /// The name as a key.
    pub(super) const fn key_of(self, name: Name) -> &'a str {
        let entry = &self.models[name.entry as usize];
        match name.alias {
            0 => text(&entry.key),
            alias => match &entry.aliases {
                std::borrow::Cow::Borrowed(aliases) => text(&aliases[alias as usize - 1]),
                std::borrow::Cow::Owned(aliases) => text(&aliases.as_slice()[alias as usize - 1]),
            },
        }
    }

    /// The name as a model id.
    pub(super) fn id_of(self, name: Name) -> &'a str {
        let provider = self
            .models
            .get(name.entry as usize)
            .map_or(0, |entry| entry.provider_len);
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
