//! A router whose routes were checked: the choice between models, at run time.

use std::collections::BTreeMap;

use serde_json::Value;

use super::candidate::Candidate;
use super::definition::{RouterDefinition, WorkloadRoute};
use super::need::Need;
use super::schema::schema_of_routes;
use super::skip::{SelectError, Skipped, UnknownRoute};
use crate::catalog::{CapabilitySet, Cost};

/// A router of a sealed registry: each of its routes has a target, and fallbacks in order, and all
/// of them are registered and do what the route requires.
///
/// ```
/// use callboard::catalog::{Capability, ModelCatalog};
/// use callboard::{CapabilityRegistry, Need, RouterDefinition, SkipReason, WorkloadRoute};
///
/// # let catalog = ModelCatalog::from_json(&serde_json::json!({
/// #     "schema_version": 1,
/// #     "snapshot_id": format!("sha256:{:064}", 0),
/// #     "provenance": [{
/// #         "source": "sheet", "version": "1", "sha256": format!("{:064}", 0),
/// #         "date": "2026-11-30", "license": "CC0-1.0"
/// #     }],
/// #     "models": [
/// #         {"provider": "acme", "id": "small", "mode": "chat", "source": "sheet",
/// #          "limits": {"input": 8000, "output": 4000},
/// #          "pricing": {"input": 100000, "output": 400000},
/// #          "capabilities": {"tool_calling": true}},
/// #         {"provider": "acme", "id": "large", "mode": "chat", "source": "sheet",
/// #          "limits": {"input": 200000, "output": 16000},
/// #          "pricing": {"input": 2000000, "output": 8000000},
/// #          "capabilities": {"tool_calling": true}}
/// #     ]
/// # }).to_string())?;
/// # use callboard::{BoxFuture, ChatMessage, ChatModel};
/// # struct Client(&'static str);
/// # impl ChatModel for Client {
/// #     fn model_id(&self) -> &str { self.0 }
/// #     fn chat<'a>(&'a self, _: &'a [ChatMessage])
/// #         -> BoxFuture<'a, Result<ChatMessage, Box<dyn std::error::Error + Send + Sync>>> {
/// #         Box::pin(async { Err("no network".into()) })
/// #     }
/// # }
/// let mut reg = CapabilityRegistry::new();
/// for id in ["small", "large"] {
///     let facts = catalog.get("acme", id).ok_or("not in the catalog")?;
///     reg.register_model(id, std::sync::Arc::new(Client(id)))?;
///     reg.set_model_entry(id, facts.clone())?;
/// }
/// reg.register_model_router(
///     RouterDefinition::new("workload").route(
///         WorkloadRoute::new("chat-v1", "small")
///             .requires([Capability::ToolCalling])
///             .fallback("large"),
///     ),
/// )?;
/// let registry = reg.seal()?;
///
/// let router = registry.model_router("workload").ok_or("it was registered")?;
/// let need = Need::default().prompt_tokens(50_000).output_tokens(1_000);
/// let choice = router.select("chat-v1", &need)?;
/// assert_eq!(choice.candidate.name(), "large");
/// assert!(matches!(choice.skipped[0].reason, SkipReason::DoesNotFit(_)));
/// assert_eq!(choice.estimate.map(|cost| cost.to_string()).as_deref(), Some("$0.108"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelRouter {
    name: String,
    description: String,
    /// In the order of the definition.
    routes: Vec<ResolvedRoute>,
    by_alias: BTreeMap<String, usize>,
}

#[derive(Clone, Debug)]
pub(super) struct ResolvedRoute {
    pub(super) route: WorkloadRoute,
    /// The target, then the fallbacks.
    pub(super) candidates: Vec<Candidate>,
}

impl ModelRouter {
    pub(super) fn new(definition: &RouterDefinition, candidates: Vec<Vec<Candidate>>) -> Self {
        let by_alias = definition.routes.iter().enumerate();
        Self {
            name: definition.name.clone(),
            description: definition.description.clone(),
            by_alias: by_alias
                .map(|(i, route)| (route.alias.clone(), i))
                .collect(),
            routes: std::iter::zip(definition.routes.iter().cloned(), candidates)
                .map(|(route, candidates)| ResolvedRoute { route, candidates })
                .collect(),
        }
    }

    /// The name that the router is registered under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The routes, in the order of the definition.
    pub fn routes(&self) -> impl ExactSizeIterator<Item = &WorkloadRoute> {
        self.routes.iter().map(|resolved| &resolved.route)
    }

    /// The route of this alias, as it was defined. Here and below, the alias may also be the
    /// variant of an enum under [`#[router]`](macro@crate::router).
    ///
    /// # Errors
    ///
    /// When there is none, with the names near it.
    pub fn route(&self, alias: impl AsRef<str>) -> Result<&WorkloadRoute, UnknownRoute> {
        Ok(&self.resolved(alias.as_ref())?.route)
    }

    /// The model that a route goes to before all others.
    ///
    /// # Errors
    ///
    /// When there is no such route.
    pub fn target_model(&self, alias: impl AsRef<str>) -> Result<&Candidate, UnknownRoute> {
        let alias = alias.as_ref();
        let candidates = self.fallback_policy(alias)?;
        // Every route has a target: `resolve` makes none without.
        candidates.first().ok_or_else(|| self.unknown(alias))
    }

    /// What every model of a route is said to be able to do.
    ///
    /// # Errors
    ///
    /// When there is no such route.
    pub fn required_capabilities(
        &self,
        alias: impl AsRef<str>,
    ) -> Result<CapabilitySet, UnknownRoute> {
        Ok(self.route(alias)?.requires)
    }

    /// The models of a route in the order in which they are considered: the target, then its
    /// fallbacks.
    ///
    /// # Errors
    ///
    /// When there is no such route.
    pub fn fallback_policy(&self, alias: impl AsRef<str>) -> Result<&[Candidate], UnknownRoute> {
        Ok(&self.resolved(alias.as_ref())?.candidates)
    }

    /// The first model of a route that can serve a call, and why each one before it can't.
    ///
    /// # Errors
    ///
    /// When there is no such route; when no model of it can serve the call, with the reason of
    /// each.
    pub fn select(&self, alias: impl AsRef<str>, need: &Need) -> Result<Choice<'_>, SelectError> {
        let route = self.resolved(alias.as_ref())?;
        let mut skipped = Vec::new();
        for candidate in &route.candidates {
            match candidate.check(need) {
                Ok(estimate) => {
                    return Ok(Choice {
                        candidate,
                        skipped,
                        estimate,
                    });
                }
                Err(reason) => skipped.push(Skipped {
                    model: candidate.name().to_owned(),
                    reason,
                }),
            }
        }
        Err(self.no_candidate(&route.route, skipped))
    }

    /// A JSON Schema of the routes' names, each with what it is for: for a model that is to pick
    /// one. It is a part of a schema, as a property has it, without `$schema`.
    ///
    /// ```json
    /// {"type": "string", "oneOf": [{"const": "chat-v1", "description": "Everyday chat."}]}
    /// ```
    #[must_use]
    pub fn schema(&self) -> Value {
        let routes = self.routes();
        schema_of_routes(
            &self.description,
            routes.map(|route| (route.alias.as_str(), route.description.as_str())),
        )
    }

    pub(super) fn no_candidate(&self, route: &WorkloadRoute, skipped: Vec<Skipped>) -> SelectError {
        SelectError::NoCandidate {
            router: self.name.clone(),
            route: route.alias.clone(),
            skipped,
        }
    }

    pub(super) fn resolved(&self, alias: &str) -> Result<&ResolvedRoute, UnknownRoute> {
        self.by_alias
            .get(alias)
            .and_then(|i| self.routes.get(*i))
            .ok_or_else(|| self.unknown(alias))
    }

    #[cold]
    fn unknown(&self, alias: &str) -> UnknownRoute {
        UnknownRoute::new(&self.name, alias, self.by_alias.keys().map(String::as_str))
    }
}

/// The model that was chosen, and why each one before it wasn't.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choice<'r> {
    /// The model.
    pub candidate: &'r Candidate,
    /// The models before it, in the order of [`ModelRouter::fallback_policy`], each with the
    /// reason why it can't serve the call.
    pub skipped: Vec<Skipped>,
    /// What the call costs at most: as text, with the standard service and nothing cached. `None`
    /// where the need states no tokens, or the catalog no price.
    pub estimate: Option<Cost>,
}
