//! The benchmarks, and their results as tables of ratios.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cargo;

/// Each group's first measure by this name is what the others are compared with.
const BASES: &[&str] = &["direct", "serde by hand"];

pub(crate) fn run() -> anyhow::Result<()> {
    cargo::run("bench --package callboard-benches")?;
    let table = table(&cargo::target().join("criterion"))?;
    let file = cargo::target().join("benchmarks.md");
    std::fs::write(&file, &table)
        .with_context(|| format!("{} can't be written", file.display()))?;
    println!("\n{table}\nwritten to {}", file.display());
    Ok(())
}

/// A Markdown table of every measure that criterion left.
fn table(criterion: &Path) -> anyhow::Result<String> {
    let mut groups: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
    for measure in measures(criterion)? {
        let read = |file: &str| -> anyhow::Result<serde_json::Value> {
            let file = measure.join(file);
            let text = std::fs::read_to_string(&file)
                .with_context(|| format!("{} can't be read", file.display()))?;
            Ok(serde_json::from_str(&text)?)
        };
        let about = read("benchmark.json")?;
        let estimates = read("estimates.json")?;
        let text = |key: &str| about[key].as_str().unwrap_or_default().to_owned();
        let name = match about["value_str"].as_str() {
            Some(value) => format!("{}, {value} rows", text("function_id")),
            None => text("function_id"),
        };
        let median = estimates["median"]["point_estimate"]
            .as_f64()
            .context("criterion's estimates have no median")?;
        groups
            .entry(text("group_id"))
            .or_default()
            .push((name, median));
    }
    let mut table = String::new();
    for (group, mut measures) in groups {
        measures.sort_by(|left, right| left.1.total_cmp(&right.1));
        let base = BASES.iter().find_map(|base| {
            measures
                .iter()
                .find(|(name, _)| name == base)
                .map(|(_, median)| (*base, *median))
        });
        let (base_name, base) = base.unwrap_or(("the fastest", measures[0].1));
        writeln!(table, "### {group}\n")?;
        writeln!(table, "| | median, ns | × {base_name} |\n|---|--:|--:|")?;
        for (name, median) in measures {
            writeln!(table, "| {name} | {median:.1} | {:.2} |", median / base)?;
        }
        writeln!(table)?;
    }
    Ok(table)
}

/// The folders of the latest measures.
fn measures(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("{} can't be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name == "new") {
            found.push(path);
        } else if path.is_dir() {
            found.extend(measures(&path)?);
        }
    }
    found.sort();
    Ok(found)
}
