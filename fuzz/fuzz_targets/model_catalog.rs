//! Arbitrary bytes as a document of the model catalog. Whatever it is, it is read or refused, what
//! is said of it is bounded, and what was read can be written and read again.

#![no_main]

use callboard::catalog::{CatalogFaults, ModelCatalog};
use libfuzzer_sys::fuzz_target;

/// The most bytes that one fault may have: it quotes what came, and must not repeat all of it.
const MOST_TOLD: usize = 4096;

fn assert_bounded(faults: &CatalogFaults) {
    assert!(!faults.faults().is_empty(), "refused without a reason");
    assert!(faults.faults().len() <= 1_000);
    for line in faults.lines() {
        assert!(line.len() <= MOST_TOLD, "{} bytes: {line}", line.len());
        assert!(!line.contains('\n'), "two lines: {line:?}");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let catalog = match ModelCatalog::from_json(text) {
        Ok(catalog) => catalog,
        Err(faults) => return assert_bounded(&faults),
    };
    let written = catalog.snapshot().to_json();
    let again = ModelCatalog::from_json(&written).expect("what was written is read");
    assert_eq!(again, catalog);
    for model in catalog.models() {
        assert_eq!(catalog.find(model.key()), Some(model));
        for alias in model.aliases() {
            assert_eq!(catalog.get(model.provider(), alias), Some(model));
        }
    }
});
