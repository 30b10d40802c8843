//! Documents that are refused, each by name.

use callboard::catalog::{CatalogFaults, CatalogSnapshot, ModelCatalog};
use serde_json::{Value, json};

use super::common::{good, load};

/// Changes one place of the good catalog. A path is a JSON pointer; `null` takes the place away.
fn changed(path: &str, value: &Value) -> Value {
    let mut document = good();
    let (parent, name) = path.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(fields) if value.is_null() => {
            fields.remove(name).unwrap();
        }
        Value::Object(fields) => {
            fields.insert(name.to_owned(), value.clone());
        }
        Value::Array(list) => list[name.parse::<usize>().unwrap()] = value.clone(),
        other => panic!("{other}"),
    }
    document
}

fn faults(document: &Value) -> CatalogFaults {
    ModelCatalog::from_json(&document.to_string()).expect_err("a fault")
}

#[test]
fn the_good_catalog_is_good() {
    load(&good());
}

#[test]
fn every_mutation_is_refused_with_its_entry_and_field() {
    let large = "/models/0";
    let long = "x".repeat(600);
    let many: Vec<String> = (0..65).map(|i| format!("a{i}")).collect();
    let cases: Vec<(String, Value, &str)> = vec![
        // The document.
        ("/schema_version".into(), json!(2), "schema_version: is 2"),
        (
            "/schema_version".into(),
            json!("1"),
            "schema_version: must be a whole number",
        ),
        (
            "/schema_version".into(),
            json!(null),
            "schema_version: is missing",
        ),
        (
            "/snapshot_id".into(),
            json!("sha256:xyz"),
            "snapshot_id: must be",
        ),
        (
            "/snapshot_id".into(),
            json!(null),
            "snapshot_id: is missing",
        ),
        ("/models".into(), json!(null), "models: is missing"),
        ("/models".into(), json!({}), "models: must be a list"),
        ("/extra".into(), json!(1), "extra: is not a field"),
        (
            "/provenance".into(),
            json!([]),
            "provenance: must name at least one",
        ),
        (
            "/provenance/0/sha256".into(),
            json!("00"),
            "provenance[0].sha256: must be 64",
        ),
        (
            "/provenance/0/date".into(),
            json!("2026-11-31"),
            "provenance[0].date: `2026-11-31`",
        ),
        (
            "/provenance/0/source".into(),
            json!(null),
            "provenance[0].source: is missing",
        ),
        // Names.
        (
            "/models/0".into(),
            json!(7),
            "models[0]: entry: must be an object, not a whole number",
        ),
        (
            format!("{large}/provider"),
            json!(null),
            "models[0]: provider: is missing",
        ),
        (
            format!("{large}/provider"),
            json!("Acme"),
            "models[0]: provider: must be made of",
        ),
        (
            format!("{large}/id"),
            json!(null),
            "models[0]: id: is missing",
        ),
        (format!("{large}/id"), json!(""), "models[0]: id: is empty"),
        (
            format!("{large}/id"),
            json!("a b"),
            "models[0]: id: must be 1 to 256 visible",
        ),
        (
            format!("{large}/id"),
            json!("small"),
            "acme/small: id: is the key of models[0] and of models[1]",
        ),
        (
            format!("{large}/aliases/0"),
            json!("small"),
            "acme/large: aliases[0]: `acme/small` is the key of another entry",
        ),
        (
            format!("{large}/aliases/0"),
            json!("large"),
            "acme/large: aliases[0]: is the entry's own id",
        ),
        (
            format!("{large}/aliases/0"),
            json!("big"),
            "acme/large: aliases[1]: `big` is listed twice",
        ),
        (
            format!("{large}/aliases/1"),
            json!(3),
            "acme/large: aliases[1]: must be a text",
        ),
        (
            format!("{large}/aliases"),
            json!(many),
            "acme/large: aliases: has 65",
        ),
        (
            "/models/1/aliases".into(),
            json!(["big"]),
            "acme/small: aliases[0]: `acme/big` is an alias of `acme/large` too",
        ),
        // Facts.
        (
            format!("{large}/mode"),
            json!("painting"),
            "acme/large: mode: `painting` is not one of: chat",
        ),
        (
            format!("{large}/mode"),
            json!(null),
            "acme/large: mode: is missing",
        ),
        (
            format!("{large}/color"),
            json!("red"),
            "acme/large: color: is not a field",
        ),
        (
            format!("{large}/limits/output"),
            json!(100_001),
            "acme/large: limits.output: 100001 is above the context limit of 100000",
        ),
        (
            format!("{large}/limits/input"),
            json!(100_001),
            "acme/large: limits.input: 100001 is above the context limit",
        ),
        (
            format!("{large}/limits/input"),
            json!(0),
            "acme/large: limits.input: must be at least 1",
        ),
        (
            format!("{large}/limits/input"),
            json!(1.5),
            "acme/large: limits.input: must be a whole number of tokens",
        ),
        (
            format!("{large}/limits/input"),
            json!(u64::MAX),
            "acme/large: limits.input: is more than",
        ),
        (
            format!("{large}/limits/window"),
            json!(5),
            "acme/large: limits.window: is not a field",
        ),
        (
            format!("{large}/limits"),
            json!([]),
            "acme/large: limits: must be an object",
        ),
        (
            format!("{large}/capabilities/vision"),
            json!("yes"),
            "acme/large: capabilities.vision: must be true or false",
        ),
        (
            format!("{large}/capabilities/telepathy"),
            json!(true),
            "acme/large: capabilities.telepathy: `telepathy` is not one of",
        ),
        (
            format!("{large}/deprecation_date"),
            json!("2027-02-30"),
            "acme/large: deprecation_date: `2027-02-30` is not a date",
        ),
        (
            format!("{large}/deprecation_date"),
            json!(20_270_230),
            "acme/large: deprecation_date: must be a text",
        ),
        (
            format!("{large}/successor"),
            json!("larger"),
            "acme/large: successor: must be `provider/model-id`",
        ),
        (
            format!("{large}/successor"),
            json!("acme/large"),
            "acme/large: successor: is the entry itself",
        ),
        (
            format!("{large}/source"),
            json!(null),
            "acme/large: source: is missing",
        ),
        (
            format!("{large}/source"),
            json!(""),
            "acme/large: source: is empty",
        ),
        (
            format!("{large}/source"),
            json!("a friend"),
            "acme/large: source: must be a web address or the name",
        ),
        (
            format!("{large}/source"),
            json!(long),
            "acme/large: source: is longer than 512 bytes",
        ),
        // Prices.
        (
            format!("{large}/pricing"),
            json!({}),
            "acme/large: pricing: states no price",
        ),
        (
            format!("{large}/pricing"),
            json!(5),
            "acme/large: pricing: must be an object",
        ),
        (
            format!("{large}/pricing/input"),
            json!(-1),
            "acme/large: pricing.input: must not be negative",
        ),
        (
            format!("{large}/pricing/input"),
            json!(2.5e-6),
            "acme/large: pricing.input: must be a whole number of picodollars, not a number with a fraction",
        ),
        (
            format!("{large}/pricing/input"),
            json!("2.5"),
            "acme/large: pricing.input: must be a whole number of picodollars, not a text",
        ),
        (
            format!("{large}/pricing/input"),
            json!(1_000_000_000_000_001_u64),
            "acme/large: pricing.input: is more than 1000000000000000 picodollars",
        ),
        (
            format!("{large}/pricing/inputs"),
            json!(1),
            "acme/large: pricing.inputs: is not a field",
        ),
        (
            format!("{large}/pricing/tiers"),
            json!({}),
            "acme/large: pricing.tiers: must be a list",
        ),
        (
            format!("{large}/pricing/tiers/0/above"),
            json!(null),
            "acme/large: pricing.tiers[0].above: is missing",
        ),
        (
            format!("{large}/pricing/tiers/0/above"),
            json!(0),
            "acme/large: pricing.tiers[0].above: must be at least 1",
        ),
        (
            format!("{large}/pricing/tiers/0/input"),
            json!(-3),
            "acme/large: pricing.tiers[0].input: must not be negative",
        ),
        (
            format!("{large}/pricing/tiers/0"),
            json!({"above": 9}),
            "acme/large: pricing.tiers[0]: states no price",
        ),
        (
            format!("{large}/pricing/tiers"),
            json!([{"above": 9, "input": 1}, {"above": 9, "input": 2}]),
            "acme/large: pricing.tiers[1].above: must be more than in the tier before it",
        ),
        (
            format!("{large}/pricing/batch/input"),
            json!(false),
            "acme/large: pricing.batch.input: must be a whole number",
        ),
        (
            format!("{large}/pricing/batch/flex"),
            json!({}),
            "acme/large: pricing.batch.flex: is not a field",
        ),
        (
            format!("{large}/pricing/priority/tiers/0/output"),
            json!([]),
            "acme/large: pricing.priority.tiers[0].output: must be",
        ),
        (
            format!("{large}/pricing/dated/0/from"),
            json!("soon"),
            "acme/large: pricing.dated[0].from: `soon` is not a date",
        ),
        (
            format!("{large}/pricing/dated/0/from"),
            json!(null),
            "acme/large: pricing.dated[0].from: is missing",
        ),
        (
            format!("{large}/pricing/dated/1/from"),
            json!("2027-01-01"),
            "acme/large: pricing.dated[1].from: must come after",
        ),
        (
            format!("{large}/pricing/dated/1/batch/input"),
            json!(-8),
            "acme/large: pricing.dated[1].batch.input: must not be negative",
        ),
        (
            format!("{large}/pricing/dated/0/dated"),
            json!([]),
            "acme/large: pricing.dated[0].dated: is not a field",
        ),
    ];
    assert!(cases.len() >= 40);
    for (path, value, expected) in &cases {
        let faults = faults(&changed(path, value));
        let line = format!("model-catalog.snapshot.json: {expected}");
        assert!(
            faults.lines().any(|fault| fault.starts_with(&line)),
            "{path} = {value}: expected `{line}`, got\n{faults}"
        );
    }
}

#[test]
fn all_faults_are_reported_together_and_sorted() {
    let mut document = good();
    document["models"][1]["mode"] = json!("x");
    document["models"][0]["pricing"]["output"] = json!(-1);
    document["models"][0]["limits"]["output"] = json!(-1);
    document["schema_version"] = json!(3);
    let lines: Vec<String> = faults(&document).lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].contains(": schema_version:"));
    assert!(lines[1].contains("acme/large: limits.output:"));
    assert!(lines[2].contains("acme/large: pricing.output:"));
    assert!(lines[3].contains("acme/small: mode:"));
}

#[test]
fn a_key_that_occurs_twice_is_refused() {
    let text = good().to_string().replacen(
        "\"cache_read\":100",
        "\"cache_read\":100,\"cache_read\":1",
        1,
    );
    let faults = ModelCatalog::from_json(&text).unwrap_err();
    assert_eq!(
        faults.to_string(),
        "model-catalog.snapshot.json: acme/large: pricing.cache_read: occurs twice"
    );
}

#[test]
fn what_is_not_json_is_refused() {
    for text in [
        "",
        "{",
        "null",
        "[]",
        "{\"models\": [}",
        "\u{0}",
        "1e999",
        "{} {}",
    ] {
        assert!(ModelCatalog::from_json(text).is_err(), "{text}");
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let faults = ModelCatalog::from_json(&deep).unwrap_err();
    assert!(
        faults
            .to_string()
            .contains("nested more than 12 levels deep")
    );
}

#[test]
fn a_flood_of_faults_is_counted() {
    let models = vec![json!({}); 5_000];
    let mut document = good();
    document["models"] = json!(models);
    let faults = faults(&document);
    assert_eq!(faults.faults().len(), 1_000);
    assert_eq!(faults.lines().count(), 1_001);
    let rest = format!("model-catalog.snapshot.json: and {} more", faults.more());
    assert!(faults.more() > 10_000);
    assert_eq!(faults.lines().last(), Some(rest));
}

#[test]
fn sources_are_bounded_and_named_once() {
    let with = |count: usize, name: &dyn Fn(usize) -> String| {
        let mut document = good();
        let source = document["provenance"][0].clone();
        let sources = (0..count).map(|i| {
            let mut source = source.clone();
            source["source"] = json!(name(i));
            source
        });
        document["provenance"] = sources.collect();
        document
    };
    load(&with(1_000, &|i| {
        if i == 999 {
            "sheet".to_owned()
        } else {
            format!("sheet {i}")
        }
    }));
    let many = faults(&with(1_001, &|i| format!("sheet {i}")));
    assert_eq!(
        many.to_string(),
        "model-catalog.snapshot.json: provenance: has 1001 sources; 1000 is the most"
    );
    let twice = faults(&with(2, &|_| "sheet".to_owned()));
    assert_eq!(
        twice.to_string(),
        "model-catalog.snapshot.json: provenance[1].source: `sheet` is named twice"
    );
}

#[test]
fn a_snapshot_made_by_code_is_checked_the_same() {
    let mut snapshot = load(&good()).snapshot();
    snapshot.models[0].limits.output = Some(200_000);
    snapshot.models[1].source = "hearsay".into();
    snapshot.models[1].rates[0].prices = snapshot.models[1].rates[0]
        .prices
        .with(callboard::catalog::Part::Input, Some(u64::MAX - 1));
    let faults = ModelCatalog::from_snapshot(&snapshot).unwrap_err();
    let read = ModelCatalog::from_json(&snapshot.to_json()).unwrap_err();
    assert_eq!(faults, read);
    assert_eq!(faults.faults().len(), 3);
    assert!(ModelCatalog::from_snapshot(&CatalogSnapshot::empty()).is_err());
}

#[test]
fn a_number_is_read_when_a_crate_keeps_its_text() {
    // serde_json hands numbers over so when its `arbitrary_precision` is on somewhere.
    let text = good().to_string().replacen(
        "\"schema_version\":1",
        "\"schema_version\":{\"$serde_json::private::Number\":\"1\"}",
        1,
    );
    assert!(ModelCatalog::from_json(&text).is_ok());
}
