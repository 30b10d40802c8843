//! Days, and deprecation.

use callboard::catalog::{Date, ModelCatalog, ModelEntry};

use super::common::{good, load};

#[test]
fn dates_that_are_not_are_refused() {
    for text in [
        "",
        "2026",
        "2026-1-1",
        "2026-13-01",
        "2026-00-01",
        "2026-02-29",
        "2100-02-29",
        "2026-04-31",
        "2026-01-00",
        "0000-01-01",
        "2026/01/01",
        "2026-01-01 ",
        "２026-01-01",
        "+026-01-01",
        "2026-01-0x",
    ] {
        assert!(text.parse::<Date>().is_err(), "{text}");
    }
    for text in ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
        assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
    }
}

#[test]
fn dates_are_ordered() {
    let day = |text: &str| text.parse::<Date>().unwrap();
    assert!(day("2026-12-31") < day("2027-01-01"));
    assert!(day("2026-01-31") < day("2026-02-01"));
    assert!(day("2026-02-01").is_on_or_after(day("2026-02-01")));
    assert!(!day("2026-01-31").is_on_or_after(day("2026-02-01")));
}

#[test]
fn a_model_is_deprecated_from_its_day_on() {
    let catalog = load(&good());
    let large = catalog.get("acme", "large").unwrap();
    assert!(!large.deprecated_on(Date::new(2027, 12, 30).unwrap()));
    assert!(large.deprecated_on(Date::new(2027, 12, 31).unwrap()));
    assert!(large.deprecated_on(Date::new(2028, 1, 1).unwrap()));
    let small = catalog.get("acme", "small").unwrap();
    assert!(!small.deprecated_on(Date::new(9999, 12, 31).unwrap()));
}

#[test]
fn deprecation_can_be_asked_in_a_constant() {
    const ENTRY: &ModelEntry = callboard::catalog::find("openai/gpt-4o").unwrap();
    const RELEASE: Date = Date::new(2026, 12, 1).unwrap();
    const _: () = assert!(!ENTRY.deprecated_on(RELEASE));
    assert_eq!(ENTRY.deprecation_date(), Date::new(2027, 1, 14));
    assert_eq!(ENTRY.successor(), Some("openai/gpt-6-luna"));
    assert!(ModelCatalog::seed().find("openai/gpt-6-luna").is_some());
}
