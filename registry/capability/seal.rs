//! Sealing: everything is checked once, and every problem is told.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::builder::CapabilityRegistry;
use super::error::{SealError, SealProblem};
use super::registry::Registry;
use crate::component::{ComponentId, ComponentKind, Origin};
use crate::tool::{RegistryEntry, Requirements, ToolTable, input_problem, unwind};

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

    pub(super) fn seal_as(mut self, version: u64) -> Result<Registry, SealError> {
        let mut problems = self.problems();
        if problems.is_empty() {
            problems = self.make_models();
        }
        if !problems.is_empty() {
            return Err(SealError::new(problems, self));
        }
        // Not before: a route's models have their handles now.
        let routers = match self.resolve_routers() {
            Ok(routers) => routers,
            Err(problems) => return Err(SealError::new(problems, self)),
        };
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
        Ok(Registry::new(components, routers, Arc::new(table), version))
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
            self.check_requirements(row, &mut problems);
            check_input(row, &mut problems);
        }
        for (name, row) in &self.components.models {
            if let (None, Some(declared)) = (&row.handle, row.declared)
                && let Some(factory) = declared.factory()
            {
                problems.extend(self.missing_state(
                    ComponentKind::Model,
                    name,
                    &Origin::Declared(declared.component().source()),
                    &factory.requirements(),
                ));
            }
        }
        // What is known of models is known before their handles are made.
        problems.extend(self.resolve_routers().err().into_iter().flatten());
        problems.extend(self.components.dangling().filter_map(|binding| {
            Some(SealProblem::DanglingAlias {
                alias: ComponentId::new(binding.kind, binding.alias).ok()?,
                canonical: binding.canonical,
            })
        }));
        problems
    }

    fn check_requirements(&self, row: &RegistryEntry, problems: &mut Vec<SealProblem>) {
        let Some(native) = row.native() else { return };
        match unwind::caught(|| native.descriptor().requirements()) {
            Ok(requirements) => problems.extend(self.missing_state(
                ComponentKind::Tool,
                row.name(),
                &row.origin(),
                &requirements,
            )),
            Err(message) => problems.push(panicked(row, "FromToolCall::requires", message)),
        }
    }

    /// What a component injects and the registry was not given.
    fn missing_state(
        &self,
        kind: ComponentKind,
        name: &str,
        origin: &Origin,
        requirements: &Requirements,
    ) -> Vec<SealProblem> {
        let missing: BTreeSet<&'static str> = requirements
            .states()
            .iter()
            .filter(|(id, _)| !self.host.provided.has(*id))
            .map(|(_, type_name)| *type_name)
            .collect();
        missing
            .into_iter()
            .map(|type_name| SealProblem::MissingState {
                kind,
                name: name.to_owned(),
                type_name,
                origin: origin.clone(),
            })
            .collect()
    }

    /// Makes the handles of the models that are functions under `#[model]`. One that can't be made
    /// is told; the others keep theirs.
    fn make_models(&mut self) -> Vec<SealProblem> {
        let mut problems = Vec::new();
        for (name, row) in &mut self.components.models {
            let (None, Some(declared)) = (&row.handle, row.declared) else {
                continue;
            };
            let Some(factory) = declared.factory() else {
                continue;
            };
            let made = unwind::catch(name, || factory.make(&self.host.provided))
                .unwrap_or_else(|panic| Err(panic.to_string()));
            match made {
                Ok(handle) => row.handle = Some(handle),
                Err(problem) => problems.push(SealProblem::ModelNotMade {
                    model: name.clone(),
                    problem,
                    origin: Origin::Declared(declared.component().source()),
                }),
            }
        }
        problems
    }
}

fn check_input(row: &RegistryEntry, problems: &mut Vec<SealProblem>) {
    if !row.is_input_checked() {
        return;
    }
    match row.try_input_schema() {
        Ok(schema) => {
            if let Some(problem) = input_problem(schema) {
                problems.push(SealProblem::ArgumentsNotAnObject {
                    tool: row.name().to_owned(),
                    problem,
                    origin: row.origin(),
                });
            }
        }
        Err(message) => {
            problems.push(panicked(row, "JsonSchema::json_schema", message.to_owned()));
        }
    }
}

fn panicked(row: &RegistryEntry, function: &'static str, message: String) -> SealProblem {
    SealProblem::Panicked {
        tool: row.name().to_owned(),
        function,
        message,
        origin: row.origin(),
    }
}
