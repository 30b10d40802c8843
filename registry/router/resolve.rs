//! A definition held against the models of a registry.

use std::fmt;

use super::candidate::Candidate;
use super::definition::{RouterDefinition, WorkloadRoute};
use super::model_router::ModelRouter;
use crate::catalog::Unsatisfied;
use crate::component::Origin;

/// The models of a registry.
pub(crate) trait Models {
    /// The model of this name or alias.
    fn candidate(&self, name: &str) -> Option<Candidate>;

    /// Names and aliases near this one, nearest first.
    fn closest(&self, name: &str) -> Vec<String>;
}

/// The router of a definition, or everything that is wrong with its routes.
pub(crate) fn resolve(
    definition: &RouterDefinition,
    origin: &Origin,
    models: &impl Models,
) -> Result<ModelRouter, Vec<RouteProblem>> {
    let mut problems = Vec::new();
    let candidates = definition
        .routes
        .iter()
        .map(|route| {
            let mut chosen: Vec<Candidate> = Vec::new();
            for (role, name) in named(route) {
                match candidate(definition, route, (role, name), &chosen, models) {
                    Ok(candidate) => chosen.push(candidate),
                    Err(faults) => problems.extend(faults.into_iter().map(|fault| RouteProblem {
                        router: definition.name.clone(),
                        route: route.alias.clone(),
                        role,
                        model: name.to_owned(),
                        fault,
                        origin: origin.clone(),
                    })),
                }
            }
            chosen
        })
        .collect();
    if problems.is_empty() {
        Ok(ModelRouter::new(definition, candidates))
    } else {
        Err(problems)
    }
}

/// The models that a route names, in order.
fn named(route: &WorkloadRoute) -> impl Iterator<Item = (RouteRole, &str)> {
    let fallbacks = route.fallbacks.iter().map(String::as_str);
    std::iter::once((RouteRole::Target, route.model.as_str()))
        .chain(fallbacks.map(|name| (RouteRole::Fallback, name)))
}

/// The model of this name, when the route may use it.
fn candidate(
    definition: &RouterDefinition,
    route: &WorkloadRoute,
    (role, name): (RouteRole, &str),
    chosen: &[Candidate],
    models: &impl Models,
) -> Result<Candidate, Vec<RouteFault>> {
    if name == route.alias {
        return Err(vec![RouteFault::OwnAlias]);
    }
    let Some(candidate) = models.candidate(name) else {
        return Err(vec![RouteFault::NotRegistered {
            is_route: definition.routes.iter().any(|route| route.alias == name),
            closest: models.closest(name),
        }]);
    };
    // Also under another of its names.
    let canonical = candidate.name();
    if role == RouteRole::Fallback
        && let Some(target) = models.candidate(&route.model)
        && target.name() == canonical
    {
        return Err(vec![RouteFault::IsTarget {
            canonical: canonical.to_owned(),
        }]);
    }
    if chosen.iter().any(|before| before.name() == canonical) {
        return Err(vec![RouteFault::Repeated {
            canonical: canonical.to_owned(),
        }]);
    }
    let faults = unmet(route, &candidate);
    if faults.is_empty() {
        Ok(candidate)
    } else {
        Err(faults)
    }
}

/// What the route requires and this model isn't said to give.
fn unmet(route: &WorkloadRoute, candidate: &Candidate) -> Vec<RouteFault> {
    if route.requires.is_empty() && route.min_context.is_none() {
        return Vec::new();
    }
    let Some(entry) = candidate.entry() else {
        return vec![RouteFault::NotDescribed];
    };
    let key = || entry.key().to_owned();
    let mut faults = Vec::new();
    if let Err(missing) = entry.satisfies(&route.requires) {
        faults.push(RouteFault::Unsatisfied {
            key: key(),
            missing,
        });
    }
    if let Some(min_context) = route.min_context {
        let stated = entry.prompt_limit();
        if stated.is_none_or(|stated| stated < min_context) {
            faults.push(RouteFault::Window {
                key: key(),
                min_context,
                stated,
            });
        }
    }
    faults
}

/// Whether a route goes to a model first, or only when it can't go to those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteRole {
    /// First.
    Target,
    /// When those before can't.
    Fallback,
}

impl fmt::Display for RouteRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Target => "target",
            Self::Fallback => "fallback",
        })
    }
}

/// Why a route can't use a model that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RouteProblem {
    /// The router.
    pub router: String,
    /// The route's alias.
    pub route: String,
    /// What the model is to the route.
    pub role: RouteRole,
    /// The model, as the route names it.
    pub model: String,
    /// What is wrong.
    pub fault: RouteFault,
    /// Where the router comes from.
    pub origin: Origin,
}

/// What is wrong with a model that a route names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RouteFault {
    /// There is no such model.
    NotRegistered {
        /// Whether it is the alias of a route of the same router.
        is_route: bool,
        /// Models near it, nearest first.
        closest: Vec<String>,
    },
    /// It is the route's own alias.
    OwnAlias,
    /// A fallback is the target, if by another name.
    IsTarget {
        /// The name that the model is registered under.
        canonical: String,
    },
    /// A fallback is there before, if by another name.
    Repeated {
        /// The name that the model is registered under.
        canonical: String,
    },
    /// The route requires something, and nothing is known of the model.
    NotDescribed,
    /// The model isn't said to have a capability.
    Unsatisfied {
        /// Which facts were asked: `provider/model-id`.
        key: String,
        /// What is missing.
        missing: Unsatisfied,
    },
    /// The model isn't said to take a prompt as large as the route requires.
    Window {
        /// Which facts were asked: `provider/model-id`.
        key: String,
        /// What the route requires, in tokens.
        min_context: u64,
        /// What the model takes, in tokens, if stated.
        stated: Option<u64>,
    },
}

impl fmt::Display for RouteProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            router,
            route,
            role,
            model,
            fault,
            origin,
        } = self;
        write!(
            f,
            "the router `{router}` ({origin}), route `{route}`: the {role} `{model}` "
        )?;
        match fault {
            RouteFault::NotRegistered { is_route: true, .. } => {
                f.write_str("is a route, not a model: name the model that it goes to")
            }
            RouteFault::NotRegistered { closest, .. } if closest.is_empty() => {
                f.write_str("is not a registered model: register it, or name another")
            }
            RouteFault::NotRegistered { closest, .. } => write!(
                f,
                "is not a registered model; did you mean `{}`?",
                closest.join("` or `")
            ),
            RouteFault::OwnAlias => {
                f.write_str("is the route's own alias: name the model that it goes to")
            }
            RouteFault::IsTarget { canonical } => {
                again(f, model, canonical)?;
                f.write_str("the route's target: take it off the fallbacks")
            }
            RouteFault::Repeated { canonical } => {
                again(f, model, canonical)?;
                f.write_str("among the fallbacks before: take one of them off")
            }
            RouteFault::NotDescribed => f.write_str(
                "has no facts that the route's requirements could be held against: give them with `set_model_entry`, or require nothing",
            ),
            RouteFault::Unsatisfied { key, missing } => write!(
                f,
                "doesn't pass `requires` (`{key}`: {missing}): require less, or name another model"
            ),
            RouteFault::Window {
                key,
                min_context,
                stated,
            } => {
                write!(f, "doesn't pass `min_context` of {min_context} tokens (`{key}`: ")?;
                match stated {
                    Some(stated) => write!(f, "the limit of the prompt is {stated}")?,
                    None => f.write_str("no limit of the prompt is stated")?,
                }
                f.write_str("): require less, or name another model")
            }
        }
    }
}

/// Says which model it is, where the route names it by an alias.
fn again(f: &mut fmt::Formatter<'_>, model: &str, canonical: &str) -> fmt::Result {
    if model == canonical {
        f.write_str("is ")
    } else {
        write!(f, "is the model `{canonical}`, and so ")
    }
}
