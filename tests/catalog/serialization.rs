//! Public types as JSON.

use callboard::catalog::{Capability, CapabilitySet, Date, Part, ServiceTier, Usage};
use serde_json::json;

use super::common::{good, load};

#[test]
fn words_dates_and_sets() {
    assert_eq!(
        serde_json::to_value(Part::CacheWrite5m).unwrap(),
        "cache_write_5m"
    );
    assert_eq!(
        serde_json::from_value::<ServiceTier>(json!("flex")).unwrap(),
        ServiceTier::Flex
    );
    let error = serde_json::from_value::<ServiceTier>(json!("fast")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("standard, batch, flex, priority")
    );
    let day = Date::new(2027, 1, 31).unwrap();
    assert_eq!(serde_json::to_value(day).unwrap(), "2027-01-31");
    assert_eq!(
        serde_json::from_value::<Date>(json!("2027-01-31")).unwrap(),
        day
    );
    assert!(serde_json::from_value::<Date>(json!("2027-02-31")).is_err());
    let set = CapabilitySet::of(&[Capability::Vision, Capability::Streaming]);
    assert_eq!(
        serde_json::to_value(set).unwrap(),
        json!(["streaming", "vision"])
    );
    assert_eq!(
        serde_json::from_value::<CapabilitySet>(json!(["vision", "streaming"])).unwrap(),
        set
    );
}

#[test]
fn usage_and_cost() {
    let usage = Usage::new()
        .with(Part::Input, 10)
        .with(Part::CacheRead, u64::MAX)
        .with_service(ServiceTier::Standard);
    let value = serde_json::to_value(usage).unwrap();
    assert_eq!(
        value,
        json!({"service": "standard", "input": 10, "cache_read": u64::MAX})
    );
    assert_eq!(serde_json::from_value::<Usage>(value).unwrap(), usage);
    assert!(serde_json::from_value::<Usage>(json!({"inputs": 1})).is_err());
    let catalog = load(&good());
    let cost = catalog
        .get("acme", "large")
        .unwrap()
        .estimate(10, 2)
        .unwrap();
    assert_eq!(
        serde_json::to_value(cost).unwrap(),
        json!({
            "picodollars": 18_000, "dollars": "0.000000018",
            "lines": [
                {"part": "input", "tokens": 10, "price": 1_000},
                {"part": "output", "tokens": 2, "price": 4_000},
            ],
        })
    );
}

#[test]
fn an_entry_is_what_the_document_says() {
    let document = good();
    let catalog = load(&document);
    for (entry, written) in catalog
        .models()
        .iter()
        .zip(document["models"].as_array().unwrap())
    {
        let mut written = written.clone();
        if let Some(aliases) = written["aliases"].as_array_mut() {
            aliases.sort_by_key(ToString::to_string);
        } else if let Some(fields) = written.as_object_mut() {
            fields.remove("aliases");
        }
        assert_eq!(serde_json::to_value(entry).unwrap(), written);
    }
}
