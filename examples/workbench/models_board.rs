//! The models and the routes of a registry, as tables.

use std::io;

use callboard::catalog::{Capability, CapabilitySet, ModelEntry, Part};
use callboard::{ComponentKind, Need, Registry, WorkloadRoute};
use comfy_table::{Attribute, Cell, CellAlignment, Table};

use crate::board::styled;
use crate::cli::Failure;
use crate::terminal::{BOLD, FAINT, GOOD, WARN, say};

/// Prints what the catalog, or the program, says of each model, and where each route goes.
pub(crate) fn print(registry: &Registry) -> io::Result<()> {
    let models: Vec<_> = registry
        .names(ComponentKind::Model)
        .into_iter()
        .filter_map(|name| Some((name, registry.model_entry(name)?)))
        .collect();
    say!("\n{BOLD}models{BOLD:#}  {FAINT}tokens, and dollars per million tokens{FAINT:#}")?;
    say!("{}", models_table(&models).trim_fmt())?;
    for name in registry.names(ComponentKind::Router) {
        let Some(router) = registry.model_router(name) else {
            continue;
        };
        say!("\n{BOLD}routes of {name}{BOLD:#}")?;
        say!("{}", routes_table(router.routes()).trim_fmt())?;
    }
    Ok(())
}

fn models_table(models: &[(&str, &ModelEntry)]) -> Table {
    let mut table = styled([
        "model", "from", "prompt", "answer", "input", "cached", "output", "can do",
    ]);
    for (name, entry) in models {
        let price = |part| number(entry.price(part).map(per_million));
        table.add_row([
            Cell::new(name).add_attribute(Attribute::Bold),
            Cell::new(if entry.is_declared() {
                "program"
            } else {
                entry.provider()
            }),
            number(entry.prompt_limit().map(thousands)),
            number(entry.output_limit().map(thousands)),
            price(Part::Input),
            price(Part::CacheRead),
            price(Part::Output),
            Cell::new(can_do(entry.capabilities().yes())),
        ]);
    }
    table
}

fn routes_table<'a>(routes: impl Iterator<Item = &'a WorkloadRoute>) -> Table {
    let mut table = styled(["route", "goes to", "then to", "requires", "what it is for"]);
    for route in routes {
        let mut requires = route.requires.to_string();
        if let Some(tokens) = route.min_context {
            requires = format!("{requires}, {} tokens", thousands(tokens));
        }
        table.add_row([
            Cell::new(&route.alias).add_attribute(Attribute::Bold),
            Cell::new(&route.model),
            Cell::new(route.fallbacks.join(", ")),
            Cell::new(requires),
            Cell::new(&route.description),
        ]);
    }
    table
}

/// What tells models apart, in few letters.
fn can_do(capabilities: CapabilitySet) -> String {
    let words: Vec<&str> = capabilities
        .iter()
        .filter_map(|capability| match capability {
            Capability::ToolCalling => Some("tools"),
            Capability::JsonSchema => Some("json"),
            Capability::Vision => Some("vision"),
            Capability::AudioInput => Some("audio"),
            Capability::PdfInput => Some("pdf"),
            Capability::VideoInput => Some("video"),
            Capability::Reasoning => Some("reasoning"),
            Capability::WebSearch => Some("web"),
            Capability::ComputerUse => Some("screen"),
            _ => None,
        })
        .collect();
    words.join(" ")
}

fn number(text: Option<String>) -> Cell {
    Cell::new(text.unwrap_or_else(|| "—".to_owned())).set_alignment(CellAlignment::Right)
}

/// `128,000`
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A price in picodollars per token, as dollars per million tokens.
fn per_million(price: u64) -> String {
    let (dollars, rest) = (price / 1_000_000, price % 1_000_000);
    let cents = format!("{rest:06}");
    let cents = cents.trim_end_matches('0');
    format!("${dollars}.{cents:0<2}")
}

/// Chooses a model for a call, and says why.
pub(crate) fn choose(registry: &Registry, route: &str, need: &Need) -> Result<(), Failure> {
    let router = registry.model_router(route).ok_or_else(|| {
        let closest = registry.closest(ComponentKind::Router, route);
        Failure::usage(format!("there is no route `{route}`"))
            .with_help(format!("the nearest: {}", closest.join(", ")))
    })?;
    let choice = router.select(route, need).map_err(|error| {
        Failure::usage(error.to_string())
            .with_help("ask for less, or name another route; `workbench board` shows them")
    })?;
    for skipped in &choice.skipped {
        say!("{WARN}skipped{WARN:#}  {skipped}")?;
    }
    let cost = choice.estimate.map_or_else(String::new, |cost| {
        format!("  {FAINT}at most {cost}{FAINT:#}")
    });
    say!(
        "{GOOD}chosen{GOOD:#}   {BOLD}{}{BOLD:#}{cost}",
        choice.candidate.name()
    )?;
    Ok(())
}
