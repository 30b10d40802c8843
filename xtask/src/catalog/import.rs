//! `cargo xtask catalog import`

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context as _, bail};
use clap::Args;

use callboard::catalog::{CatalogSnapshot, Date, ModelCatalog, Provenance};

use super::report::Report;
use super::{compare, genai, litellm, root, sha256, snapshot_id, snapshot_path};

/// Where the sources are, if not given one by one.
const SOURCES: &str = "CALLBOARD_CATALOG_SOURCES";

#[derive(Args)]
pub(crate) struct Options {
    /// LiteLLM's model_prices_and_context_window.json, as litellm-VERSION.json. By default the
    /// one in the folder that CALLBOARD_CATALOG_SOURCES names, or in ../shared/catalog-sources.
    #[arg(long, value_name = "PATH")]
    litellm: Option<PathBuf>,
    /// The provider list of genai-prices, as genai-prices-VERSION.json. Found as --litellm is.
    #[arg(long, value_name = "PATH")]
    genai: Option<PathBuf>,
    /// The day on which the sources were taken, which goes into the provenance. By default what
    /// the present snapshot says of the same bytes; needed when the bytes are new.
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<Date>,
    /// Write all findings to this file as well. On the screen, long lists are only counted.
    #[arg(long, value_name = "PATH")]
    report: Option<PathBuf>,
    /// Where the snapshot goes, if not to model-catalog.snapshot.json.
    #[arg(long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// A source's file, and what provenance says of it.
struct Source {
    text: String,
    provenance: Provenance,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let output = options.output.clone().unwrap_or_else(snapshot_path);
    let old = fs::read_to_string(&output)
        .ok()
        .and_then(|text| ModelCatalog::from_json(&text).ok());
    let litellm = open(
        litellm::NAME,
        options.litellm.as_deref(),
        options,
        old.as_ref(),
    )?;
    let genai = open(genai::NAME, options.genai.as_deref(), options, old.as_ref())?;

    let mut report = Report::default();
    let mut records = litellm::read(&litellm.text, &mut report)?;
    let today = litellm.provenance.date.max(genai.provenance.date);
    genai::add(&genai.text, today, &mut records, &mut report)?;
    match &old {
        Some(old) => compare::changes(old, &records, &mut report),
        None => report.line(
            "changed: new",
            "everything; there was no snapshot".to_owned(),
        ),
    }

    let models = records.len();
    let mut snapshot = CatalogSnapshot::empty();
    snapshot.provenance = vec![genai.provenance, litellm.provenance];
    snapshot.models = records;
    snapshot.snapshot_id = snapshot_id(&snapshot);
    ModelCatalog::from_snapshot(&snapshot).context("the sources make no valid catalog")?;
    let text = snapshot.to_json();
    fs::write(&output, &text).with_context(|| output.display().to_string())?;

    print!("{}", report.summary());
    if let Some(path) = &options.report {
        fs::write(path, report.to_string()).with_context(|| path.display().to_string())?;
    }
    println!(
        "{models} models, {} bytes, {}",
        text.len(),
        snapshot.snapshot_id
    );
    Ok(())
}

fn open(
    name: &str,
    given: Option<&Path>,
    options: &Options,
    old: Option<&ModelCatalog>,
) -> anyhow::Result<Source> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => find(name)?,
    };
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some(version) = stem
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix('-'))
    else {
        bail!(
            "{}: the version is taken from the name: call it {name}-<version>.json",
            path.display()
        );
    };
    let sha256 = sha256(text.as_bytes());
    let known = old.and_then(|old| old.provenance().find(|source| source.sha256 == sha256));
    let date = options.date.or_else(|| known.map(|source| source.date));
    let Some(date) = date else {
        bail!(
            "{}: these bytes are new: say with --date YYYY-MM-DD when they were taken",
            path.display()
        );
    };
    let (license, note) = match name {
        litellm::NAME => (
            "MIT",
            "prices in dollars per token, rounded to the nearest picodollar where they are not \
             whole; model ids without the prefix of their provider",
        ),
        _ => (
            "MIT",
            "only prices that hold from a later day, taken from dollars per million tokens",
        ),
    };
    Ok(Source {
        text,
        provenance: Provenance {
            source: name.to_owned(),
            version: version.to_owned(),
            sha256,
            date,
            license: license.to_owned(),
            note: Some(note.to_owned()),
        },
    })
}

/// The one file of this source in the folder of sources.
fn find(name: &str) -> anyhow::Result<PathBuf> {
    let folder = env::var_os(SOURCES)
        .map_or_else(|| root().join("../shared/catalog-sources"), PathBuf::from);
    let flag = name.split('-').next().unwrap_or(name);
    let advice = format!(
        "give the file with --{flag} PATH, or name its folder in {SOURCES}; the README of the \
         catalog sources says where each comes from"
    );
    let entries = fs::read_dir(&folder).with_context(|| {
        format!(
            "{}: no folder of catalog sources: {advice}",
            folder.display()
        )
    })?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with(&format!("{name}-")) && file.ends_with(".json")
        })
        .collect();
    match (found.pop(), found.is_empty()) {
        (Some(path), true) => Ok(path),
        (None, _) => bail!("{}: no {name}-<version>.json: {advice}", folder.display()),
        _ => bail!(
            "{}: more than one {name}-<version>.json: {advice}",
            folder.display()
        ),
    }
}
