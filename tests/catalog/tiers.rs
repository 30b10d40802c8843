//! Prices that change with the size of the prompt.

use callboard::catalog::{ModelCatalog, Part, ServiceTier, Usage};

use super::common::{good, load};

/// Input and output prices below and above 200,000 prompt tokens, in picodollars, as the sources
/// have them.
const AT_200K: [(&str, [u64; 2], [u64; 2]); 3] = [
    (
        "gemini/gemini-2.5-pro",
        [1_250_000, 10_000_000],
        [2_500_000, 15_000_000],
    ),
    (
        "xai/grok-4.6",
        [2_000_000, 6_000_000],
        [4_000_000, 12_000_000],
    ),
    (
        "gemini/gemini-3.1-pro-preview",
        [2_000_000, 12_000_000],
        [4_000_000, 18_000_000],
    ),
];

#[test]
fn the_whole_call_moves_above_the_threshold() {
    for (key, below, above) in AT_200K {
        let entry = ModelCatalog::seed().find(key).unwrap();
        for (prompt, [input, output]) in [(199_999, below), (200_000, below), (200_001, above)] {
            let cost = entry.estimate(prompt, 1_000).unwrap();
            let expected = u128::from(prompt * input + 1_000 * output);
            assert_eq!(cost.picodollars(), expected, "{key} at {prompt}");
        }
    }
}

#[test]
fn cached_tokens_count_toward_the_prompt() {
    let entry = ModelCatalog::seed().find("gemini/gemini-2.5-pro").unwrap();
    let usage = |cached| {
        Usage::new()
            .with(Part::Input, 1_000)
            .with(Part::CacheRead, cached)
            .with(Part::Output, 10)
    };
    let below = entry.cost(&usage(199_000)).unwrap().picodollars();
    assert_eq!(
        below,
        1_000 * 1_250_000 + 199_000 * 125_000 + 10 * 10_000_000
    );
    let above = entry.cost(&usage(199_001)).unwrap().picodollars();
    assert_eq!(
        above,
        1_000 * 2_500_000 + 199_001 * 250_000 + 10 * 15_000_000
    );
}

#[test]
fn answers_do_not_count_toward_the_prompt() {
    let entry = ModelCatalog::seed().find("gemini/gemini-2.5-pro").unwrap();
    let cost = entry.estimate(200_000, 65_536).unwrap().picodollars();
    assert_eq!(cost, 200_000 * 1_250_000 + 65_536 * 10_000_000);
}

#[test]
fn a_service_has_tiers_of_its_own() {
    let entry = ModelCatalog::seed().find("gemini/gemini-2.5-pro").unwrap();
    let usage = Usage::new()
        .with(Part::Input, 200_001)
        .with(Part::Output, 1)
        .with_service(ServiceTier::Priority);
    let cost = entry.cost(&usage).unwrap().picodollars();
    assert_eq!(cost, 200_001 * 4_500_000 + 27_000_000);
}

#[test]
fn what_a_tier_does_not_state_continues() {
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    let usage = Usage::new()
        .with(Part::Input, 50_000)
        .with(Part::CacheRead, 1)
        .with(Part::Reasoning, 3);
    // Cache reads keep their price; reasoning follows the tier's output.
    let cost = large.cost(&usage).unwrap().picodollars();
    assert_eq!(cost, 50_000 * 2_000 + 100 + 3 * 6_000);
    let priority = usage
        .with(Part::CacheRead, 0)
        .with(Part::ImageInput, 1)
        .with_service(ServiceTier::Priority);
    let cost = large.cost(&priority).unwrap().picodollars();
    assert_eq!(cost, 50_001 * 5_000 + 3 * 9_000);
}
