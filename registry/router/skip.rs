//! Why a model was not chosen, and why none was.

use std::error::Error;
use std::fmt;

use crate::catalog::{Date, DoesNotFit, Unpriced, Unsatisfied, dollars};
use crate::component::{closest_names, shorten};

/// Why a model can't serve a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// Nothing is known of the model, and the need states tokens, capabilities or a budget.
    NotDescribed,
    /// The model is deprecated on the day of the call.
    Deprecated {
        /// The first day on which it is.
        since: Date,
        /// The `provider/model-id` to move to, if stated.
        successor: Option<String>,
    },
    /// A limit of the model is too small, or not stated.
    DoesNotFit(DoesNotFit),
    /// The model is not said to have a capability.
    Unsatisfied(Unsatisfied),
    /// The need has a budget, and states no tokens that could be held against it.
    NoTokens,
    /// There is a budget, and the catalog doesn't state what the call costs.
    Unpriced(Unpriced),
    /// The call may cost more than its budget.
    OverBudget {
        /// What it costs at most, in picodollars.
        cost: u128,
        /// The budget, in picodollars.
        budget: u128,
    },
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDescribed => f.write_str(
                "nothing is known of it, so it can't be held against tokens, capabilities or a budget: describe it with `set_model_entry`",
            ),
            Self::Deprecated { since, successor } => {
                write!(f, "is deprecated since {since}")?;
                match successor {
                    Some(successor) => write!(f, ": move to `{successor}`"),
                    None => f.write_str(": route to another model"),
                }
            }
            Self::DoesNotFit(error) => {
                write!(f, "{error}: ask for less, or add a fallback with more room")
            }
            Self::Unsatisfied(missing) => {
                write!(f, "{missing}: add a fallback that is said to")
            }
            Self::NoTokens => f.write_str(
                "the budget can't be held against anything: state `prompt_tokens` and `output_tokens`",
            ),
            Self::Unpriced(error) => write!(
                f,
                "the budget can't be held against anything; {error}: state the price, or ask without a budget"
            ),
            Self::OverBudget { cost, budget } => write!(
                f,
                "may cost {}, and the budget is {}: ask for less, raise the budget, or add a cheaper fallback",
                dollars(*cost),
                dollars(*budget)
            ),
        }
    }
}

/// A model that was passed over, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The model's name.
    pub model: String,
    /// Why.
    pub reason: SkipReason,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.model, self.reason)
    }
}

/// A name that is not that of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownRoute {
    /// The router that was asked.
    pub router: String,
    /// What was asked for; shortened when it is very long.
    pub alias: String,
    /// Routes near it, nearest first.
    pub closest: Vec<String>,
}

impl UnknownRoute {
    pub(super) fn new<'a>(
        router: &str,
        alias: &str,
        routes: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self {
            router: router.to_owned(),
            alias: shorten(alias),
            closest: closest_names(alias, routes),
        }
    }
}

impl fmt::Display for UnknownRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { router, alias, .. } = self;
        write!(f, "the router `{router}` has no route {alias:?}")?;
        if self.closest.is_empty() {
            f.write_str(": `routes` lists those that it has")
        } else {
            write!(f, "; did you mean `{}`?", self.closest.join("` or `"))
        }
    }
}

impl Error for UnknownRoute {}

/// Why no model was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectError {
    /// There is no such route.
    UnknownRoute(UnknownRoute),
    /// None of the route's models can serve the call.
    NoCandidate {
        /// The router.
        router: String,
        /// The route's alias.
        route: String,
        /// Every model of the route, in its order, and why it can't.
        skipped: Vec<Skipped>,
    },
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRoute(error) => error.fmt(f),
            Self::NoCandidate {
                router,
                route,
                skipped,
            } => {
                write!(
                    f,
                    "no model of the route `{route}` of the router `{router}` can serve this call"
                )?;
                skipped
                    .iter()
                    .try_for_each(|skipped| write!(f, "\n  {skipped}"))
            }
        }
    }
}

impl Error for SelectError {}

impl From<UnknownRoute> for SelectError {
    fn from(error: UnknownRoute) -> Self {
        Self::UnknownRoute(error)
    }
}
