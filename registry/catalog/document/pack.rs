//! How an entry is kept: a text, nine words, and its price list as bytes.
//!
//! Thousands of entries as Rust source take rustc seconds to check; the same entries as data that
//! a `const fn` takes apart take it a fraction of one. So the build script writes this form to
//! files, and a loaded catalog keeps the same form in memory.
//!
//! - **text**: the key, the successor and the source, end to end, and then each alias as a key, on
//!   a line of its own.
//! - **head**: where those end, the mode, the limits, the capabilities and the deprecation date.
//! - **rates**: the rows of the price list, each a header and the prices that it states.

use super::{
    Capabilities, CapabilitySet, Date, Limits, Mode, ModelRecord, Part, Prices, Rate, ServiceTier,
};

/// How many words a head has.
pub(crate) const HEAD_WORDS: usize = 9;
/// How many bytes a [`Name`] has.
pub(crate) const NAME_BYTES: usize = 8;
/// How many bytes come before the prices of a row: the day, the threshold, the service, the mask.
const ROW_HEADER: usize = 4 + 4 + 1 + 2;
/// How many bytes a row has that states every price.
pub(crate) const MAX_RATE_BYTES: usize = ROW_HEADER + Part::COUNT * 8;

/// The words of an entry that aren't text or prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head(pub(crate) [u32; HEAD_WORDS]);

impl Head {
    /// Of a chat model whose text is its key and its source.
    pub(crate) const fn of_declared(
        provider_end: u16,
        key_end: u16,
        source_end: usize,
        limits: Limits,
        capabilities: Capabilities,
    ) -> Self {
        const fn packed(limit: Option<u32>) -> u32 {
            match limit {
                Some(limit) => limit,
                None => 0,
            }
        }
        let source_end = if source_end > u16::MAX as usize {
            u16::MAX
        } else {
            source_end as u16
        };
        Self([
            pair(provider_end, key_end),
            pair(key_end, source_end),
            Mode::Chat as u32,
            packed(limits.context),
            packed(limits.input),
            packed(limits.output),
            capabilities.yes.0,
            capabilities.no.0,
            0,
        ])
    }

    pub(crate) const fn provider_end(self) -> usize {
        (self.0[0] & 0xffff) as usize
    }

    pub(crate) const fn key_end(self) -> usize {
        (self.0[0] >> 16) as usize
    }

    pub(crate) const fn successor_end(self) -> usize {
        (self.0[1] & 0xffff) as usize
    }

    pub(crate) const fn source_end(self) -> usize {
        (self.0[1] >> 16) as usize
    }

    pub(crate) const fn mode(self) -> Mode {
        let index = self.0[2] as usize;
        if index < Mode::ALL.len() {
            Mode::ALL[index]
        } else {
            Mode::Chat
        }
    }

    /// 0 stands for a limit that isn't stated: no valid limit is 0.
    pub(crate) const fn limits(self) -> Limits {
        const fn stated(limit: u32) -> Option<u32> {
            if limit == 0 { None } else { Some(limit) }
        }
        Limits {
            context: stated(self.0[3]),
            input: stated(self.0[4]),
            output: stated(self.0[5]),
        }
    }

    pub(crate) const fn capabilities(self) -> Capabilities {
        Capabilities {
            yes: CapabilitySet(self.0[6]),
            no: CapabilitySet(self.0[7]),
        }
    }

    pub(crate) const fn deprecation_date(self) -> Option<Date> {
        day(self.0[8])
    }
}

/// Two half words as one word.
const fn pair(low: u16, high: u16) -> u32 {
    (high as u32) << 16 | low as u32
}

/// The day of a packed date; 0 for none.
const fn day(packed: u32) -> Option<Date> {
    Date::new((packed >> 16) as u16, (packed >> 8) as u8, packed as u8)
}

fn packed(date: Option<Date>) -> u32 {
    date.map_or(0, |date| {
        u32::from(date.year()) << 16 | u32::from(date.month()) << 8 | u32::from(date.day())
    })
}

/// A name of an entry: its key or one of its aliases, as a piece of the entry's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) entry: u32,
    pub(crate) start: u16,
    pub(crate) len: u16,
}

impl Name {
    pub(crate) fn to_bytes(self) -> [u8; NAME_BYTES] {
        let place = u32::from(self.start) << 16 | u32::from(self.len);
        (u64::from(self.entry) << 32 | u64::from(place)).to_le_bytes()
    }

    pub(crate) const fn from_bytes(bytes: [u8; NAME_BYTES]) -> Self {
        let word = u64::from_le_bytes(bytes);
        Self {
            entry: (word >> 32) as u32,
            start: (word >> 16) as u16,
            len: word as u16,
        }
    }
}

/// A hash of a name, by which an index is sorted.
///
/// It only has to tell names apart in few steps: what it finds is compared with the name itself.
pub(crate) const fn hash(name: &str) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut rest = name.as_bytes();
    let mut hash = rest.len() as u64;
    while let Some((chunk, after)) = rest.split_first_chunk::<8>() {
        hash = (hash ^ u64::from_le_bytes(*chunk)).wrapping_mul(MIX);
        hash ^= hash >> 29;
        rest = after;
    }
    let mut tail = 0;
    while let Some((byte, after)) = rest.split_first() {
        tail = tail << 8 | *byte as u64;
        rest = after;
    }
    hash = (hash ^ tail).wrapping_mul(MIX);
    hash ^ hash >> 32
}

/// The indexes of a catalog.
#[derive(Debug)]
pub(crate) struct Indexes {
    /// Of the names as keys.
    pub(crate) keys: Vec<u8>,
    /// Of the names as model ids.
    pub(crate) ids: Vec<u8>,
}

/// Packs the indexes of these names, each with its key.
pub(crate) fn pack_indexes(names: &[(Name, String)]) -> Indexes {
    // A provider contains no slash.
    let ids = names.iter().map(|(name, key)| {
        let id = key.split_once('/').map_or("", |(_, id)| id);
        (id, key.as_str(), *name)
    });
    let keys = names.iter().map(|(name, key)| (key.as_str(), "", *name));
    Indexes {
        keys: pack_index(keys.collect()),
        ids: pack_index(ids.collect()),
    }
}

/// How many of a hash's first bits an index of this many names is divided by: about one name has
/// the same.
pub(crate) const fn index_bits(names: usize) -> u32 {
    // At least one, so that the shift by the other bits is in range.
    (names | 2).ilog2()
}

/// Where each division starts and the last one ends, in words; then the hashes of the texts,
/// sorted; then the names in the same order. Names of one hash are sorted by text, and those of
/// one text by key.
fn pack_index(mut rows: Vec<(&str, &str, Name)>) -> Vec<u8> {
    rows.sort_by_cached_key(|(text, key, _)| (hash(text), *text, *key));
    let hashes: Vec<u64> = rows.iter().map(|(text, _, _)| hash(text)).collect();
    let bits = index_bits(rows.len());
    let starts = (0..=1u64 << bits).flat_map(|division| {
        let start = hashes.partition_point(|hash| hash >> (64 - bits) < division);
        u32::try_from(start).unwrap_or(u32::MAX).to_le_bytes()
    });
    let names = rows.iter().flat_map(|(_, _, name)| name.to_bytes());
    starts
        .chain(hashes.iter().flat_map(|hash| hash.to_le_bytes()))
        .chain(names)
        .collect()
}

/// An entry, packed.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) text: String,
    pub(crate) head: Head,
    pub(crate) rates: Vec<u8>,
    /// Where in the text the names are: the key's place first, then the aliases'.
    names: Vec<(u16, u16)>,
}

impl Packed {
    /// The names of the entry with this index, each with its key.
    pub(crate) fn names(&self, entry: u32) -> impl Iterator<Item = (Name, String)> {
        self.names.iter().map(move |&(start, len)| {
            let place = usize::from(start)..usize::from(start) + usize::from(len);
            let key = self.text.get(place).unwrap_or_default();
            (Name { entry, start, len }, key.to_owned())
        })
    }
}

/// Packs a record that the checker has accepted; its bounds keep every place within 16 bits.
pub(crate) fn pack(record: &ModelRecord) -> Packed {
    let mut text = record.key();
    let end = |text: &String| u16::try_from(text.len()).unwrap_or(u16::MAX);
    let key_end = end(&text);
    text.push_str(record.successor.as_deref().unwrap_or_default());
    let successor_end = end(&text);
    text.push_str(&record.source);
    let source_end = end(&text);
    let mut names = vec![(0, key_end)];
    let mut aliases: Vec<&String> = record.aliases.iter().collect();
    aliases.sort();
    for alias in aliases {
        text.push('\n');
        let start = end(&text);
        text.push_str(&record.provider);
        text.push('/');
        text.push_str(alias);
        names.push((start, end(&text) - start));
    }
    let provider_end = u16::try_from(record.provider.len()).unwrap_or(u16::MAX);
    let limits = &record.limits;
    let head = Head([
        pair(provider_end, key_end),
        pair(successor_end, source_end),
        record.mode as u32,
        limits.context.unwrap_or(0),
        limits.input.unwrap_or(0),
        limits.output.unwrap_or(0),
        record.capabilities.yes.0,
        record.capabilities.no.0,
        packed(record.deprecation_date),
    ]);
    Packed {
        text,
        head,
        rates: pack_rates(&record.rates),
        names,
    }
}

fn pack_rates(rates: &[Rate]) -> Vec<u8> {
    let mut rates = rates.to_vec();
    rates.sort_by_key(|rate| (rate.from, rate.service, rate.above));
    let mut bytes = Vec::new();
    for rate in rates {
        bytes.extend(packed(rate.from).to_le_bytes());
        bytes.extend(rate.above.to_le_bytes());
        bytes.push(rate.service as u8);
        let mask = rate
            .prices
            .iter()
            .fold(0u16, |mask, (part, _)| mask | 1 << part as u16);
        bytes.extend(mask.to_le_bytes());
        for (_, price) in rate.prices.iter() {
            bytes.extend(price.to_le_bytes());
        }
    }
    bytes
}

/// A price list of one row, without a date, a tier or a class of service; and how long it is.
pub(crate) const fn pack_prices(prices: &Prices) -> ([u8; MAX_RATE_BYTES], usize) {
    let mut bytes = [0; MAX_RATE_BYTES];
    let mut mask = 0u16;
    let mut len = ROW_HEADER;
    let mut part = 0;
    while part < Part::COUNT {
        if let Some(price) = prices.get(Part::ALL[part]) {
            mask |= 1 << part;
            let price = price.to_le_bytes();
            let mut i = 0;
            while i < price.len() {
                bytes[len] = price[i];
                len += 1;
                i += 1;
            }
        }
        part += 1;
    }
    if mask == 0 {
        return (bytes, 0);
    }
    let [low, high] = mask.to_le_bytes();
    bytes[ROW_HEADER - 2] = low;
    bytes[ROW_HEADER - 1] = high;
    (bytes, len)
}

/// The first row of a packed price list, and the rows after it.
pub(crate) const fn unpack_rate(bytes: &[u8]) -> Option<(Rate, &[u8])> {
    let Some((header, mut rest)) = bytes.split_first_chunk::<ROW_HEADER>() else {
        return None;
    };
    let [d0, d1, d2, d3, a0, a1, a2, a3, service, m0, m1] = *header;
    let service = service as usize;
    let mask = u16::from_le_bytes([m0, m1]);
    let mut prices = Prices::NOT_STATED;
    let mut part = 0;
    while part < Part::COUNT {
        if mask & 1 << part != 0 {
            let Some((price, after)) = rest.split_first_chunk::<8>() else {
                return None;
            };
            prices.0[part] = u64::from_le_bytes(*price);
            rest = after;
        }
        part += 1;
    }
    let rate = Rate {
        from: day(u32::from_le_bytes([d0, d1, d2, d3])),
        service: if service < ServiceTier::ALL.len() {
            ServiceTier::ALL[service]
        } else {
            ServiceTier::Standard
        },
        above: u32::from_le_bytes([a0, a1, a2, a3]),
        prices,
    };
    Some((rate, rest))
}
