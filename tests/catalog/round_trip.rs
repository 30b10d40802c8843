//! Import, tables, snapshot and JSON say the same.

use callboard::catalog::{ModelCatalog, Part, ServiceTier, Usage};

const DOCUMENT: &str = include_str!("../../model-catalog.snapshot.json");

#[test]
fn the_tables_give_back_the_document() {
    // `CALLBOARD_CATALOG` may have put other tables in.
    if option_env!("CALLBOARD_CATALOG").is_some() {
        return;
    }
    assert_eq!(ModelCatalog::seed().snapshot().to_json(), DOCUMENT);
}

#[test]
fn a_snapshot_makes_the_same_catalog() {
    let seed = ModelCatalog::seed();
    let snapshot = seed.snapshot();
    let loaded = ModelCatalog::from_snapshot(&snapshot).unwrap();
    assert_eq!(loaded.snapshot(), snapshot);
    assert_eq!(&loaded, seed);
    let read = ModelCatalog::from_json(&snapshot.to_json()).unwrap();
    assert_eq!(&read, seed);
    let compact = serde_json::to_string(&snapshot).unwrap();
    assert_eq!(&ModelCatalog::from_json(&compact).unwrap(), seed);
}

#[test]
fn static_and_loaded_answer_alike() {
    let seed = ModelCatalog::seed();
    let loaded = ModelCatalog::from_json(&seed.snapshot().to_json()).unwrap();
    assert_eq!(loaded.models().len(), seed.models().len());
    let everything = Part::ALL
        .iter()
        .fold(Usage::new(), |usage, part| usage.with(*part, 1_000));
    for (fixed, owned) in seed.models().iter().zip(loaded.models()) {
        assert_eq!(fixed, owned);
        assert_eq!(format!("{fixed:?}"), format!("{owned:?}"));
        for size in [1, 128_001, 200_001, 272_001, 600_000] {
            for service in ServiceTier::ALL {
                let usage = Usage::new()
                    .with(Part::Input, size)
                    .with(Part::Output, 10)
                    .with_service(*service);
                assert_eq!(fixed.cost(&usage), owned.cost(&usage));
            }
            assert_eq!(fixed.fits(size, size), owned.fits(size, size));
            assert_eq!(fixed.estimate(size, 5), owned.estimate(size, 5));
        }
        assert_eq!(fixed.cost(&everything), owned.cost(&everything));
        for entry in [fixed, owned] {
            assert!(std::ptr::eq(
                if std::ptr::eq(entry, fixed) {
                    seed
                } else {
                    &loaded
                }
                .find(entry.key())
                .unwrap(),
                entry
            ));
        }
    }
}

#[test]
fn the_document_is_whole_numbers_and_says_where_it_is_from() {
    let seed = ModelCatalog::seed();
    assert!(!DOCUMENT.contains("null"));
    assert!(seed.provenance().any(|source| source.source == "litellm"));
    assert!(seed.provenance().all(|source| source.sha256.len() == 64));
    assert!(seed.models().iter().all(|entry| !entry.source().is_empty()));
}
