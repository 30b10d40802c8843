//! What `#[router]` makes known of a router before the program starts.

use serde_json::Value;

use super::schema::schema_of_routes;
use super::{RouterDefinition, UnknownRoute, WorkloadRoute};
use crate::catalog::CapabilitySet;
use crate::component::{ComponentDescriptor, SourceLocation};
use crate::model::ModelDescriptor;

/// A choice between models that the program names by a type: what `#[router]` implements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a router",
    label = "no `#[router]` on this type",
    note = "put `#[callboard::router]` on an enum, with `#[route(model = …)]` on each variant"
)]
pub trait Router: 'static {
    /// Name, words, place and routes.
    const DESCRIPTOR: &'static RouterDescriptor;
}

/// What `#[router]` makes known before the program starts.
#[derive(Debug)]
pub struct RouterDescriptor {
    component: ComponentDescriptor,
    routes: &'static [RouteDescriptor],
}

impl RouterDescriptor {
    #[doc(hidden)]
    pub const fn __new(component: ComponentDescriptor, routes: &'static [RouteDescriptor]) -> Self {
        Self { component, routes }
    }

    /// Kind, name, description, tags and source.
    pub const fn component(&self) -> &ComponentDescriptor {
        &self.component
    }

    /// The name in registries.
    pub const fn name(&self) -> &'static str {
        self.component.name()
    }

    /// The routes, in the order in which they are written.
    pub const fn routes(&self) -> &'static [RouteDescriptor] {
        self.routes
    }

    /// The same, as data.
    pub fn definition(&self) -> RouterDefinition {
        self.routes.iter().fold(
            RouterDefinition::new(self.name()).description(self.component.description()),
            |definition, route| definition.route(route.definition()),
        )
    }
}

/// One route of a [`RouterDescriptor`].
#[derive(Debug)]
pub struct RouteDescriptor {
    alias: &'static str,
    description: &'static str,
    model: &'static ModelDescriptor,
    requires: CapabilitySet,
    min_context: Option<u64>,
    fallbacks: &'static [&'static ModelDescriptor],
    source: SourceLocation,
}

impl RouteDescriptor {
    #[doc(hidden)]
    pub const fn __new(
        alias: &'static str,
        description: &'static str,
        model: &'static ModelDescriptor,
        requires: CapabilitySet,
        min_context: Option<u64>,
        fallbacks: &'static [&'static ModelDescriptor],
        source: SourceLocation,
    ) -> Self {
        Self {
            alias,
            description,
            model,
            requires,
            min_context,
            fallbacks,
            source,
        }
    }

    /// The name of the route.
    pub const fn alias(&self) -> &'static str {
        self.alias
    }

    /// The doc comment of the variant; may be empty.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// The target.
    pub const fn model(&self) -> &'static ModelDescriptor {
        self.model
    }

    /// The capabilities that the target and every fallback have.
    pub const fn requires(&self) -> CapabilitySet {
        self.requires
    }

    /// The tokens of prompt that the target and every fallback take, where the route asks for some.
    pub const fn min_context(&self) -> Option<u64> {
        self.min_context
    }

    /// The models that are tried after the target, in this order.
    pub const fn fallbacks(&self) -> &'static [&'static ModelDescriptor] {
        self.fallbacks
    }

    /// Where the route's name is written.
    pub const fn source(&self) -> &SourceLocation {
        &self.source
    }

    fn definition(&self) -> WorkloadRoute {
        let mut route = WorkloadRoute::new(self.alias, self.model.name());
        route.description = self.description.to_owned();
        route.requires = self.requires;
        route.min_context = self.min_context;
        route.fallbacks = self
            .fallbacks
            .iter()
            .map(|model| model.name().to_owned())
            .collect();
        route
    }
}

/// The schema of a router's enum: the same as that of its [`ModelRouter`](super::ModelRouter).
#[doc(hidden)]
pub fn route_schema(router: &RouterDescriptor) -> Value {
    let routes = router.routes.iter();
    schema_of_routes(
        router.component.description(),
        routes.map(|route| (route.alias, route.description)),
    )
}

/// The error for a text that names none of a router's routes.
#[doc(hidden)]
pub fn unknown_route(router: &RouterDescriptor, alias: &str) -> UnknownRoute {
    let routes = router.routes.iter().map(RouteDescriptor::alias);
    UnknownRoute::new(router.name(), alias, routes)
}
