//! What holds for every catalog, usage and text.

use callboard::catalog::{ModelCatalog, Part, ServiceTier, Usage};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::common::{good, priced};

/// A price list in which a tier is never cheaper than what is below it.
fn pricing() -> impl Strategy<Value = Value> {
    let prices = proptest::collection::vec(0..1_000_000_000_u64, Part::ALL.len());
    (prices, 1..500_000_u32, 1..5_u64).prop_map(|(prices, above, factor)| {
        let base: serde_json::Map<String, Value> = Part::ALL
            .iter()
            .zip(&prices)
            .map(|(part, price)| (part.name().to_owned(), json!(price)))
            .collect();
        let mut tier = base.clone();
        for price in tier.values_mut() {
            *price = json!(price.as_u64().unwrap() * factor);
        }
        tier.insert("above".to_owned(), json!(above));
        let mut pricing = base;
        pricing.insert("tiers".to_owned(), json!([tier]));
        Value::Object(pricing)
    })
}

fn usage() -> impl Strategy<Value = Usage> {
    proptest::collection::vec(0..1_000_000_u64, Part::ALL.len()).prop_map(|counts| {
        Part::ALL
            .iter()
            .zip(counts)
            .fold(Usage::new(), |usage, (part, count)| {
                usage.with(*part, count)
            })
    })
}

/// Any JSON, with the words of the document in it often enough to get past the first checks.
fn anything() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("models"),
        Just("provider"),
        Just("id"),
        Just("pricing"),
        Just("tiers"),
        Just("above"),
        Just("input"),
        Just("limits"),
        Just("aliases"),
        Just("dated"),
        Just("from"),
        Just("capabilities"),
        Just("vision"),
        Just("source"),
        Just("x"),
    ]
    .prop_map(str::to_owned);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 8, move |inner| {
        let key = prop_oneof![word.clone(), ".{0,8}"];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn cost_grows_with_each_count(
        pricing in pricing(), usage in usage(), part in 0..Part::ALL.len(), more in 0..1_000_000_u64,
    ) {
        let entry = priced(pricing);
        let part = Part::ALL[part];
        let larger = usage.with(part, usage.count(part) + more);
        let before = entry.cost(&usage).unwrap().picodollars();
        let after = entry.cost(&larger).unwrap().picodollars();
        prop_assert!(before <= after);
    }

    #[test]
    fn cost_is_the_sum_of_its_lines(pricing in pricing(), usage in usage()) {
        let cost = priced(pricing).cost(&usage).unwrap();
        let lines: u128 = cost.lines().map(|l| u128::from(l.tokens) * u128::from(l.price)).sum();
        prop_assert_eq!(cost.picodollars(), lines);
        let tokens: u64 = cost.lines().map(|line| line.tokens).sum();
        prop_assert_eq!(tokens, usage.prompt_tokens() + usage.output_tokens());
    }

    #[test]
    fn every_entry_prices_or_lists_every_part(
        at in any::<prop::sample::Index>(), usage in usage(), service in 0..ServiceTier::ALL.len(),
    ) {
        let entry = at.get(ModelCatalog::seed().models());
        let usage = usage.with_service(ServiceTier::ALL[service]);
        match entry.cost(&usage) {
            Ok(cost) => prop_assert_eq!(cost.lines().count(), usage.iter().count()),
            Err(unpriced) => {
                prop_assert!(!unpriced.parts.is_empty());
                for missing in unpriced.parts {
                    let alone = Usage::new()
                        .with(missing.part, missing.tokens)
                        .with_service(usage.service());
                    prop_assert!(entry.cost(&alone).is_err() || missing.part.is_prompt());
                }
            }
        }
    }

    #[test]
    fn no_text_panics(text in ".{0,200}") {
        let _ = ModelCatalog::from_json(&text);
    }

    #[test]
    fn no_document_panics(document in anything()) {
        let _ = ModelCatalog::from_json(&document.to_string());
        let mut in_place = good();
        in_place["models"] = json!([document.clone()]);
        let _ = ModelCatalog::from_json(&in_place.to_string());
        let mut priced = good();
        priced["models"][0]["pricing"] = document;
        let _ = ModelCatalog::from_json(&priced.to_string());
    }

    #[test]
    fn no_usage_panics(object in anything()) {
        let _ = Usage::from_openai_chat(&object);
        let _ = Usage::from_openai_responses(&object);
        let _ = Usage::from_openai_realtime(&object);
        let _ = Usage::from_anthropic(&object);
        let _ = Usage::from_gemini(&object);
    }

    #[test]
    fn no_key_panics(provider in ".{0,80}", id in ".{0,300}") {
        let seed = ModelCatalog::seed();
        prop_assert!(seed.get(&provider, &id).is_none());
        let _ = seed.get_by_model_id(&id);
    }

    #[test]
    fn a_cut_document_is_refused(cut in 1..1_000_usize) {
        let text = good().to_string();
        let mut end = text.len() - cut.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        prop_assert!(ModelCatalog::from_json(&text[..end]).is_err());
    }
}
