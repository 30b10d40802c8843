//! What holds for every route, catalog and need.

use std::sync::Arc;

use callboard::catalog::{
    Capabilities, Capability, CapabilitySet, CatalogSnapshot, Date, Limits, Mode, ModelCatalog,
    ModelRecord, Part, Prices, Provenance, Rate, ServiceTier, Support,
};
use callboard::{
    CapabilityRegistry, Need, Registry, RouterDefinition, SelectError, SkipReason, WorkloadRoute,
};
use proptest::option;
use proptest::prelude::*;

use super::Client;

const NAMES: [&str; 5] = ["m0", "m1", "m2", "m3", "m4"];
const ABLE: [Capability; 3] = [
    Capability::Vision,
    Capability::ToolCalling,
    Capability::Reasoning,
];

fn date() -> impl Strategy<Value = Date> {
    (2027..2029_u16, 1..4_u8)
        .prop_map(|(year, month)| Date::new(year, month, 1).expect("a first of the month is a day"))
}

/// Limits around those that needs come near to.
fn limits() -> impl Strategy<Value = Limits> {
    let limit = || option::of(1..50_u32);
    (option::of(50..100_u32), limit(), limit()).prop_map(|(context, input, output)| Limits {
        context,
        input,
        output,
    })
}

fn capabilities() -> impl Strategy<Value = Capabilities> {
    let said = prop_oneof![
        3 => Just(Support::Yes),
        1 => Just(Support::No),
        1 => Just(Support::NotStated)
    ];
    proptest::collection::vec(said, ABLE.len()).prop_map(|said| {
        ABLE.into_iter()
            .zip(said)
            .fold(Capabilities::NOT_STATED, |all, (one, said)| {
                all.with(one, said)
            })
    })
}

fn record(name: &'static str) -> impl Strategy<Value = ModelRecord> {
    let prices = (option::of(0..10_u64), option::of(0..10_u64));
    (limits(), capabilities(), prices, option::of(date())).prop_map(
        move |(limits, capabilities, (input, output), deprecation_date)| {
            let prices = Prices::NOT_STATED
                .with(Part::Input, input)
                .with(Part::Output, output);
            ModelRecord {
                provider: "acme".to_owned(),
                id: name.to_owned(),
                aliases: Vec::new(),
                mode: Mode::Chat,
                limits,
                rates: (!prices.is_empty())
                    .then_some(Rate {
                        from: None,
                        service: ServiceTier::Standard,
                        above: 0,
                        prices,
                    })
                    .into_iter()
                    .collect(),
                capabilities,
                deprecation_date,
                successor: None,
                source: "sheet".to_owned(),
            }
        },
    )
}

/// Some models with facts and some without, in any order.
fn models() -> impl Strategy<Value = Vec<(&'static str, Option<ModelRecord>)>> {
    let models: Vec<_> = NAMES
        .into_iter()
        .map(|name| (Just(name), option::weighted(0.85, record(name))))
        .collect();
    (models.prop_shuffle(), 1..=NAMES.len()).prop_map(|(mut models, count)| {
        models.truncate(count);
        models
    })
}

/// None at all often enough.
fn tokens() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(0), 3 => 0..60_u64]
}

fn need() -> impl Strategy<Value = Need> {
    let capabilities = proptest::sample::subsequence(ABLE.to_vec(), 0..=2);
    (
        tokens(),
        tokens(),
        capabilities,
        option::of(0..600_u128),
        option::of(date()),
    )
        .prop_map(|(prompt, output, capabilities, budget, on)| {
            let mut need = Need::default()
                .prompt_tokens(prompt)
                .output_tokens(output)
                .capabilities(capabilities);
            need.budget = budget;
            need.on = on;
            need
        })
}

fn registry(models: &[(&'static str, Option<ModelRecord>)]) -> Registry {
    let mut snapshot = CatalogSnapshot::empty();
    snapshot.provenance.push(Provenance {
        source: "sheet".to_owned(),
        version: "1".to_owned(),
        sha256: "0".repeat(64),
        date: Date::new(2026, 11, 30).expect("a day"),
        license: "CC0-1.0".to_owned(),
        note: None,
    });
    snapshot.models = models
        .iter()
        .filter_map(|(_, record)| record.clone())
        .collect();
    let catalog = ModelCatalog::from_snapshot(&snapshot).expect("a good catalog");
    let mut reg = CapabilityRegistry::new();
    for (name, _) in models {
        reg.register_model(*name, Arc::new(Client(name)))
            .expect("the name is free");
        if let Some(entry) = catalog.get("acme", name) {
            reg.set_model_entry(name, entry.clone())
                .expect("it was just registered");
        }
    }
    let mut names = models.iter().map(|(name, _)| *name);
    let route = WorkloadRoute::new("a", names.next().expect("one at least"));
    let route = names.fold(route, WorkloadRoute::fallback);
    reg.register_model_router(RouterDefinition::new("r").route(route))
        .expect("it is well-formed");
    reg.seal().expect("nothing is required")
}

/// What the records themselves say, without the catalog's own arithmetic.
fn can_serve(record: Option<&ModelRecord>, need: &Need) -> bool {
    let Some(record) = record else {
        return need.prompt_tokens == 0
            && need.output_tokens == 0
            && need.capabilities == CapabilitySet::EMPTY
            && need.budget.is_none();
    };
    let Limits {
        context,
        input,
        output,
    } = record.limits;
    let within = |tokens: u64, limit: Option<u32>| match limit.or(context) {
        Some(limit) => tokens <= u64::from(limit),
        None => tokens == 0,
    };
    let fits = within(need.prompt_tokens, input)
        && within(need.output_tokens, output)
        && context.is_none_or(|limit| need.prompt_tokens + need.output_tokens <= u64::from(limit));
    let able = need
        .capabilities
        .iter()
        .all(|one| record.capabilities.get(one) == Support::Yes);
    let current = match (need.on, record.deprecation_date) {
        (Some(on), Some(since)) => on < since,
        _ => true,
    };
    let prices = record
        .rates
        .first()
        .map_or(Prices::NOT_STATED, |rate| rate.prices);
    let price = |tokens: u64, part| match tokens {
        0 => Some(0),
        _ => prices.get(part).map(|price| u128::from(price * tokens)),
    };
    let affordable = need.budget.is_none_or(|budget| {
        price(need.prompt_tokens, Part::Input)
            .zip(price(need.output_tokens, Part::Output))
            .is_some_and(|(input, output)| input + output <= budget)
    });
    let stated = need.budget.is_none() || need.prompt_tokens + need.output_tokens > 0;
    fits && able && current && affordable && stated
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_chosen_model_is_the_first_that_can_serve(models in models(), need in need()) {
        let registry = registry(&models);
        let router = registry.model_router("r").expect("it is registered");
        let policy: Vec<&str> = router
            .fallback_policy("a")
            .expect("it is a route")
            .iter()
            .map(|candidate| candidate.name())
            .collect();
        prop_assert_eq!(&policy, &models.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        let (considered, chosen, skipped) = match router.select("a", &need) {
            Ok(choice) => {
                let name = choice.candidate.name();
                let mut considered: Vec<String> =
                    choice.skipped.iter().map(|skipped| skipped.model.clone()).collect();
                considered.push(name.to_owned());
                (considered, Some(name), choice.skipped)
            }
            Err(SelectError::NoCandidate { skipped, .. }) => {
                let considered: Vec<String> =
                    skipped.iter().map(|skipped| skipped.model.clone()).collect();
                prop_assert_eq!(considered.len(), models.len());
                (considered, None, skipped)
            }
            Err(other) => panic!("{other}"),
        };
        prop_assert_eq!(&considered[..], &policy[..considered.len()]);
        for (name, record) in &models[..considered.len()] {
            let can = can_serve(record.as_ref(), &need);
            prop_assert_eq!(can, chosen == Some(*name), "{} {:?}", name, record);
        }
        for skipped in &skipped {
            prop_assert!(!skipped.to_string().is_empty());
            if need.budget.is_none() {
                let about_money = matches!(
                    skipped.reason,
                    SkipReason::OverBudget { .. } | SkipReason::Unpriced(_) | SkipReason::NoTokens
                );
                prop_assert!(!about_money);
            }
        }
    }

    #[test]
    fn a_definition_is_the_same_after_json(
        requires in proptest::sample::subsequence(Capability::ALL.to_vec(), 0..=4),
        min_context in option::of(any::<u64>()),
        fallbacks in proptest::collection::vec("[a-zA-Z0-9_.-]{1,64}", 0..4),
        description in ".{0,40}",
    ) {
        let mut route = WorkloadRoute::new("a", "m").description(description).requires(requires);
        route.min_context = min_context;
        route.fallbacks = fallbacks;
        let definition = RouterDefinition::new("r").route(route);
        let text = serde_json::to_string(&definition).expect("it is JSON");
        prop_assert_eq!(RouterDefinition::from_json(&text), Ok(definition));
    }

    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,200}") {
        let _ = RouterDefinition::from_json(&text);
    }
}
