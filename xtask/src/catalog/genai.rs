//! The genai-prices list: prices that hold from a date, and a second opinion on LiteLLM's.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use serde_json::Value;

use callboard::catalog::{Date, ModelRecord, Part, Prices, Rate, ServiceTier};

use super::money;
use super::report::Report;

/// The name of this source in provenance.
pub(crate) const NAME: &str = "genai-prices";

/// Its providers, and what they are called here. The others are resellers that LiteLLM lists under
/// no comparable name.
const PROVIDERS: &[(&str, &str)] = &[
    ("anthropic", "anthropic"),
    ("aws", "bedrock"),
    ("azure", "azure"),
    ("baseten", "baseten"),
    ("cerebras", "cerebras"),
    ("cloudflare", "cloudflare"),
    ("cohere", "cohere"),
    ("databricks", "databricks"),
    ("deepseek", "deepseek"),
    ("fireworks", "fireworks_ai"),
    ("github-copilot", "github_copilot"),
    ("google", "gemini"),
    ("groq", "groq"),
    ("meta", "meta"),
    ("minimax", "minimax"),
    ("mistral", "mistral"),
    ("moonshotai", "moonshot"),
    ("novita", "novita"),
    ("openai", "openai"),
    ("ovhcloud", "ovhcloud"),
    ("perplexity", "perplexity"),
    ("together", "together_ai"),
    ("voyageai", "voyage"),
    ("x-ai", "xai"),
    ("zai", "zai"),
];

const PRICE_FIELDS: &[(&str, Part)] = &[
    ("input_mtok", Part::Input),
    ("output_mtok", Part::Output),
    ("cache_read_mtok", Part::CacheRead),
    ("cache_audio_read_mtok", Part::CacheReadAudio),
    ("cache_write_mtok", Part::CacheWrite5m),
    ("cache_write_1h_mtok", Part::CacheWrite1h),
    ("input_audio_mtok", Part::AudioInput),
    ("output_audio_mtok", Part::AudioOutput),
    ("input_image_mtok", Part::ImageInput),
    ("output_image_mtok", Part::ImageOutput),
    ("input_video_mtok", Part::VideoInput),
    ("output_reasoning_mtok", Part::Reasoning),
];

/// Adds to the records the prices that hold from a day after `today`, and lists where the prices
/// of `today` differ.
pub(crate) fn add(
    text: &str,
    today: Date,
    records: &mut [ModelRecord],
    report: &mut Report,
) -> anyhow::Result<()> {
    let file: Value = serde_json::from_str(text).context("genai-prices")?;
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (at, record) in records.iter().enumerate() {
        places.insert((record.provider.clone(), record.id.clone()), at);
    }
    let mut seen = BTreeSet::new();
    for provider in list(&file) {
        let name = str_of(provider, "id");
        let Some((_, ours)) = PROVIDERS.iter().find(|(theirs, _)| *theirs == name) else {
            report.count("genai-prices: providers not compared, by provider", name);
            continue;
        };
        for model in list(&provider["models"]) {
            for id in ids(model) {
                let Some(at) = places.get(&((*ours).to_owned(), id)) else {
                    continue;
                };
                let Some(record) = records.get_mut(*at) else {
                    continue;
                };
                // The first model that matches an id is the one that is meant.
                if seen.insert(*at) {
                    compare(model, today, record, report);
                    add_dated(model, today, record, report);
                }
            }
        }
    }
    Ok(())
}

/// The ids that mean this model exactly. Patterns over beginnings and endings are left aside: they
/// also match models of another price.
fn ids(model: &Value) -> BTreeSet<String> {
    fn equal(clause: &Value, ids: &mut BTreeSet<String>) {
        if let Some(id) = clause["equals"].as_str() {
            ids.insert(id.to_owned());
        }
        for clause in list(&clause["or_"]) {
            equal(clause, ids);
        }
    }
    let mut ids = BTreeSet::from([str_of(model, "id").to_owned()]);
    equal(&model["match"], &mut ids);
    ids
}

/// Whether a price holds on a day. Prices for hours of the day never do: the catalog has no hours.
fn holds(conditional: &Value, day: Date) -> bool {
    let constraint = &conditional["constraint"];
    match constraint["start_date"].as_str() {
        Some(start) => start.parse::<Date>().is_ok_and(|start| start <= day),
        None => constraint.is_null(),
    }
}

/// The standard prices of a day: the last that holds takes precedence.
fn standard(model: &Value, day: Date) -> &Value {
    match &model["prices"] {
        Value::Array(list) => list
            .iter()
            .rev()
            .find(|conditional| holds(conditional, day))
            .map_or(&Value::Null, |conditional| &conditional["prices"]),
        prices => prices,
    }
}

/// The prices of another service on a day: the first that holds takes precedence.
fn variant(model: &Value, service: ServiceTier, day: Date) -> Option<&Value> {
    let means = |when: &Value| {
        let Value::Object(when) = when else {
            return false;
        };
        let named = |name: &str| {
            when.get(name).and_then(Value::as_str).is_some_and(|value| {
                value == service.name() || value == "batches" && service == ServiceTier::Batch
            })
        };
        when.len() == 1 && (named("processing") || named("service_tier"))
    };
    list(&model["price_variants"])
        .iter()
        .find(|variant| means(&variant["when"]) && holds(variant, day))
        .map(|variant| &variant["prices"])
}

fn compare(model: &Value, today: Date, record: &ModelRecord, report: &mut Report) {
    report.count(
        "genai-prices: models compared, by provider",
        &record.provider,
    );
    let theirs = rows(standard(model, today));
    for (above, prices) in &theirs {
        let ours = record.rates.iter().find(|rate| {
            rate.from.is_none() && rate.service == ServiceTier::Standard && rate.above == *above
        });
        let Some(ours) = ours else { continue };
        for (part, price) in prices.iter() {
            match ours.prices.get(part) {
                Some(ours) if ours != price => report.line(
                    "prices on which the sources disagree; LiteLLM's is kept",
                    format!(
                        "{}: {part}{}: litellm {ours}, genai-prices {price}",
                        record.key(),
                        if *above > 0 {
                            format!(" above {above}")
                        } else {
                            String::new()
                        },
                    ),
                ),
                Some(_) => report.count("genai-prices: prices that agree, by part", part.name()),
                None => report.count(
                    "genai-prices: prices that LiteLLM doesn't state (not taken), by part",
                    part.name(),
                ),
            }
        }
    }
    if model["prices"].is_array()
        && list(&model["prices"])
            .iter()
            .any(|price| !price["constraint"]["start_time"].is_null())
    {
        report.line(
            "dropped: prices for hours of the day",
            format!("{} (genai-prices)", record.key()),
        );
    }
}

fn add_dated(model: &Value, today: Date, record: &mut ModelRecord, report: &mut Report) {
    let starts = |list: &[Value]| -> Vec<Date> {
        list.iter()
            .filter_map(|price| price["constraint"]["start_date"].as_str()?.parse().ok())
            .collect()
    };
    let dates: BTreeSet<Date> = starts(list(&model["prices"]))
        .into_iter()
        .filter(|date| *date > today)
        .collect();
    for date in dates {
        let mut added = false;
        let mut push = |service, prices: &Value| {
            for (above, prices) in rows(prices) {
                added = true;
                record.rates.push(Rate {
                    from: Some(date),
                    service,
                    above,
                    prices,
                });
            }
        };
        push(ServiceTier::Standard, standard(model, date));
        for service in [ServiceTier::Batch, ServiceTier::Flex, ServiceTier::Priority] {
            if let Some(prices) = variant(model, service, date) {
                push(service, prices);
            }
        }
        if added {
            let line = format!("{}: from {date}", record.key());
            report.line("prices that hold from a date", line);
        }
    }
}

/// The rows of a price list, by the prompt size above which they hold.
fn rows(prices: &Value) -> BTreeMap<u32, Prices> {
    let mut rows: BTreeMap<u32, Prices> = BTreeMap::new();
    let mut set = |above: u32, part: Part, text: &Value| {
        if let Some(price) = text.as_str().and_then(money::per_million) {
            let row = rows.entry(above).or_default();
            *row = row.with(part, Some(price.picodollars));
        }
    };
    for (field, part) in PRICE_FIELDS {
        match &prices[*field] {
            Value::Object(tiered) => {
                set(0, *part, &prices[*field]["base"]);
                for tier in list(tiered.get("tiers").unwrap_or(&Value::Null)) {
                    if let Some(start) = tier["start"].as_u64().and_then(|n| u32::try_from(n).ok())
                    {
                        set(start, *part, &tier["price"]);
                    }
                }
            }
            price => set(0, *part, price),
        }
    }
    rows
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn str_of<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}
