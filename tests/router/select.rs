//! Choosing a model for one call.

use callboard::catalog::{Capability, CapabilitySet, DoesNotFit, LimitKind, Part, Unsatisfied};
use callboard::{Need, Registry, SelectError, SkipReason, Skipped, WorkloadRoute};

use super::{chat, day, sealed};

/// What a route over one model says of a need.
fn reason(model: &str, need: &Need) -> SkipReason {
    let registry = sealed([WorkloadRoute::new("a", model)]);
    let router = registry.model_router("a").expect("it is a route");
    let candidate = router.target_model("a").expect("it is a route");
    let error = router
        .select("a", need)
        .expect_err("the model can't serve it");
    let SelectError::NoCandidate {
        router,
        route,
        mut skipped,
    } = error.clone()
    else {
        panic!("{error}");
    };
    assert_eq!((&*router, &*route, skipped.len()), ("workload", "a", 1));
    let Skipped {
        model: skipped_model,
        reason,
        ..
    } = skipped.remove(0);
    assert_eq!(skipped_model, model);
    assert_eq!(candidate.check(need).err().as_ref(), Some(&reason));
    let text = error.to_string();
    assert!(text.contains(&format!("\n  `{model}`: {reason}")), "{text}");
    reason
}

/// The name of the model that is chosen, and those that are skipped.
fn chosen(registry: &Registry, need: &Need) -> (String, Vec<String>) {
    let router = registry.model_router("chat-v1").expect("it is a route");
    let choice = router
        .select("chat-v1", need)
        .expect("a model can serve it");
    (
        choice.candidate.name().to_owned(),
        choice
            .skipped
            .into_iter()
            .map(|skipped| skipped.model)
            .collect(),
    )
}

fn tokens(prompt: u64, output: u64) -> Need {
    Need::default().prompt_tokens(prompt).output_tokens(output)
}

#[test]
fn a_call_that_needs_nothing_goes_to_the_target() {
    let registry = sealed([chat()]);
    let router = registry.model_router("workload").expect("it is registered");
    let choice = router
        .select("chat-v1", &Need::default())
        .expect("nothing is asked");
    assert_eq!(choice.candidate.name(), "small");
    assert!(choice.skipped.is_empty());
    assert_eq!(choice.estimate, None, "no tokens are stated");
    let registry = sealed([WorkloadRoute::new("a", "bare")]);
    let router = registry.model_router("a").expect("it is a route");
    // A day alone asks for nothing: no deprecation is stated.
    let need = Need::default().on(day("2030-01-01"));
    let choice = router.select("a", &need).expect("nothing is asked");
    assert_eq!((choice.candidate.name(), choice.estimate), ("bare", None));
}

#[test]
fn a_prompt_that_fits_only_a_fallback_skips_the_target_with_the_reason() {
    let registry = sealed([chat()]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    let choice = router
        .select("chat-v1", &tokens(8_001, 1))
        .expect("a fallback has room");
    assert_eq!(choice.candidate.name(), "unpriced");
    assert_eq!(choice.estimate, None, "no price is stated");
    assert_eq!(choice.skipped.len(), 1);
    assert_eq!(choice.skipped[0].model, "small");
    assert_eq!(
        choice.skipped[0].reason,
        SkipReason::DoesNotFit(DoesNotFit {
            limit: LimitKind::Input,
            stated: Some(8_000),
            needed: 8_001,
        })
    );
    assert_eq!(
        chosen(&registry, &tokens(8_000, 4_000)),
        ("small".to_owned(), vec![])
    );
    // Every model before the chosen one is told, in order.
    assert_eq!(
        chosen(&registry, &tokens(60_000, 1)),
        (
            "large".to_owned(),
            vec!["small".to_owned(), "unpriced".to_owned()]
        )
    );
}

#[test]
fn where_no_model_can_each_says_why() {
    let registry = sealed([chat()]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    let error = router
        .select("chat-v1", &tokens(300_000, 1))
        .expect_err("none has room");
    let SelectError::NoCandidate { skipped, .. } = &error else {
        panic!("{error}");
    };
    let models: Vec<&str> = skipped.iter().map(|skipped| &*skipped.model).collect();
    assert_eq!(models, ["small", "unpriced", "large", "bare"]);
    assert_eq!(skipped[3].reason, SkipReason::NotDescribed);
    assert_eq!(error.to_string().lines().count(), 5, "{error}");
}

#[test]
fn a_model_of_which_nothing_is_known() {
    for need in [
        tokens(1, 0),
        tokens(0, 1),
        Need::default().capabilities([Capability::Vision]),
        tokens(1, 1).budget(u128::MAX),
    ] {
        assert_eq!(reason("bare", &need), SkipReason::NotDescribed);
    }
    assert!(
        SkipReason::NotDescribed
            .to_string()
            .contains("set_model_entry")
    );
}

#[test]
fn a_limit_that_is_too_small_or_not_stated() {
    let does_not_fit = |limit, stated, needed| {
        SkipReason::DoesNotFit(DoesNotFit {
            limit,
            stated,
            needed,
        })
    };
    assert_eq!(
        reason("small", &tokens(1, 4_001)),
        does_not_fit(LimitKind::Output, Some(4_000), 4_001)
    );
    assert_eq!(
        reason("large", &tokens(190_000, 10_001)),
        does_not_fit(LimitKind::Context, Some(200_000), 200_001)
    );
    assert_eq!(
        reason("silent", &tokens(1, 0)),
        does_not_fit(LimitKind::Input, None, 1)
    );
    let error = reason("large", &tokens(u64::MAX, u64::MAX));
    assert_eq!(
        error,
        does_not_fit(LimitKind::Output, Some(16_000), u64::MAX)
    );
}

#[test]
fn a_capability_that_is_denied_or_not_stated() {
    let unsatisfied = reason(
        "small",
        &Need::default().capabilities([
            Capability::ToolCalling,
            Capability::Vision,
            Capability::PdfInput,
        ]),
    );
    assert_eq!(
        unsatisfied,
        SkipReason::Unsatisfied(Unsatisfied {
            no: CapabilitySet::of(&[Capability::Vision]),
            not_stated: CapabilitySet::of(&[Capability::PdfInput]),
        })
    );
    for words in ["does not support vision", "not stated to support pdf_input"] {
        assert!(unsatisfied.to_string().contains(words), "{unsatisfied}");
    }
    let registry = sealed([chat()]);
    let need = Need::default().capabilities([Capability::JsonSchema]);
    assert_eq!(chosen(&registry, &need).0, "large");
}

#[test]
fn a_budget() {
    // 1,000 × 100 + 100 × 400 picodollars.
    let need = tokens(1_000, 100);
    let registry = sealed([chat()]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    let choice = router
        .select("chat-v1", &need.budget(140_000))
        .expect("exactly enough");
    assert_eq!(choice.candidate.name(), "small");
    assert_eq!(
        choice.estimate.map(|cost| cost.picodollars()),
        Some(140_000)
    );
    let over = reason("small", &need.budget(139_999));
    assert_eq!(
        over,
        SkipReason::OverBudget {
            cost: 140_000,
            budget: 139_999
        }
    );
    for words in ["$0.00000014", "$0.000000139999"] {
        assert!(over.to_string().contains(words), "{over}");
    }
    let unpriced = reason("unpriced", &need.budget(u128::MAX));
    let SkipReason::Unpriced(error) = &unpriced else {
        panic!("{unpriced}");
    };
    assert_eq!(error.parts.len(), 2);
    assert_eq!(error.parts[0].part, Part::Input);
    assert!(unpriced.to_string().contains("acme/unpriced"), "{unpriced}");
    // Without a budget a missing price is no obstacle.
    let registry = sealed([WorkloadRoute::new("a", "unpriced")]);
    let router = registry.model_router("a").expect("it is a route");
    let choice = router.select("a", &need).expect("there is no budget");
    assert_eq!(choice.estimate, None);
}

#[test]
fn a_budget_without_tokens_holds_for_no_model() {
    for (model, expected) in [
        ("small", SkipReason::NoTokens),
        ("unpriced", SkipReason::NoTokens),
        ("bare", SkipReason::NotDescribed),
    ] {
        for budget in [0, u128::MAX] {
            assert_eq!(reason(model, &Need::default().budget(budget)), expected);
        }
    }
    assert!(SkipReason::NoTokens.to_string().contains("`prompt_tokens`"));
}

#[test]
fn a_deprecation_holds_from_its_day_and_no_clock_is_read() {
    let registry = sealed([chat()]);
    for (on, model) in [
        (None, "small"),
        (Some("2026-12-01"), "small"),
        (Some("2027-12-30"), "small"),
        (Some("2027-12-31"), "unpriced"),
        (Some("9999-12-31"), "unpriced"),
    ] {
        let mut need = Need::default();
        need.on = on.map(day);
        assert_eq!(chosen(&registry, &need).0, model, "{on:?}");
    }
    let deprecated = reason("small", &Need::default().on(day("2028-01-01")));
    assert_eq!(
        deprecated,
        SkipReason::Deprecated {
            since: day("2027-12-31"),
            successor: Some("acme/large".to_owned()),
        }
    );
    assert!(
        deprecated.to_string().contains("move to `acme/large`"),
        "{deprecated}"
    );
    let deprecated = reason("silent", &Need::default().on(day("2027-01-01")));
    assert!(
        deprecated.to_string().contains("another model"),
        "{deprecated}"
    );
}

#[test]
fn the_day_picks_the_price_list() {
    let registry = sealed([chat()]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    for (on, picodollars) in [
        (None, 500),
        (Some("2027-05-31"), 500),
        (Some("2027-06-01"), 5_000),
    ] {
        let mut need = tokens(1, 1);
        need.on = on.map(day);
        let choice = router.select("chat-v1", &need).expect("it fits");
        let estimate = choice.estimate.expect("it is priced");
        assert_eq!(estimate.picodollars(), picodollars, "{on:?}");
    }
    let need = tokens(1, 1).budget(4_999).on(day("2027-06-01"));
    assert_eq!(
        reason("small", &need),
        SkipReason::OverBudget {
            cost: 5_000,
            budget: 4_999
        }
    );
}

#[test]
fn an_unknown_route_falls_through_to_nothing() {
    let registry = sealed([chat()]);
    let router = registry.model_router("workload").expect("it is registered");
    let error = router
        .select("chat-v2", &Need::default())
        .expect_err("no such route");
    let SelectError::UnknownRoute(unknown) = &error else {
        panic!("{error}");
    };
    assert_eq!(unknown.closest, ["chat-v1"]);
    assert_eq!(error.to_string(), unknown.to_string());
}
