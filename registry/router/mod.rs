//! The choice between models: routes that were checked, and what one call needs.

mod candidate;
mod definition;
mod descriptor;
mod model_router;
mod need;
mod resolve;
mod run;
mod schema;
mod skip;

pub use candidate::Candidate;
pub use definition::{InvalidRouter, RouterDefinition, RouterFault, WorkloadRoute};
pub use descriptor::{RouteDescriptor, Router, RouterDescriptor};
pub use model_router::{Choice, ModelRouter};
pub use need::Need;
pub(crate) use resolve::{Models, resolve};
pub use resolve::{RouteFault, RouteProblem, RouteRole};
pub use run::{Attempt, FailedAttempt, FallbackError, Served};
pub use skip::{SelectError, SkipReason, Skipped, UnknownRoute};

/// What generated code needs of this module.
pub(crate) mod generated {
    pub use super::descriptor::{route_schema, unknown_route};
}
