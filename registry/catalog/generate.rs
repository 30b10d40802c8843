//! The build script's half: from a checked snapshot to the files that `seed.rs` includes.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use super::document::{CatalogSnapshot, ModelRecord, Provenance, pack, pack_indexes};

/// Writes the tables: see `seed.rs` for what is in each file.
pub(crate) fn write(mut snapshot: CatalogSnapshot, folder: &Path) -> io::Result<()> {
    snapshot.models.sort_by_cached_key(ModelRecord::key);
    let mut text = String::new();
    let mut rates: Vec<u8> = Vec::new();
    let mut lists: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut rows: Vec<u8> = Vec::new();
    let mut names = Vec::new();
    for (entry, record) in (0u32..).zip(&snapshot.models) {
        let packed = pack(record);
        names.extend(packed.names(entry));
        let length = packed.rates.len();
        let list = *lists.entry(packed.rates).or_insert_with_key(|list| {
            rates.extend(list);
            rates.len() - length
        });
        let places = [text.len(), packed.text.len(), list, length];
        for word in packed.head.0 {
            rows.extend(word.to_le_bytes());
        }
        for place in places {
            let place = u32::try_from(place).map_err(io::Error::other)?;
            rows.extend(place.to_le_bytes());
        }
        text.push_str(&packed.text);
    }

    let indexes = pack_indexes(&names);
    fs::write(folder.join("model_catalog.text"), text)?;
    fs::write(folder.join("model_catalog.rates"), rates)?;
    fs::write(folder.join("model_catalog.rows"), rows)?;
    fs::write(folder.join("model_catalog.ids"), indexes.ids)?;
    fs::write(folder.join("model_catalog.keys"), indexes.keys)?;
    fs::write(
        folder.join("model_catalog.rs"),
        constants(&snapshot, names.len()),
    )
}

fn constants(snapshot: &CatalogSnapshot, names: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "const COUNT: usize = {};", snapshot.models.len());
    let _ = writeln!(out, "const NAMES: usize = {names};");
    let _ = writeln!(out, "const SNAPSHOT_ID: &str = {:?};", snapshot.snapshot_id);
    let count = snapshot.provenance.len();
    let _ = writeln!(out, "static PROVENANCE: [SourceRow; {count}] = [");
    for source in &snapshot.provenance {
        let Provenance {
            source,
            version,
            sha256,
            date,
            license,
            note,
        } = source;
        let note = match note {
            Some(note) => format!("Some(Cow::Borrowed({note:?}))"),
            None => "None".to_owned(),
        };
        let (year, month, day) = (date.year(), date.month(), date.day());
        let _ = writeln!(
            out,
            "SourceRow {{ source: Cow::Borrowed({source:?}), version: Cow::Borrowed({version:?}), \
             sha256: Cow::Borrowed({sha256:?}), date: Date::new({year}, {month}, {day}).unwrap(), \
             license: Cow::Borrowed({license:?}), note: {note} }},"
        );
    }
    out.push_str("];\n");
    out
}
