//! Routers between models: registered with their routes, resolved when the registry is sealed.

use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::Arc;

use super::builder::{CapabilityRegistry, IfTaken, name_of};
use super::components::Components;
use super::error::{RegistryError, SealProblem};
use crate::component::{ComponentId, ComponentKind, ComponentMetadata, Origin};
use crate::router::{
    Candidate, ModelRouter, Models, Router, RouterDefinition, RouterDescriptor, resolve,
};

impl CapabilityRegistry {
    /// Registers a router between models. Its routes are aliases of it, so that no two routers
    /// have a route of one name.
    ///
    /// Its models may be registered before or after: [`seal`](Self::seal) checks that each route
    /// can use the models that it names.
    ///
    /// ```
    /// use callboard::{CapabilityRegistry, RouterDefinition, WorkloadRoute};
    ///
    /// let mut reg = CapabilityRegistry::new();
    /// reg.register_model_router(
    ///     RouterDefinition::new("workload").route(WorkloadRoute::new("chat-v1", "gpt-4o")),
    /// )?;
    /// let error = reg.seal().expect_err("there is no such model");
    /// let text = error.to_string();
    /// assert!(text.contains("route `chat-v1`: the target `gpt-4o` is not a registered model"));
    /// # Ok::<(), callboard::RegistryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the definition isn't well-formed by itself, or when its name or that of a route is
    /// taken.
    #[track_caller]
    pub fn register_model_router(
        &mut self,
        definition: RouterDefinition,
    ) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        self.add_model_router(definition, place, IfTaken::Refuse)
    }

    /// Puts a router in the place of the one that has its name, if any. The routes of the old one
    /// go; other aliases of it stay.
    ///
    /// # Errors
    ///
    /// As [`register_model_router`](Self::register_model_router).
    #[track_caller]
    pub fn replace_model_router(
        &mut self,
        definition: RouterDefinition,
    ) -> Result<&mut Self, RegistryError> {
        let place = Origin::Registered(Location::caller());
        self.add_model_router(definition, place, IfTaken::Replace)
    }

    /// Registers a router by its type: the same as a collected one.
    ///
    /// # Errors
    ///
    /// As [`register_model_router`](Self::register_model_router).
    pub fn register_router_of<R: Router>(&mut self) -> Result<&mut Self, RegistryError> {
        self.add_declared_router(R::DESCRIPTOR)?;
        Ok(self)
    }

    pub(super) fn add_declared_router(
        &mut self,
        router: &'static RouterDescriptor,
    ) -> Result<(), RegistryError> {
        let component = router.component();
        let origin = Origin::Declared(component.source());
        self.add_model_router(router.definition(), origin, IfTaken::Refuse)?;
        let tags = component.tags().iter().copied();
        self.describe(
            component.kind(),
            component.name(),
            component.description(),
            tags,
        )?;
        Ok(())
    }

    fn add_model_router(
        &mut self,
        definition: RouterDefinition,
        origin: Origin,
        if_taken: IfTaken,
    ) -> Result<&mut Self, RegistryError> {
        definition.check().map_err(RegistryError::InvalidRouter)?;
        let id = name_of(ComponentKind::Router, &definition.name)?;
        let mut routes = Vec::with_capacity(definition.routes.len());
        for route in &definition.routes {
            let alias = name_of(ComponentKind::Router, &route.alias)?;
            match self.holder_of(&alias) {
                Some(holder) if if_taken == IfTaken::Refuse || holder != id.name() => {
                    return Err(RegistryError::RouteTaken {
                        existing: self.origin(ComponentKind::Router, holder),
                        holder: holder.to_owned(),
                        router: definition.name,
                        route: route.alias.clone(),
                        refused: origin,
                    });
                }
                _ => routes.push(alias),
            }
        }
        let metadata =
            ComponentMetadata::new(id.clone()).with_description(&*definition.description);
        let name = self.admit(metadata, origin, if_taken)?;
        self.forget_routes(&id);
        let aliases = routes.into_iter().map(|alias| (alias, name.clone()));
        self.components.aliases.extend(aliases);
        self.refresh_aliases(&id);
        let definition = Arc::new(definition);
        self.components.routers.insert(name, definition);
        Ok(self)
    }

    /// The router that has this name already, as its own or as an alias.
    fn holder_of(&self, id: &ComponentId) -> Option<&str> {
        match self.components.rows.get_key_value(id) {
            Some((id, _)) => Some(id.name()),
            None => self.components.aliases.get(id).map(String::as_str),
        }
    }

    /// Takes the routes of a router away, with their aliases.
    pub(super) fn forget_routes(&mut self, id: &ComponentId) {
        let Some(definition) = self.components.routers.remove(id.name()) else {
            return;
        };
        for route in &definition.routes {
            if let Ok(alias) = ComponentId::new(id.kind(), &*route.alias) {
                self.components.aliases.remove(&alias);
            }
        }
        self.refresh_aliases(id);
    }

    /// Takes one route of a router away, whose alias is gone.
    pub(super) fn forget_route(&mut self, router: &str, alias: &str) {
        if let Some(definition) = self.components.routers.get_mut(router) {
            let definition = Arc::make_mut(definition);
            definition.routes.retain(|route| route.alias != alias);
        }
    }

    fn refresh_aliases(&mut self, id: &ComponentId) {
        let aliases = self.components.aliases_of(id);
        if let Some(row) = self.components.rows.get_mut(id) {
            row.metadata.aliases = aliases;
        }
    }

    /// The routers, or everything that is wrong with them.
    pub(super) fn resolve_routers(
        &self,
    ) -> Result<BTreeMap<String, ModelRouter>, Vec<SealProblem>> {
        let mut routers = BTreeMap::new();
        let mut problems = Vec::new();
        for (name, definition) in &self.components.routers {
            let Some(origin) = self.origin(ComponentKind::Router, name) else {
                continue;
            };
            if definition.routes.is_empty() {
                problems.push(SealProblem::NoRoutes {
                    router: name.clone(),
                    origin: origin.clone(),
                });
            }
            match resolve(definition, &origin, &self.components) {
                Ok(router) => drop(routers.insert(name.clone(), router)),
                Err(wrong) => problems.extend(wrong.into_iter().map(SealProblem::Route)),
            }
        }
        if problems.is_empty() {
            Ok(routers)
        } else {
            Err(problems)
        }
    }
}

impl Components {
    /// The routes of the router of this name or alias, as they were written down; `None` for a
    /// router that is only a name.
    pub fn router_definition(&self, name: &str) -> Option<&RouterDefinition> {
        let name = self.canonical(ComponentKind::Router, name)?;
        self.routers.get(name).map(|definition| &**definition)
    }
}

impl Models for Components {
    fn candidate(&self, name: &str) -> Option<Candidate> {
        let canonical = self.metadata(ComponentKind::Model, name)?.id.name();
        Some(Candidate::new(
            canonical.to_owned(),
            self.model_entry(canonical).cloned(),
            self.model(canonical).cloned(),
        ))
    }

    fn closest(&self, name: &str) -> Vec<String> {
        self.closest(ComponentKind::Model, name)
    }
}
