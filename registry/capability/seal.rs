//! Sealing: everything is checked once, and every problem is told.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::builder::CapabilityRegistry;
use super::error::{SealError, SealProblem};
use super::registry::Registry;
use crate::component::{ComponentId, ComponentKind};
use crate::tool::ToolTable;

/// The version of a registry that no [`LiveRegistry`](crate::LiveRegistry) published.
const FIRST_VERSION: u64 = 1;

impl CapabilityRegistry {
    /// Checks everything, and freezes the registry for calls.
    ///
    /// # Errors
    ///
    /// Every problem there is, and the registry itself, to be mended and sealed again.
    pub fn seal(self) -> Result<Registry, SealError> {
        self.seal_as(FIRST_VERSION)
    }

    pub(super) fn seal_as(self, version: u64) -> Result<Registry, SealError> {
        let problems = self.problems();
        if !problems.is_empty() {
            return Err(SealError::new(problems, self));
        }
        let Self { components, host } = self;
        let table = ToolTable::new(
            components.tools.values().cloned().collect(),
            components
                .aliases
                .iter()
                .filter(|(alias, _)| alias.kind() == ComponentKind::Tool)
                .map(|(alias, canonical)| (alias.name(), canonical.as_str())),
            host.provided,
            host.rules,
        );
        Ok(Registry::new(components, Arc::new(table), version))
    }

    fn problems(&self) -> Vec<SealProblem> {
        let mut problems = Vec::new();
        let mut twice: Vec<_> = self.host.provided.repeated.clone();
        twice.sort_unstable();
        twice.dedup();
        problems.extend(
            twice
                .into_iter()
                .map(|type_name| SealProblem::ProvidedTwice { type_name }),
        );
        for row in self.components.tools.values() {
            if let Some(native) = row.as_native() {
                let requirements = native.descriptor().requirements();
                let missing: BTreeSet<&str> = requirements
                    .states()
                    .iter()
                    .filter(|(id, _)| !self.host.provided.has(*id))
                    .map(|(_, type_name)| *type_name)
                    .collect();
                problems.extend(
                    missing
                        .into_iter()
                        .map(|type_name| SealProblem::MissingState {
                            tool: row.name().to_owned(),
                            type_name,
                            origin: row.origin(),
                        }),
                );
            }
            if let Some(problem) = row.input_problem() {
                problems.push(SealProblem::ArgumentsNotAnObject {
                    tool: row.name().to_owned(),
                    problem,
                    origin: row.origin(),
                });
            }
        }
        problems.extend(self.components.dangling().filter_map(|binding| {
            Some(SealProblem::DanglingAlias {
                alias: ComponentId::new(binding.kind, binding.alias).ok()?,
                canonical: binding.canonical,
            })
        }));
        problems
    }
}
