//! LiteLLM's price list: the base of the catalog.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use serde_json::value::RawValue;

use callboard::catalog::{
    Capabilities, Capability, Limits, Mode, ModelRecord, Part, Prices, Rate, ServiceTier, Support,
};

use super::money;
use super::names::Key;
use super::report::Report;

/// The name of this source in provenance.
pub(crate) const NAME: &str = "litellm";

/// Keys of the file that document it or configure LiteLLM, and are no models.
const NOT_MODELS: &[&str] = &["sample_spec", "fallback_generalizations"];

type Fields<'a> = BTreeMap<&'a str, &'a RawValue>;

/// The models of LiteLLM's list that are language models, by key.
pub(crate) fn read(text: &str, report: &mut Report) -> anyhow::Result<Vec<ModelRecord>> {
    let file: BTreeMap<&str, &RawValue> = serde_json::from_str(text).context("litellm")?;
    let mut entries: BTreeMap<&str, Fields<'_>> = BTreeMap::new();
    for (key, raw) in file {
        if NOT_MODELS.contains(&key) {
            continue;
        }
        let fields = serde_json::from_str(raw.get()).with_context(|| format!("litellm: {key}"))?;
        entries.insert(key, fields);
    }

    let mut chosen: BTreeMap<(String, String), (&str, Key)> = BTreeMap::new();
    for (key, fields) in &entries {
        if fields.contains_key("alias_of") {
            continue;
        }
        let mode = string(fields, "mode");
        if mode_of(fields).is_none() {
            let kind = mode.unwrap_or_else(|| "no mode".to_owned());
            report.count(
                "left out: not a language model priced by token, by mode",
                &kind,
            );
            continue;
        }
        let Some(provider) = string(fields, "litellm_provider") else {
            report.line("left out: no provider", (*key).to_owned());
            continue;
        };
        let name = Key::new(key, &provider);
        let place = (name.provider.clone(), name.id.clone());
        let Some((other, other_name)) = chosen.get(&place) else {
            chosen.insert(place, (key, name));
            continue;
        };
        // The key that spells out the provider is about that provider and no other.
        let other_wins = other_name.prefixed || !name.prefixed;
        let (kept, left) = if other_wins {
            (*other, *key)
        } else {
            (*key, *other)
        };
        let line = format!(
            "{name}: kept `{kept}`, left `{left}`{}",
            differences(&entries, kept, left)
        );
        report.line("two source keys for one model", line);
        if !other_wins {
            chosen.insert(place, (key, name));
        }
    }

    let names: BTreeMap<&str, Key> = entries
        .iter()
        .filter_map(|(key, fields)| {
            Some((*key, Key::new(key, &string(fields, "litellm_provider")?)))
        })
        .collect();
    let mut records: BTreeMap<(String, String), ModelRecord> = BTreeMap::new();
    for (place, (key, name)) in &chosen {
        if let Some(fields) = entries.get(key) {
            let record = record(key, name, fields, report);
            records.insert(place.clone(), record);
        }
    }
    add_aliases(&entries, &names, &mut records, report);
    add_successors(&entries, &names, &chosen, &mut records, report);
    Ok(records.into_values().collect())
}

fn differences(entries: &BTreeMap<&str, Fields<'_>>, kept: &str, left: &str) -> String {
    let (Some(kept), Some(left)) = (entries.get(kept), entries.get(left)) else {
        return String::new();
    };
    let fields: BTreeSet<&str> = kept.keys().chain(left.keys()).copied().collect();
    let different: Vec<&str> = fields
        .into_iter()
        .filter(|field| kept.get(field).map(|v| v.get()) != left.get(field).map(|v| v.get()))
        .filter(|field| *field != "litellm_provider")
        .collect();
    if different.is_empty() {
        return ", which says the same".to_owned();
    }
    format!("; they differ in {}", different.join(", "))
}

/// What a model of the catalog does, or `None` for what isn't a language model.
fn mode_of(fields: &Fields<'_>) -> Option<Mode> {
    let mode = Mode::from_name(&string(fields, "mode")?)?;
    let by_token = [
        "input_cost_per_token",
        "output_cost_per_token",
        "input_cost_per_audio_token",
        "output_cost_per_audio_token",
    ];
    match mode {
        Mode::Realtime | Mode::AudioTranscription | Mode::AudioSpeech => by_token
            .iter()
            .any(|field| fields.contains_key(field))
            .then_some(mode),
        _ => Some(mode),
    }
}

fn record(key: &str, name: &Key, fields: &Fields<'_>, report: &mut Report) -> ModelRecord {
    let source = string(fields, "source").filter(|source| {
        let address = source.starts_with("http");
        if !address {
            report.line(
                "source is not an address, taken as `litellm`",
                format!("{name}: {source}"),
            );
        }
        address
    });
    let deprecation_date = string(fields, "deprecation_date").and_then(|text| {
        let date = text.parse().ok();
        if date.is_none() {
            report.line(
                "dropped: not a date",
                format!("{name}: deprecation_date: {text}"),
            );
        }
        date
    });
    ModelRecord {
        provider: name.provider.clone(),
        id: name.id.clone(),
        aliases: Vec::new(),
        mode: mode_of(fields).unwrap_or(Mode::Chat),
        limits: limits(name, fields, report),
        rates: rates(name, key, fields, report),
        capabilities: capabilities(fields),
        deprecation_date,
        successor: None,
        source: source.unwrap_or_else(|| NAME.to_owned()),
    }
}

fn limits(name: &Key, fields: &Fields<'_>, report: &mut Report) -> Limits {
    let mut limit = |field| {
        let text = fields.get(field)?.get();
        let limit = money::number(text).and_then(|n| u32::try_from(n).ok());
        match limit {
            Some(1..) => limit,
            _ => {
                report.line("dropped: not a limit", format!("{name}: {field}: {text}"));
                None
            }
        }
    };
    let limits = Limits {
        context: None,
        input: limit("max_input_tokens"),
        output: limit("max_output_tokens"),
    };
    if let (Some(input), Some(output)) = (limits.input, limits.output)
        && output > input
    {
        let line = format!("{name}: input {input}, output {output}");
        report.line("kept: output limit above input limit", line);
    }
    limits
}

/// The first field that is stated counts.
const CAPABILITY_FIELDS: &[(Capability, &[&str])] = &[
    (Capability::Streaming, &["supports_native_streaming"]),
    (Capability::ToolCalling, &["supports_function_calling"]),
    (
        Capability::ParallelToolCalling,
        &["supports_parallel_function_calling"],
    ),
    (Capability::ToolChoice, &["supports_tool_choice"]),
    (
        Capability::JsonSchema,
        &[
            "supports_response_schema",
            "supports_native_structured_output",
        ],
    ),
    (Capability::SystemMessages, &["supports_system_messages"]),
    (Capability::Vision, &["supports_vision"]),
    (Capability::AudioInput, &["supports_audio_input"]),
    (Capability::AudioOutput, &["supports_audio_output"]),
    (Capability::PdfInput, &["supports_pdf_input"]),
    (Capability::VideoInput, &["supports_video_input"]),
    (Capability::PromptCaching, &["supports_prompt_caching"]),
    (Capability::Reasoning, &["supports_reasoning"]),
    (Capability::WebSearch, &["supports_web_search"]),
    (Capability::ComputerUse, &["supports_computer_use"]),
];

fn capabilities(fields: &Fields<'_>) -> Capabilities {
    CAPABILITY_FIELDS
        .iter()
        .fold(Capabilities::NOT_STATED, |all, (capability, names)| {
            let said = names.iter().find_map(|name| match fields.get(name)?.get() {
                "true" => Some(Support::Yes),
                "false" => Some(Support::No),
                _ => None,
            });
            all.with(*capability, said.unwrap_or(Support::NotStated))
        })
}

const PRICE_FIELDS: &[(&str, Part)] = &[
    ("input_cost_per_token", Part::Input),
    ("output_cost_per_token", Part::Output),
    ("cache_read_input_token_cost", Part::CacheRead),
    ("cache_read_input_audio_token_cost", Part::CacheReadAudio),
    ("cache_creation_input_token_cost", Part::CacheWrite5m),
    (
        "cache_creation_input_token_cost_above_1hr",
        Part::CacheWrite1h,
    ),
    ("input_cost_per_audio_token", Part::AudioInput),
    ("output_cost_per_audio_token", Part::AudioOutput),
    ("input_cost_per_image_token", Part::ImageInput),
    ("output_cost_per_image_token", Part::ImageOutput),
    ("input_cost_per_video_token", Part::VideoInput),
    ("output_cost_per_reasoning_token", Part::Reasoning),
];

const SERVICE_SUFFIXES: &[(&str, ServiceTier)] = &[
    ("_batches", ServiceTier::Batch),
    ("_flex", ServiceTier::Flex),
    ("_priority", ServiceTier::Priority),
];

/// What a field prices: the part, for which service, above how many prompt tokens.
fn priced(field: &str) -> Option<(Part, ServiceTier, u32)> {
    let (field, service) = SERVICE_SUFFIXES
        .iter()
        .find_map(|(suffix, service)| Some((field.strip_suffix(suffix)?, *service)))
        .unwrap_or((field, ServiceTier::Standard));
    let tier = field.strip_suffix("k_tokens").and_then(|field| {
        let (field, thousands) = field.rsplit_once("_above_")?;
        Some((field, thousands.parse::<u32>().ok()?.checked_mul(1000)?))
    });
    let (field, above) = tier.unwrap_or((field, 0));
    PRICE_FIELDS
        .iter()
        .find_map(|(name, part)| (*name == field).then_some((*part, service, above)))
}

type Card = BTreeMap<(ServiceTier, u32), Prices>;

fn rates(name: &Key, key: &str, fields: &Fields<'_>, report: &mut Report) -> Vec<Rate> {
    let mut card = Card::new();
    for (field, raw) in fields {
        match priced(field) {
            Some((part, service, above)) => {
                set(
                    &mut card,
                    (service, above),
                    part,
                    raw.get(),
                    name,
                    field,
                    report,
                );
            }
            None if is_price(field) => report.count(
                "dropped: prices that the catalog has no place for, by field",
                field,
            ),
            None => {}
        }
    }
    if let Some(tiers) = fields.get("tiered_pricing") {
        let tiers: Vec<Fields<'_>> = serde_json::from_str(tiers.get()).unwrap_or_default();
        for tier in &tiers {
            add_tier(&mut card, tier, name, report);
        }
    }
    if let Some(raw) = fields.get("input_cost_per_token_cache_hit") {
        let place = (ServiceTier::Standard, 0);
        let stated = card
            .get(&place)
            .and_then(|prices| prices.get(Part::CacheRead));
        let hit = money::per_token(raw.get()).map(|price| price.picodollars);
        match (stated, hit) {
            (None, Some(_)) => set(
                &mut card,
                place,
                Part::CacheRead,
                raw.get(),
                name,
                "input_cost_per_token_cache_hit",
                report,
            ),
            (Some(stated), Some(hit)) if stated != hit => report.line(
                "kept cache_read_input_token_cost over input_cost_per_token_cache_hit",
                format!("{name}: {stated}, not {hit}"),
            ),
            _ => {}
        }
    }
    if card.is_empty() {
        report.count(
            "kept without any price by token, by provider",
            &name.provider,
        );
    }
    let base = card
        .get(&(ServiceTier::Standard, 0))
        .copied()
        .unwrap_or_default();
    for ((service, above), prices) in &card {
        let below = if *above > 0 {
            card.get(&(*service, 0)).copied().unwrap_or(base)
        } else {
            continue;
        };
        let lacks: Vec<&str> = below
            .iter()
            .filter(|(part, _)| prices.get(*part).is_none() && part.priced_as().is_none())
            .map(|(part, _)| part.name())
            .collect();
        if !lacks.is_empty() && prices.get(Part::Input).is_some() {
            let lacks = lacks.join(", ");
            report.line(
                "tier doesn't state what its base does; the base price continues",
                format!("{name}: {service} above {above}: {lacks} (`{key}`)"),
            );
        }
    }
    card.into_iter()
        .map(|((service, above), prices)| Rate {
            from: None,
            service,
            above,
            prices,
        })
        .collect()
}

fn is_price(field: &str) -> bool {
    let handled = ["tiered_pricing", "input_cost_per_token_cache_hit"];
    let about_price = ["cost", "pricing", "multiplier"];
    about_price.iter().any(|word| field.contains(word)) && !handled.contains(&field)
}

/// One `{range: [from, to], …}` of `tiered_pricing`. Tiers are picked by the size of the prompt and
/// hold for the whole call, as those of the suffixes do.
fn add_tier(card: &mut Card, tier: &Fields<'_>, name: &Key, report: &mut Report) {
    let range: Vec<&RawValue> = tier
        .get("range")
        .and_then(|range| serde_json::from_str(range.get()).ok())
        .unwrap_or_default();
    let above = range
        .first()
        .and_then(|start| money::number(start.get()))
        .and_then(|start| u32::try_from(start).ok());
    let Some(above) = above else {
        report.line("dropped: tier without a range", name.to_string());
        return;
    };
    for (field, raw) in tier {
        match priced(field) {
            Some((part, service, 0)) => {
                let place = (service, above);
                if card
                    .get(&place)
                    .is_some_and(|prices| prices.get(part).is_some())
                {
                    report.line(
                        "kept the plain price over that of tiered_pricing",
                        format!("{name}: {part} above {above}"),
                    );
                    continue;
                }
                set(card, place, part, raw.get(), name, field, report);
            }
            _ if *field == "range" => {}
            _ => report.count("dropped: fields of tiered_pricing, by field", field),
        }
    }
}

fn set(
    card: &mut Card,
    place: (ServiceTier, u32),
    part: Part,
    text: &str,
    name: &Key,
    field: &str,
    report: &mut Report,
) {
    let Some(price) = money::per_token(text) else {
        report.line("dropped: not a price", format!("{name}: {field}: {text}"));
        return;
    };
    if price.rounded {
        let line = format!("{name}: {field}: {text} → {}", price.picodollars);
        report.line("rounded to whole picodollars", line);
    }
    let prices = card.entry(place).or_default();
    *prices = prices.with(part, Some(price.picodollars));
}

fn add_aliases(
    entries: &BTreeMap<&str, Fields<'_>>,
    names: &BTreeMap<&str, Key>,
    records: &mut BTreeMap<(String, String), ModelRecord>,
    report: &mut Report,
) {
    let title = "dropped: aliases";
    for (alias, fields) in entries {
        let Some(target) = string(fields, "alias_of") else {
            continue;
        };
        let Some(name) = names.get(target.as_str()) else {
            report.line(title, format!("{alias}: of `{target}`, which isn't there"));
            continue;
        };
        let alias_name = Key::new(alias, &name.provider);
        if alias.contains('/') && !alias_name.prefixed {
            report.line(title, format!("{alias}: at another provider than {name}"));
            continue;
        }
        if records.contains_key(&(alias_name.provider.clone(), alias_name.id.clone())) {
            report.line(title, format!("{alias}: is an entry itself"));
            continue;
        }
        match records.get_mut(&(name.provider.clone(), name.id.clone())) {
            Some(record) => record.aliases.push(alias_name.id),
            None => report.line(title, format!("{alias}: of {name}, which is left out")),
        }
    }
}

fn add_successors(
    entries: &BTreeMap<&str, Fields<'_>>,
    names: &BTreeMap<&str, Key>,
    chosen: &BTreeMap<(String, String), (&str, Key)>,
    records: &mut BTreeMap<(String, String), ModelRecord>,
    report: &mut Report,
) {
    let title = "dropped: successors that are not in the catalog";
    for (place, (key, name)) in chosen {
        let successor = entries
            .get(key)
            .and_then(|fields| string(fields, "successor_model"));
        let Some(successor) = successor else { continue };
        // A successor may be an alias: then its target's provider is the alias's.
        let next = names.get(successor.as_str()).cloned().or_else(|| {
            let target = string(entries.get(successor.as_str())?, "alias_of")?;
            let target = names.get(target.as_str())?;
            Some(Key::new(&successor, &target.provider))
        });
        let known = next.filter(|next| {
            let place = (next.provider.clone(), next.id.clone());
            let aliased = || {
                records.values().any(|record| {
                    record.provider == next.provider && record.aliases.contains(&next.id)
                })
            };
            records.contains_key(&place) || aliased()
        });
        match (known, records.get_mut(place)) {
            (Some(next), Some(record)) if (&next.provider, &next.id) != (&place.0, &place.1) => {
                record.successor = Some(next.to_string());
            }
            _ => report.line(title, format!("{name}: {successor}")),
        }
    }
}

fn string(fields: &Fields<'_>, field: &str) -> Option<String> {
    serde_json::from_str(fields.get(field)?.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::{Part, Report, ServiceTier, priced, read};

    #[test]
    fn a_field_says_what_it_prices() {
        for (field, expected) in [
            (
                "input_cost_per_token",
                Some((Part::Input, ServiceTier::Standard, 0)),
            ),
            (
                "cache_creation_input_token_cost_above_1hr_above_200k_tokens",
                Some((Part::CacheWrite1h, ServiceTier::Standard, 200_000)),
            ),
            (
                "output_cost_per_token_above_272k_tokens_priority",
                Some((Part::Output, ServiceTier::Priority, 272_000)),
            ),
            ("cache_creation_input_token_cost_above_12hr", None),
            ("input_cost_per_token_ultrafast", None),
            ("output_cost_per_image", None),
        ] {
            assert_eq!(priced(field), expected, "{field}");
        }
    }

    #[test]
    fn what_is_absent_stays_absent() {
        let mut report = Report::default();
        let text = r#"{
            "sample_spec": {"mode": "one of: chat"},
            "a": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 0},
            "b": {"litellm_provider": "openai", "mode": "image_generation"},
            "latest": {"alias_of": "a"}
        }"#;
        let records = read(text, &mut report).unwrap();
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].aliases, ["latest"]);
        assert_eq!(records[0].rates[0].prices.get(Part::Input), Some(0));
        assert_eq!(records[0].rates[0].prices.get(Part::Output), None);
        assert_eq!(records[0].source, "litellm");
        assert!(report.to_string().contains("image_generation"));
    }
}
