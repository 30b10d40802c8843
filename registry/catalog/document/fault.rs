//! What is wrong with a document, line by line.

use std::fmt;

/// The name that faults give the document, unless told another.
pub const DOCUMENT_NAME: &str = "model-catalog.snapshot.json";

/// How many faults are kept one by one; the rest is counted.
const MAX_FAULTS: usize = 1_000;

/// One thing that is wrong with a catalog document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct CatalogFault {
    /// The entry, as `provider/model-id`, or `models[3]` where it has no usable key. `None` for
    /// the document as a whole.
    pub entry: Option<String>,
    /// The field, as a path: `pricing.tiers[0].input`.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for CatalogFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entry) = &self.entry {
            write!(f, "{entry}: ")?;
        }
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// What is wrong with a catalog document, sorted by entry and field: the first 1,000 faults, and
/// how many there are beside them.
///
/// It displays as one line a fault: `model-catalog.snapshot.json: openai/gpt-4o: pricing.input:
/// must not be negative`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogFaults {
    document: String,
    faults: Vec<CatalogFault>,
    more: usize,
}

impl CatalogFaults {
    pub(crate) fn new() -> Self {
        Self {
            document: DOCUMENT_NAME.to_owned(),
            faults: Vec::new(),
            more: 0,
        }
    }

    pub(crate) fn push(&mut self, entry: Option<&str>, field: &str, message: impl Into<String>) {
        if self.faults.len() == MAX_FAULTS {
            self.more += 1;
            return;
        }
        self.faults.push(CatalogFault {
            entry: entry.map(str::to_owned),
            field: field.to_owned(),
            message: message.into(),
        });
    }

    /// How many faults there are so far.
    pub(crate) fn len(&self) -> usize {
        self.faults.len() + self.more
    }

    pub(crate) fn or<T>(mut self, value: T) -> Result<T, Self> {
        if self.faults.is_empty() {
            return Ok(value);
        }
        self.faults.sort();
        self.faults.dedup();
        Err(self)
    }

    /// The same faults, with another name for the document.
    #[must_use]
    pub fn in_document(mut self, name: impl Into<String>) -> Self {
        self.document = name.into();
        self
    }

    /// The faults, sorted, 1,000 at most. There is at least one.
    #[must_use]
    pub fn faults(&self) -> &[CatalogFault] {
        &self.faults
    }

    /// How many faults there are beside [`faults`](Self::faults).
    #[must_use]
    pub fn more(&self) -> usize {
        self.more
    }

    /// The line of each fault, and one for those that are only counted.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let rest = (self.more > 0).then(|| format!("{}: and {} more", self.document, self.more));
        self.faults
            .iter()
            .map(|fault| format!("{}: {fault}", self.document))
            .chain(rest)
    }
}

impl fmt::Display for CatalogFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, line) in self.lines().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&line)?;
        }
        Ok(())
    }
}

impl std::error::Error for CatalogFaults {}
