//! The build script's half: from a checked snapshot to the text of the tables.
//!
//! The tables are sorted slices of plain literals, because rustc takes them in at thousands of
//! rows in a fraction of a second, where a `match` with as many arms takes the better part of a
//! minute.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::document::{CatalogSnapshot, Date, ModelRecord, Provenance, Rate};

/// The text of `model_catalog.rs`, which `seed.rs` includes.
pub(crate) fn tables(mut snapshot: CatalogSnapshot) -> String {
    snapshot.models.sort_by_cached_key(ModelRecord::key);
    for record in &mut snapshot.models {
        record.aliases.sort();
        record
            .rates
            .sort_by_key(|rate| (rate.from, rate.service, rate.above));
    }
    let models = &snapshot.models;
    let mut out = String::with_capacity(models.len() * 400);
    out.push_str("const U: u64 = u64::MAX;\nconst N: Cow<'static, [Cow<'static, str>]> = B(&[]);\n");

    let mut lists: HashMap<&[Rate], usize> = HashMap::new();
    let mut rows = String::new();
    for record in models {
        let next = lists.len();
        let list = *lists.entry(&record.rates).or_insert_with(|| {
            let _ = writeln!(
                out,
                "static L{next}: [R; {}] = [{}];",
                record.rates.len(),
                record.rates.iter().map(rate).collect::<String>()
            );
            next
        });
        model(&mut rows, record, list);
    }
    let count = models.len();
    let _ = writeln!(out, "pub(super) static MODELS: [E; {count}] = [\n{rows}];");

    let all: Vec<(usize, usize)> = models
        .iter()
        .enumerate()
        .flat_map(|(entry, record)| (0..=record.aliases.len()).map(move |alias| (entry, alias)))
        .collect();
    let id_of = |(entry, alias): (usize, usize)| {
        let record = models.get(entry);
        record.map_or("", |record| match alias.checked_sub(1) {
            None => record.id.as_str(),
            Some(i) => record.aliases.get(i).map_or("", String::as_str),
        })
    };
    let key_of = |name: (usize, usize)| {
        let provider = models.get(name.0).map_or("", |record| &record.provider);
        format!("{provider}/{}", id_of(name))
    };
    let mut aliases: Vec<_> = all.iter().copied().filter(|name| name.1 != 0).collect();
    aliases.sort_by_cached_key(|name| key_of(*name));
    names(&mut out, "ALIASES", &aliases);
    let mut ids = all;
    ids.sort_by_cached_key(|name| (id_of(*name).to_owned(), key_of(*name)));
    names(&mut out, "IDS", &ids);

    let sources: String = snapshot.provenance.iter().map(source).collect();
    let id = &snapshot.snapshot_id;
    let _ = writeln!(
        out,
        "pub(super) static SEED: ModelCatalog = ModelCatalog {{ models: B(&MODELS), \
         aliases: B(&ALIASES), ids: B(&IDS), snapshot_id: B({id:?}), \
         provenance: B(&[{sources}]) }};"
    );
    out
}

fn model(out: &mut String, record: &ModelRecord, list: usize) {
    let aliases = if record.aliases.is_empty() {
        "N".to_owned()
    } else {
        let keys = record
            .aliases
            .iter()
            .map(|alias| format!("B({:?}),", format!("{}/{alias}", record.provider)));
        format!("B(&[{}])", keys.collect::<String>())
    };
    let successor = match &record.successor {
        Some(key) => format!("Some(B({key:?}))"),
        None => "None".to_owned(),
    };
    let deprecation = record.deprecation_date.map_or("None".to_owned(), date);
    let _ = writeln!(
        out,
        "E{{key:B({:?}),provider_len:{},aliases:{aliases},mode:M::{:?},\
         limits:Limits{{context:{:?},input:{:?},output:{:?}}},rates:B(&L{list}),\
         capabilities:Capabilities{{yes:CapabilitySet({}),no:CapabilitySet({})}},\
         deprecation_date:{deprecation},successor:{successor},source:B({:?})}},",
        record.key(),
        record.provider.len(),
        record.mode,
        record.limits.context,
        record.limits.input,
        record.limits.output,
        record.capabilities.yes.0,
        record.capabilities.no.0,
        record.source,
    );
}

fn rate(rate: &Rate) -> String {
    let prices: String = rate
        .prices
        .0
        .iter()
        .map(|price| match *price {
            u64::MAX => "U,".to_owned(),
            price => format!("{price},"),
        })
        .collect();
    format!(
        "R{{from:{},service:S::{:?},above:{},prices:P([{prices}])}},",
        rate.from.map_or("None".to_owned(), date),
        rate.service,
        rate.above,
    )
}

/// An `Option<Date>`.
fn date(date: Date) -> String {
    let (year, month, day) = (date.year(), date.month(), date.day());
    format!("Date::new({year},{month},{day})")
}

fn names(out: &mut String, table: &str, names: &[(usize, usize)]) {
    let count = names.len();
    let _ = write!(out, "pub(super) static {table}: [Name; {count}] = [");
    for (entry, alias) in names {
        let _ = write!(out, "Name{{entry:{entry},alias:{alias}}},");
    }
    out.push_str("];\n");
}

fn source(source: &Provenance) -> String {
    let note = match &source.note {
        Some(note) => format!("Some(B({note:?}))"),
        None => "None".to_owned(),
    };
    let (year, month, day) = (source.date.year(), source.date.month(), source.date.day());
    format!(
        "SourceRow {{ source: B({:?}), version: B({:?}), sha256: B({:?}), \
         date: Date::new({year}, {month}, {day}).unwrap(), license: B({:?}), note: {note} }},",
        source.source, source.version, source.sha256, source.license,
    )
}
