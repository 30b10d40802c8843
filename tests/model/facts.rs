use callboard::catalog::{Capability, LimitKind, Part, Support, Usage};
use callboard::{Model, ModelDescriptor};

use super::{Claude, House, NextHouse, PickyModel};

#[cfg(feature = "catalog")]
#[test]
fn the_facts_of_a_catalogued_model_are_those_of_the_catalog() {
    const ENTRY: &callboard::catalog::ModelEntry = super::Gpt4o::ENTRY;
    let listed = callboard::catalog::ModelCatalog::seed()
        .get("openai", "gpt-4o")
        .unwrap();
    assert_eq!(ENTRY, listed);
    assert!(!ENTRY.is_declared());
}

#[test]
fn a_model_is_called_by_its_id_unless_it_has_a_name() {
    let names = [
        House::DESCRIPTOR,
        NextHouse::DESCRIPTOR,
        Claude::DESCRIPTOR,
        PickyModel::DESCRIPTOR,
    ]
    .map(ModelDescriptor::name);
    assert_eq!(
        names,
        ["house-large", "next_house", "claude-sonnet-4-5", "picky"]
    );
}

#[test]
fn a_model_outside_the_catalog_states_its_own_facts() {
    let entry = House::ENTRY;
    assert!(entry.is_declared());
    assert_eq!(
        (entry.key(), entry.provider(), entry.id()),
        ("acme/house-large", "acme", "house-large")
    );
    assert_eq!(entry.source(), file!().replace("facts.rs", "main.rs"));
    assert_eq!(entry.context_limit(), Some(32_000));
    assert_eq!(entry.prompt_limit(), Some(32_000));
    assert_eq!(entry.output_limit(), Some(4_096));
    assert_eq!(entry.capability(Capability::JsonSchema), Support::Yes);
    assert_eq!(entry.capability(Capability::Vision), Support::NotStated);
    assert_eq!(entry.deprecation_date(), None);
    assert_eq!(entry.successor(), None);
    assert_eq!(entry.aliases().count(), 0);
    let too_long = entry.fits(30_000, 4_000).unwrap_err();
    assert_eq!(too_long.limit, LimitKind::Context);
}

#[test]
fn a_model_outside_the_catalog_is_priced_by_what_it_states() {
    let usage = Usage::new().with(Part::Input, 10).with(Part::Output, 3);
    let cost = House::ENTRY.cost(&usage).unwrap();
    assert_eq!(cost.picodollars(), 10 * 150_000 + 3 * 600_000);
    let cached = usage.with(Part::CacheRead, 1);
    let unpriced = House::ENTRY.cost(&cached).unwrap_err();
    assert_eq!(unpriced.parts.len(), 1);
    assert!(NextHouse::ENTRY.cost(&usage).is_err());
    assert_eq!(NextHouse::ENTRY.rates().count(), 0);
    assert_eq!(House::ENTRY.rates().count(), 1);
}
