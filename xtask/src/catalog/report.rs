//! What an import did, for people to read.

use std::collections::BTreeMap;
use std::fmt;

/// Findings under headings, in the order in which the headings were first used.
#[derive(Debug, Default)]
pub(crate) struct Report {
    sections: Vec<Section>,
}

#[derive(Debug)]
struct Section {
    title: &'static str,
    lines: Vec<String>,
    counts: BTreeMap<String, usize>,
}

impl Report {
    /// One finding.
    pub(crate) fn line(&mut self, title: &'static str, line: String) {
        self.section(title).lines.push(line);
    }

    /// One more of a kind that is only counted.
    pub(crate) fn count(&mut self, title: &'static str, kind: &str) {
        *self
            .section(title)
            .counts
            .entry(kind.to_owned())
            .or_default() += 1;
    }

    fn section(&mut self, title: &'static str) -> &mut Section {
        let at = self
            .sections
            .iter()
            .position(|section| section.title == title)
            .unwrap_or_else(|| {
                self.sections.push(Section {
                    title,
                    lines: Vec::new(),
                    counts: BTreeMap::new(),
                });
                self.sections.len() - 1
            });
        &mut self.sections[at]
    }

    /// The headings with how much is under each.
    pub(crate) fn summary(&self) -> String {
        self.sections
            .iter()
            .map(|section| {
                let count = section.lines.len() + section.counts.values().sum::<usize>();
                format!("{count:>6}  {}\n", section.title)
            })
            .collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.sections {
            let count = section.lines.len() + section.counts.values().sum::<usize>();
            writeln!(f, "{} ({count})", section.title)?;
            for (kind, count) in &section.counts {
                writeln!(f, "  {count:>5}  {kind}")?;
            }
            let mut lines: Vec<&String> = section.lines.iter().collect();
            lines.sort();
            for line in lines {
                writeln!(f, "  {line}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
