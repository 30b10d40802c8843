//! What a call costs, from hand-written price lists.

use callboard::catalog::{Date, ModelCatalog, Part, ServiceTier, Usage};
use serde_json::json;

use super::common::{good, load, priced};

fn cost(usage: &Usage) -> u128 {
    let catalog = load(&good());
    let entry = catalog.get("acme", "large").unwrap();
    entry.cost(usage).unwrap().picodollars()
}

#[test]
fn parts_without_a_price_are_all_listed() {
    let catalog = load(&good());
    let usage = Usage::new()
        .with(Part::Input, 10)
        .with(Part::AudioInput, 7)
        .with(Part::AudioOutput, 3);
    let error = catalog
        .get("acme", "large")
        .unwrap()
        .cost(&usage)
        .unwrap_err();
    let parts: Vec<_> = error.parts.iter().map(|p| (p.part, p.tokens)).collect();
    assert_eq!(parts, [(Part::AudioInput, 7), (Part::AudioOutput, 3)]);
    assert_eq!(
        error.to_string(),
        "acme/large: no standard price is stated for audio_input (7 tokens), audio_output \
         (3 tokens)"
    );
}

#[test]
fn a_stated_zero_is_a_price() {
    let usage = Usage::new().with(Part::ImageOutput, 1_000_000);
    assert_eq!(cost(&usage), 0);
}

#[test]
fn an_unpriced_model_costs_nothing_only_if_it_did_nothing() {
    let catalog = load(&good());
    let unpriced = catalog.get("other", "large").unwrap();
    assert_eq!(unpriced.cost(&Usage::new()).unwrap().picodollars(), 0);
    assert!(unpriced.estimate(1, 0).is_err());
}

#[test]
fn reasoning_costs_as_output_once() {
    let plain = Usage::new().with(Part::Output, 300);
    let split = Usage::new()
        .with(Part::Output, 100)
        .with(Part::Reasoning, 200);
    assert_eq!(cost(&plain), cost(&split));
    assert_eq!(cost(&split), 300 * 4_000);
}

#[test]
fn reasoning_with_its_own_price_costs_that() {
    let catalog = load(&good());
    let usage = Usage::new().with(Part::Reasoning, 5);
    let cost = catalog.get("acme", "small").unwrap().cost(&usage).unwrap();
    assert_eq!(cost.picodollars(), 5 * 30);
}

#[test]
fn cached_tokens_are_not_billed_again_as_input() {
    let usage = Usage::new()
        .with(Part::Input, 10)
        .with(Part::CacheRead, 1_000)
        .with(Part::CacheWrite5m, 100)
        .with(Part::CacheWrite1h, 50);
    assert_eq!(
        cost(&usage),
        10 * 1_000 + 1_000 * 100 + 100 * 1_250 + 50 * 2_000
    );
}

#[test]
fn images_and_video_cost_as_input_and_audio_is_not_guessed() {
    let usage = Usage::new()
        .with(Part::ImageInput, 3)
        .with(Part::VideoInput, 4);
    assert_eq!(cost(&usage), 7 * 1_000);
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    let audio = Usage::new()
        .with(Part::Input, 1)
        .with(Part::AudioInput, 2)
        .with(Part::CacheReadAudio, 3)
        .with(Part::AudioOutput, 4);
    assert!(large.cost(&audio).is_err());
    let folded = large.cost(&audio.with_audio_as_text()).unwrap();
    assert_eq!(folded.picodollars(), 3 * 1_000 + 3 * 100 + 4 * 4_000);
}

#[test]
fn a_service_has_its_own_list() {
    let usage = Usage::new().with(Part::Input, 10).with(Part::Output, 10);
    let batch = usage.with_service(ServiceTier::Batch);
    assert_eq!(cost(&batch), 10 * 500 + 10 * 2_000);
    let cached = batch.with(Part::CacheRead, 1);
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    let error = large.cost(&cached).unwrap_err();
    assert_eq!(error.service, ServiceTier::Batch);
    assert_eq!(error.parts.len(), 1);
    assert_eq!(error.parts[0].part, Part::CacheRead);
    assert!(large.cost(&usage.with_service(ServiceTier::Flex)).is_err());
}

#[test]
fn a_dated_list_holds_from_its_day() {
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    let usage = Usage::new().with(Part::Input, 10);
    let on = |year, month, day| {
        large
            .cost_on(&usage, Date::new(year, month, day).unwrap())
            .unwrap()
            .picodollars()
    };
    assert_eq!(on(2026, 12, 31), 10_000);
    assert_eq!(on(2027, 1, 1), 15_000);
    assert_eq!(on(2027, 5, 31), 15_000);
    assert_eq!(on(2027, 6, 1), 16_000);
    assert_eq!(large.cost(&usage).unwrap().picodollars(), 10_000);
    // What the new list doesn't state isn't taken from the old one.
    let output = Usage::new().with(Part::Output, 1);
    assert!(
        large
            .cost_on(&output, Date::new(2027, 6, 1).unwrap())
            .is_err()
    );
}

#[test]
fn a_real_dated_price_is_in_the_tables() {
    let flash = ModelCatalog::seed()
        .get("gemini", "gemini-3.8-flash")
        .unwrap();
    let usage = Usage::new().with(Part::Input, 1_000_000);
    let before = flash.cost_on(&usage, Date::new(2026, 12, 31).unwrap());
    let after = flash.cost_on(&usage, Date::new(2027, 1, 1).unwrap());
    assert_eq!(before.unwrap().to_string(), "$0.75");
    assert_eq!(after.unwrap().to_string(), "$1.50");
}

#[test]
fn nothing_overflows() {
    let dearest = 1_000_000_000_000_000_u64;
    let mut pricing = json!({});
    let mut usage = Usage::new();
    for part in Part::ALL {
        pricing[part.name()] = json!(dearest);
        usage = usage.with(*part, u64::MAX);
    }
    let cost = priced(pricing).cost(&usage).unwrap();
    let one = u128::from(u64::MAX) * u128::from(dearest);
    assert_eq!(cost.picodollars(), one * 12);
    assert_eq!(usage.prompt_tokens(), u64::MAX);
}

#[test]
fn amounts_are_shown_exactly_in_dollars() {
    for (price, tokens, shown) in [
        (0, 1, "$0.00"),
        (1, 1, "$0.000000000001"),
        (2_500_000, 1_000_000, "$2.50"),
        (2_500_000, 86, "$0.000215"),
        (1_000_000_000_000_u64, 12, "$12.00"),
        (1_234_567, 1_000_000, "$1.234567"),
    ] {
        let cost = priced(json!({"input": price})).estimate(tokens, 0).unwrap();
        assert_eq!(cost.to_string(), shown);
    }
}

#[test]
fn a_cost_has_a_line_for_each_part() {
    let usage = Usage::new().with(Part::Output, 2).with(Part::Input, 10);
    let catalog = load(&good());
    let cost = catalog.get("acme", "large").unwrap().cost(&usage).unwrap();
    let lines: Vec<String> = cost.lines().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "input: 10 tokens, $0.00000001",
            "output: 2 tokens, $0.000000008"
        ]
    );
}
