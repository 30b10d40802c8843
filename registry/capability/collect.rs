//! Reading the slices: what this program's attributes declared.

use super::builder::CapabilityRegistry;
use super::error::{CollectError, Conflict, RegistryError, UnmadeAgent};
use crate::agent::AgentDescriptor;
use crate::component::{ComponentDescriptor, ComponentId, Origin, SourceLocation};
use crate::distributed::{
    declared_agents, declared_components, declared_models, declared_routers, declared_tools,
};
use crate::model::ModelDescriptor;
use crate::router::RouterDescriptor;
use crate::tool::{NativeEntry, RegistryEntry, ToolDescriptor, unwind};

/// What one attribute put in a slice.
enum Declared {
    Tool(&'static ToolDescriptor),
    Model(&'static ModelDescriptor),
    Agent(&'static AgentDescriptor),
    Router(&'static RouterDescriptor),
    Name(&'static ComponentDescriptor),
}

/// A name that a declaration claims.
struct Claim {
    id: ComponentId,
    place: &'static SourceLocation,
}

impl Declared {
    fn all() -> impl Iterator<Item = Self> {
        declared_tools()
            .map(Self::Tool)
            .chain(declared_models().map(Self::Model))
            .chain(declared_agents().map(Self::Agent))
            .chain(declared_routers().map(Self::Router))
            .chain(declared_components().map(Self::Name))
    }

    fn component(&self) -> &'static ComponentDescriptor {
        match self {
            Self::Tool(tool) => tool.component(),
            Self::Model(model) => model.component(),
            Self::Agent(agent) => agent.component(),
            Self::Router(router) => router.component(),
            Self::Name(component) => component,
        }
    }

    /// Its own name; and for a router, the names of its routes.
    fn claims(&self) -> impl Iterator<Item = Claim> {
        let component = self.component();
        let kind = component.kind();
        let routes = match self {
            Self::Router(router) => router.routes(),
            _ => &[],
        };
        let own = std::iter::once((component.name(), component.source()));
        own.chain(routes.iter().map(|route| (route.alias(), route.source())))
            .map(move |(name, place)| Claim {
                id: ComponentId::written(kind, name),
                place,
            })
    }
}

impl CapabilityRegistry {
    /// A registry with everything that attributes declared in this program: in its own crates,
    /// and in each dependency that its code names ([`link!`](crate::link)).
    ///
    /// # Errors
    ///
    /// Every name that is declared more than once, each with all its places. Most are caught
    /// when the program is built; this is the authority. And every type under `#[agent]` whose
    /// `Default` panics.
    pub fn collect() -> Result<Self, CollectError> {
        Self::collect_where(|_| true)
    }

    /// A registry with those declarations that `keep` keeps.
    ///
    /// ```
    /// use callboard::CapabilityRegistry;
    ///
    /// let reg = CapabilityRegistry::collect_where(|declared| declared.has_tag("orders"))?;
    /// # Ok::<(), callboard::CollectError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`collect`](Self::collect), for the declarations that are kept.
    pub fn collect_where(
        mut keep: impl FnMut(&ComponentDescriptor) -> bool,
    ) -> Result<Self, CollectError> {
        let mut kept: Vec<Declared> = Declared::all()
            .filter(|declared| keep(declared.component()))
            .collect();
        // The linker's order means nothing.
        kept.sort_by_key(|declared| (declared.component().kind(), declared.component().name()));
        check_unique(&kept)?;
        let mut registry = Self::new();
        let mut unmade = Vec::new();
        let refused: Vec<_> = kept
            .iter()
            .filter_map(|declared| registry.add(declared, &mut unmade).err())
            .collect();
        // Names were checked by the attributes and are unique by now.
        debug_assert!(refused.is_empty(), "{refused:?}");
        if unmade.is_empty() {
            Ok(registry)
        } else {
            Err(CollectError {
                conflicts: Vec::new(),
                unmade,
            })
        }
    }

    fn add(
        &mut self,
        declared: &Declared,
        unmade: &mut Vec<UnmadeAgent>,
    ) -> Result<(), RegistryError> {
        match declared {
            Declared::Tool(tool) => {
                self.add_declared(RegistryEntry::Native(NativeEntry::new(tool)))
            }
            Declared::Model(model) => self.add_declared_model(model),
            Declared::Router(router) => self.add_declared_router(router),
            Declared::Agent(agent) => {
                let component = agent.component();
                // Making it runs the `Default` of the user's type.
                match unwind::caught(|| agent.make()) {
                    Ok(agent) => {
                        self.add_declared_agent(agent, Origin::Declared(component.source()))
                    }
                    Err(message) => {
                        unmade.push(UnmadeAgent {
                            agent: component.name().to_owned(),
                            place: *component.source(),
                            message,
                        });
                        Ok(())
                    }
                }
            }
            Declared::Name(component) => {
                let origin = Origin::Declared(component.source());
                self.add_declared_name(component.metadata(), origin)
            }
        }
    }

    /// Fails when one of these crates declared nothing that is in this registry, as when no code
    /// names it and the linker left it out.
    ///
    /// A crate is named as in code (`my_tools`) or as in Cargo.toml (`my-tools`).
    pub fn expect_crates<'a>(
        &mut self,
        crates: impl IntoIterator<Item = &'a str>,
    ) -> Result<&mut Self, RegistryError> {
        let silent: Vec<String> = crates
            .into_iter()
            .filter(|name| {
                !self.components.rows.values().any(
                    |row| matches!(row.origin, Origin::Declared(source) if source.is_in_crate(name)),
                )
            })
            .map(str::to_owned)
            .collect();
        if silent.is_empty() {
            Ok(self)
        } else {
            Err(RegistryError::NothingFrom { crates: silent })
        }
    }
}

/// Every name that comes more than once.
fn check_unique(declared: &[Declared]) -> Result<(), CollectError> {
    let mut claims: Vec<Claim> = declared.iter().flat_map(Declared::claims).collect();
    claims.sort_by(|left, right| left.id.cmp(&right.id));
    let conflicts: Vec<Conflict> = claims
        .chunk_by(|left, right| left.id == right.id)
        .filter(|same| same.len() > 1)
        .map(|same| {
            let mut places: Vec<SourceLocation> = same.iter().map(|claim| *claim.place).collect();
            places.sort_by_key(|place| (place.crate_name, place.file, place.line, place.column));
            Conflict {
                id: same[0].id.clone(),
                places,
            }
        })
        .collect();
    if conflicts.is_empty() {
        Ok(())
    } else {
        Err(CollectError {
            conflicts,
            unmade: Vec::new(),
        })
    }
}
