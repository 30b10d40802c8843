//! The sealed tools of one registry: rows, state and the rules for running them.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::approval::{Approvals, Approver};
use super::authorize::{Authorizer, Decision};
use super::context::{ToolCallContext, TypeMap};
use super::decode::ArgumentLimits;
use super::entry::RegistryEntry;
use super::inject::Provided;
use super::policy::Risk;
use super::unwind;

/// What dispatch works on. Rows are in the order of their names.
pub(crate) struct ToolTable {
    rows: Vec<RegistryEntry>,
    /// Names and aliases.
    by_name: HashMap<String, usize>,
    by_type: TypeMap<usize>,
    pub(crate) provided: Provided,
    pub(crate) rules: Rules,
    pub(super) in_flight: AtomicUsize,
}

/// What the host decided about running tools.
#[derive(Clone, Default)]
pub(crate) struct Rules {
    pub(crate) authorizer: Option<Arc<dyn Authorizer>>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) approvals: Approvals,
    pub(crate) approval_from: Option<Risk>,
    pub(crate) limits: ArgumentLimits,
}

impl ToolTable {
    /// `rows` in the order of their names; `aliases` as pairs of alias and name.
    pub(crate) fn new<'a>(
        rows: Vec<RegistryEntry>,
        aliases: impl Iterator<Item = (&'a str, &'a str)>,
        provided: Provided,
        rules: Rules,
    ) -> Self {
        let mut by_name = HashMap::with_capacity(rows.len());
        let mut by_type = TypeMap::default();
        by_type.reserve(rows.len());
        for (position, row) in rows.iter().enumerate() {
            by_name.insert(row.name().to_owned(), position);
            if let Some(native) = row.as_native() {
                by_type.insert(native.descriptor().parts().type_id, position);
            }
        }
        for (alias, name) in aliases {
            if let Some(position) = by_name.get(name).copied() {
                by_name.insert(alias.to_owned(), position);
            }
        }
        Self {
            rows,
            by_name,
            by_type,
            provided,
            rules,
            in_flight: AtomicUsize::new(0),
        }
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    pub(crate) fn rows(&self) -> &[RegistryEntry] {
        &self.rows
    }

    pub(crate) fn find(&self, name: &str) -> Option<&RegistryEntry> {
        self.rows.get(*self.by_name.get(name)?)
    }

    pub(super) fn find_typed(&self, tool: TypeId) -> Option<&RegistryEntry> {
        self.rows.get(*self.by_type.get(&tool)?)
    }

    /// The one decision about seeing and running. An authorizer that panics denies.
    pub(crate) fn decide(&self, row: &RegistryEntry, context: &ToolCallContext) -> Decision {
        match &self.rules.authorizer {
            None => Decision::Allow,
            Some(authorizer) => unwind::catch(row.name(), || authorizer.decide(row, context))
                .unwrap_or_else(|panic| Decision::deny(format!("the authorizer failed: {panic}"))),
        }
    }
}

impl fmt::Debug for ToolTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolTable")
            .field("rows", &self.rows.len())
            .field("provided", &self.provided.len())
            .field("authorizer", &self.rules.authorizer.is_some())
            .field("approver", &self.rules.approver.is_some())
            .field("in_flight", &self.in_flight)
            .finish_non_exhaustive()
    }
}
