//! The registry while it is filled.

use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;

use super::components::{Components, Row};
use super::error::RegistryError;
use crate::agent::{Agent, AgentRegistry};
use crate::catalog::ModelEntry;
use crate::component::{ComponentId, ComponentKind, ComponentMetadata, Origin};
use crate::model::{ChatModel, Model, ModelDescriptor, ModelRow};
#[cfg(feature = "dynamic")]
use crate::tool::DynamicTool;
#[cfg(feature = "mcp")]
use crate::tool::McpEntry;
use crate::tool::{
    Approvals, Approver, Authorizer, NativeEntry, Provided, RegistryEntry, Risk, Rules, Tool,
};

/// A registry while it is filled: one per application, test, tenant or workspace.
///
/// [`collect`](Self::collect) starts from what this program's attributes declared, and
/// [`new`](Self::new) from nothing. `register_*` refuses a name that is taken; `replace_*` takes
/// its place. A method that fails leaves the registry as it was. [`seal`](Self::seal) checks
/// everything and gives the [`Registry`](crate::Registry) that calls go through.
#[derive(Clone, Debug, Default)]
pub struct CapabilityRegistry {
    pub(super) components: Components,
    pub(super) host: Host,
}

/// What the host gave besides components.
#[derive(Clone, Default)]
pub(super) struct Host {
    pub(super) provided: Provided,
    pub(super) rules: Rules,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("provided", &self.provided.len())
            .field("authorizer", &self.rules.authorizer.is_some())
            .field("approver", &self.rules.approver.is_some())
            .field("approval_from", &self.rules.approval_from)
            .finish_non_exhaustive()
    }
}

/// Whether a name that is taken is an error or makes room.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum IfTaken {
    Refuse,
    Replace,
}

impl CapabilityRegistry {
    /// A registry with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a tool by its type: the same row as a collected one.
    pub fn register_tool<T: Tool>(&mut self) -> Result<&mut Self, RegistryError> {
        self.add_native::<T>(IfTaken::Refuse)
    }

    /// Puts a tool in the place of the one that has its name, if any.
    pub fn replace_tool<T: Tool>(&mut self) -> Result<&mut Self, RegistryError> {
        self.add_native::<T>(IfTaken::Replace)
    }

    fn add_native<T: Tool>(&mut self, if_taken: IfTaken) -> Result<&mut Self, RegistryError> {
        let entry = RegistryEntry::Native(NativeEntry::new(T::descriptor()));
        self.add_entry(entry, if_taken)
    }

    /// Registers a tool whose schema and handler are given now.
    #[cfg(feature = "dynamic")]
    #[cfg_attr(docsrs, doc(cfg(feature = "dynamic")))]
    #[track_caller]
    pub fn register_dynamic(&mut self, tool: DynamicTool) -> Result<&mut Self, RegistryError> {
        self.add_dynamic(tool, IfTaken::Refuse, Location::caller())
    }

    /// Puts a tool in the place of the one that has its name, if any.
    #[cfg(feature = "dynamic")]
    #[cfg_attr(docsrs, doc(cfg(feature = "dynamic")))]
    #[track_caller]
    pub fn replace_dynamic(&mut self, tool: DynamicTool) -> Result<&mut Self, RegistryError> {
        self.add_dynamic(tool, IfTaken::Replace, Location::caller())
    }

    #[cfg(feature = "dynamic")]
    fn add_dynamic(
        &mut self,
        tool: DynamicTool,
        if_taken: IfTaken,
        registered: &'static Location<'static>,
    ) -> Result<&mut Self, RegistryError> {
        // The name first: it is in the message about the schema.
        name_of(ComponentKind::Tool, tool.name())?;
        let name = tool.name().to_owned();
        let entry =
            tool.into_entry(registered)
                .map_err(|problem| RegistryError::InvalidSchema {
                    tool: name,
                    problem,
                })?;
        self.add_entry(RegistryEntry::Dynamic(entry), if_taken)
    }

    /// Registers the tools of an MCP server, as its connection gives them: all, or none.
    ///
    /// # Errors
    ///
    /// [`RegistryError::Taken`] with both places when a name is taken, be it by a function of this
    /// program or by another server: name the server's tools otherwise (`mcp::Naming`).
    #[cfg(feature = "mcp")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mcp")))]
    pub fn register_mcp(
        &mut self,
        tools: impl IntoIterator<Item = McpEntry>,
    ) -> Result<&mut Self, RegistryError> {
        let mut filled = self.clone();
        for tool in tools {
            filled.add_entry(RegistryEntry::Mcp(tool), IfTaken::Refuse)?;
        }
        *self = filled;
        Ok(self)
    }

    /// Puts `tools` in the place of the rows that `is_old` names. A row that stays under its name
    /// keeps the words that the host gave it.
    #[cfg(feature = "mcp")]
    pub(crate) fn exchange_mcp(
        &mut self,
        is_old: impl Fn(&McpEntry) -> bool,
        tools: Vec<McpEntry>,
    ) -> Result<(), RegistryError> {
        let mut old: std::collections::BTreeSet<String> = self
            .components
            .tools()
            .filter_map(|row| match row {
                RegistryEntry::Mcp(tool) if is_old(tool) => Some(tool.name().to_owned()),
                _ => None,
            })
            .collect();
        for tool in tools {
            let if_taken = match old.remove(tool.name()) {
                true => IfTaken::Replace,
                false => IfTaken::Refuse,
            };
            self.add_entry(RegistryEntry::Mcp(tool), if_taken)?;
        }
        for name in old {
            self.remove(ComponentKind::Tool, &name);
        }
        Ok(())
    }

    pub(super) fn add_declared(&mut self, entry: RegistryEntry) -> Result<(), RegistryError> {
        self.add_entry(entry, IfTaken::Refuse).map(|_| ())
    }

    fn add_entry(
        &mut self,
        entry: RegistryEntry,
        if_taken: IfTaken,
    ) -> Result<&mut Self, RegistryError> {
        let metadata = entry
            .metadata()
            .map_err(|error| RegistryError::InvalidName {
                kind: ComponentKind::Tool,
                error,
            })?;
        let name = self.admit(metadata, entry.origin(), if_taken)?;
        self.components.tools.insert(name, entry);
        Ok(self)
    }

    /// Registers a handle of a model under a name.
    #[track_caller]
    pub fn register_model(
        &mut self,
        name: impl Into<String>,
        model: Arc<dyn ChatModel>,
    ) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        let row = ModelRow::of_handle(model);
        self.add_model(name.into(), row, IfTaken::Refuse, place)
    }

    /// Puts a handle in the place of the model that has the name, if any. What is known of that
    /// model is kept.
    #[track_caller]
    pub fn replace_model(
        &mut self,
        name: impl Into<String>,
        model: Arc<dyn ChatModel>,
    ) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        let row = ModelRow::of_handle(model);
        self.add_model(name.into(), row, IfTaken::Replace, place)
    }

    fn add_model(
        &mut self,
        name: String,
        row: ModelRow,
        if_taken: IfTaken,
        origin: Origin,
    ) -> Result<&mut Self, RegistryError> {
        let metadata = ComponentMetadata::new(name_of(ComponentKind::Model, &name)?);
        let name = self.admit(metadata, origin, if_taken)?;
        let row = match self.components.models.remove(&name) {
            Some(replaced) => row.or_facts_of(replaced),
            None => row,
        };
        self.components.models.insert(name, row);
        Ok(self)
    }

    /// Registers a model by its type: the same row as a collected one.
    pub fn register_model_of<M: Model>(&mut self) -> Result<&mut Self, RegistryError> {
        self.add_declared_model(M::DESCRIPTOR)?;
        Ok(self)
    }

    pub(super) fn add_declared_model(
        &mut self,
        model: &'static ModelDescriptor,
    ) -> Result<(), RegistryError> {
        let metadata = model.component().metadata();
        let origin = Origin::Declared(model.component().source());
        let name = self.admit(metadata, origin, IfTaken::Refuse)?;
        let row = ModelRow::of_descriptor(model);
        self.components.models.insert(name, row);
        Ok(())
    }

    /// Gives a registered model its handle, in the place of the one that it has, if any. Sealing
    /// then doesn't call the function that the `#[model]` may stand on.
    ///
    /// # Errors
    ///
    /// [`RegistryError::Unknown`] when the model isn't registered.
    pub fn bind_model<M: Model>(
        &mut self,
        handle: impl ChatModel,
    ) -> Result<&mut Self, RegistryError> {
        match self.components.models.get_mut(M::DESCRIPTOR.name()) {
            Some(row) if row.is_of(M::DESCRIPTOR) => {
                row.handle = Some(Arc::new(handle));
                Ok(self)
            }
            _ => Err(self.unknown(name_of(ComponentKind::Model, M::DESCRIPTOR.name())?)),
        }
    }

    /// Registers a model of which there are facts and no handle: for a router to choose, and the
    /// program to call in its own way.
    #[track_caller]
    pub fn register_model_entry(
        &mut self,
        name: impl Into<String>,
        entry: ModelEntry,
    ) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        let row = ModelRow::of_entry(entry);
        self.add_model(name.into(), row, IfTaken::Refuse, place)
    }

    /// Says what is known of a model that was registered with a handle: its limits, capabilities
    /// and prices, which routes to it are held against.
    ///
    /// # Errors
    ///
    /// [`RegistryError::Unknown`] when no model has this name. An alias is none.
    pub fn set_model_entry(
        &mut self,
        name: &str,
        entry: ModelEntry,
    ) -> Result<&mut Self, RegistryError> {
        match self.components.models.get_mut(name) {
            Some(row) => {
                row.entry = Some(entry);
                Ok(self)
            }
            None => Err(self.unknown(name_of(ComponentKind::Model, name)?)),
        }
    }

    /// Registers an agent under the name that it gives itself.
    #[track_caller]
    pub fn register_agent(&mut self, agent: impl Agent) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        self.add_agent(Arc::new(agent), place, IfTaken::Refuse)
    }

    /// Puts an agent in the place of the one that has its name, if any.
    #[track_caller]
    pub fn replace_agent(&mut self, agent: impl Agent) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        self.add_agent(Arc::new(agent), place, IfTaken::Replace)
    }

    pub(super) fn add_declared_agent(
        &mut self,
        agent: Arc<dyn Agent>,
        origin: Origin,
    ) -> Result<(), RegistryError> {
        self.add_agent(agent, origin, IfTaken::Refuse).map(|_| ())
    }

    fn add_agent(
        &mut self,
        agent: Arc<dyn Agent>,
        origin: Origin,
        if_taken: IfTaken,
    ) -> Result<&mut Self, RegistryError> {
        let metadata = ComponentMetadata::new(name_of(ComponentKind::Agent, agent.name())?)
            .with_description(agent.description())
            .with_tags(agent.tags());
        let name = self.admit(metadata, origin, if_taken)?;
        self.components.agents.insert(name, agent);
        Ok(self)
    }

    /// Registers the name of a router: of one that is the application's own, and that callboard
    /// knows no routes of. [`register_model_router`](Self::register_model_router) registers routes
    /// between models.
    #[track_caller]
    pub fn register_router(&mut self, name: impl Into<String>) -> Result<&mut Self, RegistryError> {
        self.register_descriptor(ComponentKind::Router, name)
    }

    /// Registers a component that is a name and words: every kind but model, tool and agent.
    #[track_caller]
    pub fn register_descriptor(
        &mut self,
        kind: ComponentKind,
        name: impl Into<String>,
    ) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        let metadata = ComponentMetadata::new(name_of(kind, &name.into())?);
        self.add_name(metadata, place, IfTaken::Refuse)
    }

    /// Puts a component with these words in the place of the one that has its kind and name, if
    /// any. Words and tags that the new one lacks are kept from the old one.
    #[track_caller]
    pub fn replace_descriptor(
        &mut self,
        metadata: ComponentMetadata,
    ) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        self.add_name(metadata, place, IfTaken::Replace)
    }

    pub(super) fn add_declared_name(
        &mut self,
        metadata: ComponentMetadata,
        origin: Origin,
    ) -> Result<(), RegistryError> {
        self.add_name(metadata, origin, IfTaken::Refuse).map(|_| ())
    }

    fn add_name(
        &mut self,
        metadata: ComponentMetadata,
        origin: Origin,
        if_taken: IfTaken,
    ) -> Result<&mut Self, RegistryError> {
        let kind = metadata.id.kind();
        if !kind.is_name_only() {
            return Err(RegistryError::NeedsHandle { kind });
        }
        let id = metadata.id.clone();
        self.admit(metadata, origin, if_taken)?;
        if kind == ComponentKind::Router {
            // What was replaced may have had routes; a name has none.
            self.forget_routes(&id);
        }
        Ok(self)
    }

    /// Adds words and tags to a component, in the place of those that it has; what is empty
    /// leaves them.
    ///
    /// They are what this registry says of it, so a tool's description is what models are shown:
    /// a program can word a tool of another crate for its own models. A row
    /// ([`tool`](Components::tool)) goes on saying what the tool's code declares, and that is what
    /// an authorizer sees.
    pub fn describe<T: Into<String>>(
        &mut self,
        kind: ComponentKind,
        name: &str,
        description: impl Into<String>,
        tags: impl IntoIterator<Item = T>,
    ) -> Result<&mut Self, RegistryError> {
        let id = name_of(kind, name)?;
        match self.components.rows.get_mut(&id) {
            None => Err(self.unknown(id)),
            Some(row) => {
                let mut described = ComponentMetadata::new(id)
                    .with_description(description)
                    .with_tags(tags);
                described.keep_richer(&row.metadata);
                described.aliases = std::mem::take(&mut row.metadata.aliases);
                row.metadata = described;
                Ok(self)
            }
        }
    }

    /// Gives a component a second name. The target must be registered, and not be an alias.
    pub fn alias(
        &mut self,
        kind: ComponentKind,
        alias: impl Into<String>,
        target: &str,
    ) -> Result<&mut Self, RegistryError> {
        let alias = name_of(kind, &alias.into())?;
        let target_id = name_of(kind, target)?;
        if let Some(canonical) = self.components.aliases.get(&target_id) {
            return Err(RegistryError::AliasOfAlias {
                alias,
                target: target.to_owned(),
                canonical: canonical.clone(),
            });
        }
        let Some(origin) = self
            .components
            .rows
            .get(&target_id)
            .map(|row| row.origin.clone())
        else {
            return Err(self.unknown(target_id));
        };
        self.check_free(&alias, &origin)?;
        if let Some(row) = self.components.rows.get_mut(&target_id) {
            row.metadata.aliases.push(alias.name().to_owned());
            row.metadata.aliases.sort();
        }
        self.components.aliases.insert(alias, target.to_owned());
        Ok(self)
    }

    /// Takes a component or an alias out; returns whether it was there. Aliases of a component
    /// that is gone are left, and [`seal`](Self::seal) refuses them.
    ///
    /// The routes of a router go with it, and a route goes with its alias.
    pub fn remove(&mut self, kind: ComponentKind, name: &str) -> bool {
        let Ok(id) = ComponentId::new(kind, name) else {
            return false;
        };
        if let Some(canonical) = self.components.aliases.remove(&id) {
            if let Ok(target) = ComponentId::new(kind, canonical)
                && let Some(row) = self.components.rows.get_mut(&target)
            {
                row.metadata.aliases.retain(|alias| alias != name);
                if kind == ComponentKind::Router {
                    self.forget_route(target.name(), name);
                }
            }
            return true;
        }
        match kind {
            ComponentKind::Tool => drop(self.components.tools.remove(name)),
            ComponentKind::Model => drop(self.components.models.remove(name)),
            ComponentKind::Agent => drop(self.components.agents.remove(name)),
            ComponentKind::Router => self.forget_routes(&id),
            _ => {}
        }
        self.components.rows.remove(&id).is_some()
    }

    /// Gives the tools a value to inject as `State<'_, T>`: one of each type.
    pub fn provide<T: Send + Sync + 'static>(&mut self, value: T) -> &mut Self {
        self.host.provided.insert(value);
        self
    }

    /// Puts a value in the place of the one of its type, if any: for a new version of a registry
    /// whose state changed, or to mend one that was given two.
    pub fn replace_provided<T: Send + Sync + 'static>(&mut self, value: T) -> &mut Self {
        self.host.provided.replace(value);
        self
    }

    /// Sets who decides what a context may see and run; without one, everything.
    ///
    /// ```
    /// use callboard::{CapabilityRegistry, Decision, RegistryEntry, ToolCallContext};
    ///
    /// struct Admin;
    ///
    /// let mut reg = CapabilityRegistry::new();
    /// reg.set_authorizer(|row: &RegistryEntry, ctx: &ToolCallContext| {
    ///     if row.policy().read_only || ctx.extension::<Admin>().is_some() {
    ///         Decision::Allow
    ///     } else {
    ///         Decision::deny("only an admin may change something")
    ///     }
    /// });
    /// ```
    pub fn set_authorizer(&mut self, authorizer: impl Authorizer) -> &mut Self {
        self.host.rules.authorizer = Some(Arc::new(authorizer));
        self
    }

    /// Sets who approves calls while they wait; without one, a call that needs an approval and
    /// brings none fails with [`ApprovalRequired`](crate::DispatchError::ApprovalRequired), to be
    /// granted later (see [`Approvals`]).
    ///
    /// A closure decides by a rule; an [`Approver`] that asks a person implements the trait, and
    /// may wait.
    ///
    /// ```
    /// use callboard::{ApprovalDecision, ApprovalRequest, CapabilityRegistry, Risk};
    ///
    /// let mut reg = CapabilityRegistry::new();
    /// reg.require_approval_from(Risk::Medium)
    ///     .set_approver(|request: &ApprovalRequest| match request.risk() {
    ///         Risk::High => ApprovalDecision::deny("nobody is there to look at it"),
    ///         _ => ApprovalDecision::Approve,
    ///     });
    /// ```
    pub fn set_approver(&mut self, approver: impl Approver) -> &mut Self {
        self.host.rules.approver = Some(Arc::new(approver));
        self
    }

    /// Sets where requests for approval are kept: to share them between versions of a registry,
    /// or for another time to live than five minutes.
    pub fn set_approvals(&mut self, approvals: Approvals) -> &mut Self {
        self.host.rules.approvals = approvals;
        self
    }

    /// Asks for an approval of every tool of this risk or a higher one, whatever it declares.
    pub fn require_approval_from(&mut self, risk: Risk) -> &mut Self {
        self.host.rules.approval_from = Some(risk);
        self
    }

    /// Sets the most bytes that the arguments of one call may have; 1 MiB unless set.
    pub fn set_max_argument_bytes(&mut self, bytes: usize) -> &mut Self {
        self.host.rules.limits.bytes = bytes;
        self
    }

    /// Enters the row of a component, or refuses it; gives its name.
    pub(super) fn admit(
        &mut self,
        mut metadata: ComponentMetadata,
        origin: Origin,
        if_taken: IfTaken,
    ) -> Result<String, RegistryError> {
        match if_taken {
            IfTaken::Refuse => self.check_free(&metadata.id, &origin)?,
            IfTaken::Replace => self.check_no_alias(&metadata.id, &origin)?,
        }
        // Also those that were left when a component of this name was removed.
        metadata.aliases = self.components.aliases_of(&metadata.id);
        if let Some(replaced) = self.components.rows.get(&metadata.id) {
            metadata.keep_richer(&replaced.metadata);
        }
        let name = metadata.id.name().to_owned();
        self.components
            .rows
            .insert(metadata.id.clone(), Row { metadata, origin });
        Ok(name)
    }

    fn check_free(&self, id: &ComponentId, refused: &Origin) -> Result<(), RegistryError> {
        self.check_no_alias(id, refused)?;
        match self.components.rows.get(id) {
            None => Ok(()),
            Some(row) => Err(RegistryError::Taken {
                id: id.clone(),
                existing: row.origin.clone(),
                refused: refused.clone(),
            }),
        }
    }

    fn check_no_alias(&self, id: &ComponentId, refused: &Origin) -> Result<(), RegistryError> {
        match self.components.aliases.get(id) {
            None => Ok(()),
            Some(canonical) => Err(RegistryError::TakenByAlias {
                id: id.clone(),
                canonical: canonical.clone(),
                refused: refused.clone(),
            }),
        }
    }

    fn unknown(&self, id: ComponentId) -> RegistryError {
        RegistryError::Unknown {
            closest: self.components.closest(id.kind(), id.name()),
            id,
        }
    }
}

pub(super) fn name_of(kind: ComponentKind, name: &str) -> Result<ComponentId, RegistryError> {
    ComponentId::new(kind, name).map_err(|error| RegistryError::InvalidName { kind, error })
}

impl Deref for CapabilityRegistry {
    type Target = Components;

    fn deref(&self) -> &Components {
        &self.components
    }
}

impl AgentRegistry for CapabilityRegistry {
    fn agent(&self, name: &str) -> Option<Arc<dyn Agent>> {
        self.components.agent(name).cloned()
    }

    fn agent_names(&self) -> Vec<String> {
        self.components.agent_names()
    }
}
