//! Keys, aliases, and model ids of several providers.

use callboard::catalog::{ModelCatalog, ModelIdMatch, find};

use super::common::{good, load};

#[test]
fn an_alias_is_in_the_key_space() {
    let catalog = load(&good());
    for id in ["large", "large-latest", "big"] {
        assert_eq!(catalog.get("acme", id).unwrap().key(), "acme/large");
    }
    assert!(catalog.get("other", "big").is_none());
    assert!(catalog.find("acme/").is_none());
    assert!(catalog.find("").is_none());
    assert!(catalog.get("", "").is_none());
    assert!(catalog.get(&"a".repeat(1_000), "x").is_none());
    assert!(catalog.get("acme", &"é".repeat(1_000)).is_none());
}

#[test]
fn an_id_of_two_providers_is_ambiguous() {
    let catalog = load(&good());
    let ModelIdMatch::Ambiguous(candidates) = catalog.get_by_model_id("large") else {
        panic!("two providers have it");
    };
    let keys: Vec<_> = candidates.iter().map(|entry| entry.key()).collect();
    assert_eq!(keys, ["acme/large", "other/large"]);
    assert!(catalog.get_by_model_id("large").one().is_none());
    assert_eq!(
        catalog.get_by_model_id("big").one().unwrap().key(),
        "acme/large"
    );
    assert!(matches!(
        catalog.get_by_model_id("huge"),
        ModelIdMatch::None
    ));
}

#[test]
fn every_name_of_the_tables_is_found() {
    let seed = ModelCatalog::seed();
    for entry in seed.models() {
        assert!(std::ptr::eq(find(entry.key()).unwrap(), entry));
        assert!(std::ptr::eq(
            seed.get(entry.provider(), entry.id()).unwrap(),
            entry
        ));
        for id in entry.aliases().chain([entry.id()]) {
            assert!(std::ptr::eq(seed.get(entry.provider(), id).unwrap(), entry));
            let found = match seed.get_by_model_id(id) {
                ModelIdMatch::None => false,
                ModelIdMatch::One(one) => std::ptr::eq(one, entry),
                ModelIdMatch::Ambiguous(candidates) => {
                    assert!(candidates.iter().count() > 1);
                    candidates.iter().any(|one| std::ptr::eq(one, entry))
                }
            };
            assert!(found, "{id}");
        }
        assert!(find(&format!("{}~", entry.key())).is_none());
    }
}

#[test]
fn the_tables_are_sorted_and_keys_are_unique() {
    let models = ModelCatalog::seed().models();
    assert!(models.is_sorted_by(|a, b| a.key() < b.key()));
}

#[test]
fn providers_keep_their_own_models() {
    let seed = ModelCatalog::seed();
    assert_eq!(seed.find("azure/gpt-4o").unwrap().provider(), "azure");
    assert_eq!(seed.find("openai/gpt-4o").unwrap().provider(), "openai");
    assert!(matches!(
        seed.get_by_model_id("gpt-4o"),
        ModelIdMatch::Ambiguous(_)
    ));
    let latest = seed.find("anthropic/claude-opus-latest").unwrap();
    assert_eq!(latest.key(), "anthropic/claude-opus-5-5");
}
