//! What is in a registry, and how it is looked up: the same before and after sealing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::agent::{Agent, AgentRegistry};
use crate::catalog::ModelEntry;
use crate::component::{ComponentId, ComponentKind, ComponentMetadata, Origin, closest_names};
use crate::model::{ChatModel, Model, ModelRegistry, ModelRow};
use crate::router::RouterDefinition;
use crate::tool::RegistryEntry;

/// What is in a registry: components of every kind, and their aliases.
///
/// Everything comes in the order of its name. A [`CapabilityRegistry`](crate::CapabilityRegistry)
/// and a [`Registry`](crate::Registry) both dereference to it.
#[derive(Clone, Default)]
pub struct Components {
    pub(super) rows: BTreeMap<ComponentId, Row>,
    pub(super) tools: BTreeMap<String, RegistryEntry>,
    pub(super) models: BTreeMap<String, ModelRow>,
    pub(super) agents: BTreeMap<String, Arc<dyn Agent>>,
    /// Those routers whose routes are known.
    pub(super) routers: BTreeMap<String, Arc<RouterDefinition>>,
    /// From alias to canonical name.
    pub(super) aliases: BTreeMap<ComponentId, String>,
}

#[derive(Clone)]
pub(super) struct Row {
    pub(super) metadata: ComponentMetadata,
    pub(super) origin: Origin,
}

impl Components {
    /// The handle of the model of this name or alias. A model may be registered without one: then
    /// there are only its facts.
    pub fn model(&self, name: &str) -> Option<&Arc<dyn ChatModel>> {
        self.model_row(name)?.handle.as_ref()
    }

    /// The facts of the model of this name or alias: those of its `#[model]`, or those that
    /// [`set_model_entry`](crate::CapabilityRegistry::set_model_entry) gave it.
    pub fn model_entry(&self, name: &str) -> Option<&ModelEntry> {
        self.model_row(name)?.entry.as_ref()
    }

    /// The handle of a model by its type.
    pub fn model_of<M: Model>(&self) -> Option<&Arc<dyn ChatModel>> {
        self.models
            .get(M::DESCRIPTOR.name())
            .filter(|row| row.is_of(M::DESCRIPTOR))?
            .handle
            .as_ref()
    }

    fn model_row(&self, name: &str) -> Option<&ModelRow> {
        self.models.get(self.canonical(ComponentKind::Model, name)?)
    }

    /// The row of the tool of this name or alias.
    pub fn tool(&self, name: &str) -> Option<&RegistryEntry> {
        self.tools.get(self.canonical(ComponentKind::Tool, name)?)
    }

    /// The agent of this name or alias.
    pub fn agent(&self, name: &str) -> Option<&Arc<dyn Agent>> {
        self.agents.get(self.canonical(ComponentKind::Agent, name)?)
    }

    /// Whether there is a component of this kind and name or alias.
    pub fn has(&self, kind: ComponentKind, name: &str) -> bool {
        self.metadata(kind, name).is_some()
    }

    /// What is said of the component of this kind and name or alias.
    pub fn metadata(&self, kind: ComponentKind, name: &str) -> Option<&ComponentMetadata> {
        let id = ComponentId::new(kind, self.canonical(kind, name)?).ok()?;
        self.rows.get(&id).map(|row| &row.metadata)
    }

    /// Where the component of this kind and name or alias comes from.
    pub fn origin(&self, kind: ComponentKind, name: &str) -> Option<Origin> {
        let id = ComponentId::new(kind, self.canonical(kind, name)?).ok()?;
        self.rows.get(&id).map(|row| row.origin.clone())
    }

    /// The names of the components of a kind, without aliases.
    pub fn names(&self, kind: ComponentKind) -> Vec<&str> {
        self.rows
            .keys()
            .filter(|id| id.kind() == kind)
            .map(ComponentId::name)
            .collect()
    }

    /// The names and the aliases of the components of a kind.
    pub fn names_including_aliases(&self, kind: ComponentKind) -> Vec<&str> {
        let mut names = self.names(kind);
        names.extend(
            self.aliases
                .keys()
                .filter(|alias| alias.kind() == kind)
                .map(ComponentId::name),
        );
        names.sort_unstable();
        names
    }

    /// Names and aliases of a kind that someone who wrote `name` may have meant, nearest first,
    /// three at most. For people: it doesn't ask what a context may see.
    pub fn closest(&self, kind: ComponentKind, name: &str) -> Vec<String> {
        closest_names(name, self.names_including_aliases(kind))
    }

    /// The rows of all tools.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &RegistryEntry> {
        self.tools.values()
    }

    /// How many components of all kinds there are, without aliases.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no component.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The models that have a handle, by name and by alias.
    pub fn to_model_registry(&self) -> ModelRegistry {
        let names = self.names_including_aliases(ComponentKind::Model);
        ModelRegistry::new(
            names
                .into_iter()
                .filter_map(|name| Some((name.to_owned(), Arc::clone(self.model(name)?))))
                .collect(),
        )
    }

    /// The rows of the tools, by canonical name only: a model is shown one name for a tool.
    pub fn to_tool_registry(&self) -> BTreeMap<String, RegistryEntry> {
        self.tools.clone()
    }

    /// The aliases of a component, sorted.
    pub(super) fn aliases_of(&self, id: &ComponentId) -> Vec<String> {
        self.aliases
            .iter()
            .filter(|(alias, canonical)| alias.kind() == id.kind() && *canonical == id.name())
            .map(|(alias, _)| alias.name().to_owned())
            .collect()
    }

    /// The name behind a name or an alias.
    pub(super) fn canonical<'a>(&'a self, kind: ComponentKind, name: &'a str) -> Option<&'a str> {
        if self.aliases.is_empty() {
            return Some(name);
        }
        let id = ComponentId::new(kind, name).ok()?;
        Some(self.aliases.get(&id).map_or(name, String::as_str))
    }
}

impl AgentRegistry for Components {
    fn agent(&self, name: &str) -> Option<Arc<dyn Agent>> {
        self.agent(name).cloned()
    }

    fn agent_names(&self) -> Vec<String> {
        self.agents.keys().cloned().collect()
    }
}

impl fmt::Debug for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Components")
            .field("components", &self.rows.keys().collect::<Vec<_>>())
            .field("aliases", &self.aliases)
            .finish()
    }
}
