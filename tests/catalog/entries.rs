//! Limits and capabilities.

use callboard::catalog::{Capability, CapabilitySet, LimitKind, ModelEntry, Support, find};

use super::common::{good, load};

const GPT_4O: &ModelEntry = match find("openai/gpt-4o") {
    Some(entry) => entry,
    None => panic!("openai/gpt-4o is not in the catalog"),
};

// What a gate asks, asked while this test compiles.
const _: () = {
    assert!(GPT_4O.capability(Capability::ToolCalling).is_yes());
    assert!(matches!(
        GPT_4O.capability(Capability::ComputerUse),
        Support::NotStated
    ));
    assert!(matches!(GPT_4O.prompt_limit(), Some(128_000)));
    assert!(GPT_4O.fits(128_000, 16_384).is_ok());
    assert!(GPT_4O.fits(128_001, 1).is_err());
    assert!(
        GPT_4O
            .satisfies(&CapabilitySet::of(&[Capability::Vision]))
            .is_ok()
    );
    assert!(find("openai/gpt-0").is_none());
};

#[test]
fn a_call_is_held_against_each_stated_limit() {
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    assert!(large.fits(80_000, 20_000).is_ok());
    for (prompt, output, limit, stated, needed) in [
        (90_001, 0, LimitKind::Input, 90_000, 90_001),
        (1, 20_001, LimitKind::Output, 20_000, 20_001),
        (90_000, 10_001, LimitKind::Context, 100_000, 100_001),
        (u64::MAX, u64::MAX, LimitKind::Input, 90_000, u64::MAX),
    ] {
        let error = large.fits(prompt, output).unwrap_err();
        assert_eq!(error.limit, limit);
        assert_eq!(error.stated, Some(stated));
        assert_eq!(error.needed, needed);
    }
    assert_eq!(
        large.fits(90_001, 0).unwrap_err().to_string(),
        "needs 90001 tokens of input; the limit is 90000"
    );
}

#[test]
fn an_output_limit_may_be_above_the_input_limit() {
    let catalog = load(&good());
    let small = catalog.get("acme", "small").unwrap();
    assert!(small.fits(8_000, 16_000).is_ok());
}

#[test]
fn what_no_limit_bounds_does_not_fit() {
    let catalog = load(&good());
    let bounded = catalog.get("other", "large").unwrap();
    assert!(bounded.fits(4_000, 96).is_ok());
    assert!(bounded.fits(4_000, 97).is_err());
    let mut document = good();
    document["models"][2]["limits"] = serde_json::json!({"input": 10});
    let catalog = load(&document);
    let unbounded = catalog.get("other", "large").unwrap();
    assert!(unbounded.fits(10, 0).is_ok());
    let error = unbounded.fits(10, 1).unwrap_err();
    assert_eq!((error.limit, error.stated), (LimitKind::Output, None));
}

#[test]
fn what_is_missing_is_told_with_what_is_said_of_it() {
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    assert_eq!(large.satisfies(&CapabilitySet::EMPTY), Ok(()));
    let needed = CapabilitySet::of(&[
        Capability::Vision,
        Capability::AudioInput,
        Capability::JsonSchema,
    ]);
    let error = large.satisfies(&needed).unwrap_err();
    assert_eq!(error.no, CapabilitySet::of(&[Capability::AudioInput]));
    assert_eq!(
        error.not_stated,
        CapabilitySet::of(&[Capability::JsonSchema])
    );
    assert_eq!(
        error.to_string(),
        "does not support audio_input; not stated to support json_schema"
    );
}

#[test]
fn names_are_given_without_the_provider() {
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    assert_eq!(large.key(), "acme/large");
    assert_eq!((large.provider(), large.id()), ("acme", "large"));
    assert_eq!(large.aliases().collect::<Vec<_>>(), ["big", "large-latest"]);
    assert_eq!(large.successor(), Some("acme/larger"));
    assert_eq!(large.source(), "sheet");
    let small = catalog.get("acme", "small").unwrap();
    assert_eq!(small.aliases().count(), 0);
    assert_eq!(small.successor(), None);
}
