//! The board: what a registry holds, on one screen.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use callboard::{ComponentKind, Origin, Registry, RegistryEntry, Risk, ToolPolicy};
use comfy_table::{
    Attribute, Cell, Color, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle,
    Width,
};

use crate::models_board;
use crate::terminal::{BOLD, FAINT, WARN, say, width};

/// Prints the tools, by the crate that declares them, and then the models.
pub(crate) fn print(registry: &Registry) -> io::Result<()> {
    let groups = by_crate(registry);
    let names = registry
        .tools()
        .map(|row| row.name().len())
        .max()
        .unwrap_or_default();
    let places = registry
        .tools()
        .map(|row| place(row).len())
        .max()
        .unwrap_or_default();
    say!(
        "{BOLD}callboard workbench{BOLD:#}  {} tools from {} crates",
        registry.tools().len(),
        groups.len()
    )?;
    for (group, rows) in groups {
        say!(
            "\n{BOLD}{}{BOLD:#}  {FAINT}{}{FAINT:#}",
            group.name,
            group.folder
        )?;
        say!("{}", table(&rows, names, places).trim_fmt())?;
    }
    let snapshot = registry.snapshot();
    for binding in &snapshot.aliases {
        if binding.kind == ComponentKind::Tool {
            say!(
                "\n{BOLD}{}{BOLD:#} is another name of {}",
                binding.alias,
                binding.canonical
            )?;
        }
    }
    models_board::print(registry)?;
    for diagnostic in registry.diagnostics() {
        say!("{WARN}note{WARN:#}: {diagnostic}")?;
    }
    Ok(())
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    name: String,
    folder: String,
}

fn by_crate(registry: &Registry) -> BTreeMap<Group, Vec<&RegistryEntry>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in registry.tools() {
        groups.entry(group(row)).or_default().push(row);
    }
    groups
}

fn group(row: &RegistryEntry) -> Group {
    match row.origin() {
        Origin::Declared(source) => {
            let krate = source.module_path.split("::").next().unwrap_or_default();
            let package = format!("{} {}", source.crate_name, source.crate_version);
            Group {
                name: if krate == source.crate_name.replace('-', "_") {
                    package
                } else {
                    format!("{krate} of {package}")
                },
                folder: folder(source.file),
            }
        }
        _ => Group {
            name: "registered while running".to_owned(),
            folder: String::new(),
        },
    }
}

fn folder(file: &str) -> String {
    Path::new(file)
        .parent()
        .map(|folder| folder.display().to_string())
        .unwrap_or_default()
}

/// The file and the line, without the folder that stands above.
fn place(row: &RegistryEntry) -> String {
    let (file, line) = match row.origin() {
        Origin::Declared(source) => (source.file, source.line),
        Origin::Registered(at) => (at.file(), at.line()),
        _ => return String::new(),
    };
    let file = Path::new(file)
        .file_name()
        .map(|name| name.to_string_lossy())
        .unwrap_or_default();
    format!("{file}:{line}")
}

fn table(rows: &[&RegistryEntry], names: usize, places: usize) -> Table {
    let mut table = styled([
        "tool",
        "does",
        "risk",
        "approval",
        "timeout",
        "declared",
        "what it is for",
    ]);
    for row in rows {
        let policy = row.policy();
        table.add_row([
            Cell::new(row.name()).add_attribute(Attribute::Bold),
            does(policy),
            risk(policy.risk),
            if policy.requires_approval {
                Cell::new("needed").fg(Color::Yellow)
            } else {
                Cell::new("—")
            },
            Cell::new(policy.timeout.map_or_else(|| "none".to_owned(), seconds)),
            Cell::new(place(row)).add_attribute(Attribute::Dim),
            Cell::new(row.description().lines().next().unwrap_or_default()),
        ]);
    }
    let fixed = [
        names,
        "destroys".len(),
        "medium".len(),
        "approval".len(),
        "timeout".len(),
        places,
    ];
    for (column, width) in fixed.into_iter().enumerate() {
        // The padding counts.
        let width = u16::try_from(width + 2).unwrap_or(u16::MAX);
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
        }
    }
    table
}

/// A table of the board, with these heads of columns.
pub(crate) fn styled<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width()).unwrap_or(u16::MAX))
        // What prints it takes the colours away where there should be none.
        .enforce_styling()
        .set_header(header);
    table
}

fn does(policy: &ToolPolicy) -> Cell {
    match policy {
        policy if policy.read_only => Cell::new("reads").fg(Color::Green),
        policy if policy.destructive => Cell::new("destroys").fg(Color::Red),
        _ => Cell::new("writes").fg(Color::Yellow),
    }
}

fn risk(risk: Risk) -> Cell {
    let cell = Cell::new(risk);
    match risk {
        Risk::Low => cell,
        Risk::Medium => cell.fg(Color::Yellow),
        Risk::High => cell.fg(Color::Red),
    }
}

fn seconds(limit: Duration) -> String {
    format!("{limit:?}")
}
