//! What a new snapshot changes.

use std::collections::BTreeMap;

use callboard::catalog::{ModelCatalog, ModelRecord};

use super::report::Report;

pub(crate) fn changes(old: &ModelCatalog, new: &[ModelRecord], report: &mut Report) {
    let new: BTreeMap<String, &ModelRecord> = new.iter().map(|r| (r.key(), r)).collect();
    for (key, record) in &new {
        let Some(old) = old.find(key).filter(|entry| entry.key() == key) else {
            report.line("changed: new", key.clone());
            continue;
        };
        let old = old.to_record();
        if old.rates != record.rates {
            report.line("changed: repriced", key.clone());
        }
        let same_otherwise = ModelRecord {
            rates: Vec::new(),
            ..old
        } == ModelRecord {
            rates: Vec::new(),
            ..(*record).clone()
        };
        if !same_otherwise {
            report.line("changed: other facts", key.clone());
        }
    }
    for entry in old.models() {
        if !new.contains_key(entry.key()) {
            report.line("changed: gone", entry.key().to_owned());
        }
    }
}
