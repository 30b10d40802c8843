//! What a registry refuses, with the rule and the remedy.

use std::error::Error;
use std::fmt;

use super::CapabilityRegistry;
use crate::component::{ComponentId, ComponentKind, NameError, Origin, SourceLocation};
use crate::router::{InvalidRouter, RouteProblem};

/// Why a registration was refused. The registry is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegistryError {
    /// The name breaks the rule of [`check_name`](crate::check_name).
    InvalidName {
        /// What was to be registered.
        kind: ComponentKind,
        /// What is wrong with its name.
        error: NameError,
    },
    /// Another component of this kind has the name.
    Taken {
        /// Kind and name.
        id: ComponentId,
        /// Where the one that has the name comes from.
        existing: Origin,
        /// Where the one that was refused comes from.
        refused: Origin,
    },
    /// An alias has the name.
    TakenByAlias {
        /// Kind and name of what was refused.
        id: ComponentId,
        /// What the alias stands for.
        canonical: String,
        /// Where the one that was refused comes from.
        refused: Origin,
    },
    /// The target of an alias, or a component that was to be described, isn't registered.
    Unknown {
        /// Kind and name of what was looked for.
        id: ComponentId,
        /// Registered names near it, nearest first.
        closest: Vec<String>,
    },
    /// The target of an alias is itself an alias; aliases are one hop.
    AliasOfAlias {
        /// The alias that was refused.
        alias: ComponentId,
        /// Its target, which is an alias.
        target: String,
        /// What the target stands for.
        canonical: String,
    },
    /// The component has a handle, and this method registers names only.
    NeedsHandle {
        /// The kind that was given.
        kind: ComponentKind,
    },
    /// The schema of a tool given at run time can't be used.
    InvalidSchema {
        /// The tool.
        tool: String,
        /// What is wrong.
        problem: String,
    },
    /// The definition of a router isn't well-formed.
    InvalidRouter(InvalidRouter),
    /// The alias of a route is taken.
    RouteTaken {
        /// The router that was refused.
        router: String,
        /// The alias of its route.
        route: String,
        /// The router that has the alias, or that has it as its name.
        holder: String,
        /// Where that router comes from, if it is still there.
        existing: Option<Origin>,
        /// Where the one that was refused comes from.
        refused: Origin,
    },
    /// Crates that were expected to declare something gave nothing.
    NothingFrom {
        /// The crates, as they were named.
        crates: Vec<String>,
    },
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidName { kind, error } => write!(f, "a {kind} can't be registered: {error}"),
            Self::Taken {
                id,
                existing,
                refused,
            } => write!(
                f,
                "there is a {} `{}` already\n  one is {existing}\n  the other is {refused}\n  rename one, or use the `replace_*` method to put the new one in its place",
                id.kind(),
                id.name()
            ),
            Self::TakenByAlias {
                id,
                canonical,
                refused,
            } => write!(
                f,
                "`{}` is an alias of the {} `{canonical}`, and a component ({refused}) can't take its name: rename the component or remove the alias",
                id.name(),
                id.kind()
            ),
            Self::Unknown { id, closest } => {
                write!(f, "there is no {} `{}`", id.kind(), id.name())?;
                if closest.is_empty() {
                    f.write_str(": register it first")
                } else {
                    write!(f, "; did you mean `{}`?", closest.join("` or `"))
                }
            }
            Self::AliasOfAlias {
                alias,
                target,
                canonical,
            } => write!(
                f,
                "`{}` can't stand for `{target}`, which is an alias itself: name its {} `{canonical}`",
                alias.name(),
                alias.kind()
            ),
            Self::NeedsHandle { kind } => write!(
                f,
                "a {kind} is more than a name: register it with `register_{kind}`"
            ),
            Self::InvalidSchema { tool, problem } => {
                write!(f, "the tool `{tool}` can't be registered: {problem}")
            }
            Self::InvalidRouter(error) => error.fmt(f),
            Self::RouteTaken {
                router,
                route,
                holder,
                existing,
                refused,
            } => {
                write!(
                    f,
                    "the route `{route}` of the router `{router}` ({refused}) can't have that name: "
                )?;
                if holder == route {
                    f.write_str("it is the name of a router")?;
                } else {
                    write!(f, "the router `{holder}` has it as an alias or a route")?;
                }
                if let Some(existing) = existing {
                    write!(f, " ({existing})")?;
                }
                f.write_str("; rename the route")
            }
            Self::NothingFrom { crates } => write!(
                f,
                "nothing in this registry was declared in {}: name the crate in the program with `callboard::link!({});`, or take it off the list",
                crates
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", "),
                crates
                    .iter()
                    .map(|name| name.replace('-', "_"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }
    }
}

impl Error for RegistryError {}

/// One name that several declarations claim.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// Kind and name.
    pub id: ComponentId,
    /// Where it is declared, two places or more, sorted.
    pub places: Vec<SourceLocation>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the {} `{}` is declared {} times:",
            self.id.kind(),
            self.id.name(),
            self.places.len()
        )?;
        for place in &self.places {
            write!(f, "\n    {place}")?;
        }
        Ok(())
    }
}

/// A declared agent that could not be made: the `Default` of its type panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnmadeAgent {
    /// The agent's name.
    pub agent: String,
    /// Where it is declared.
    pub place: SourceLocation,
    /// The panic's message, when it was text.
    pub message: String,
}

impl fmt::Display for UnmadeAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the agent `{}` can't be made, since `Default::default` of its type panicked: {}\n    {}",
            self.agent, self.message, self.place
        )
    }
}

/// Everything that keeps the declarations of this program from being a registry: every name that
/// is declared more than once, and every agent that can't be made. One thing at least.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectError {
    /// The conflicts, sorted by kind and name.
    pub conflicts: Vec<Conflict>,
    /// The agents that can't be made, sorted by name. They are made only when no name is in
    /// conflict.
    pub unmade: Vec<UnmadeAgent>,
}

impl fmt::Display for CollectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.conflicts.len() {
            0 => f.write_str("what is declared can't be collected")?,
            conflicts => write!(
                f,
                "{} declared more than once; rename all but one of each, with `name = \"…\"` for example",
                match conflicts {
                    1 => "a name is".to_owned(),
                    many => format!("{many} names are"),
                }
            )?,
        }
        for conflict in &self.conflicts {
            write!(f, "\n  {conflict}")?;
        }
        for agent in &self.unmade {
            write!(f, "\n  {agent}")?;
        }
        Ok(())
    }
}

impl Error for CollectError {}

/// One reason why a registry can't be sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SealProblem {
    /// A tool, or the function of a model, injects state that the registry was not given.
    MissingState {
        /// The kind of the component.
        kind: ComponentKind,
        /// Its name.
        name: String,
        /// The type, by its path.
        type_name: &'static str,
        /// Where the component comes from.
        origin: Origin,
    },
    /// The function of a model failed or panicked when it was to make the handle.
    ModelNotMade {
        /// The model.
        model: String,
        /// What the function said.
        problem: String,
        /// Where the model comes from.
        origin: Origin,
    },
    /// `provide` was called more than once with one type.
    ProvidedTwice {
        /// The type, by its path.
        type_name: &'static str,
    },
    /// The arguments of a tool aren't an object.
    ArgumentsNotAnObject {
        /// The tool.
        tool: String,
        /// What is wrong.
        problem: String,
        /// Where the tool comes from.
        origin: Origin,
    },
    /// Code of a tool's own types panicked while sealing asked it something.
    Panicked {
        /// The tool.
        tool: String,
        /// The function of the trait that panicked.
        function: &'static str,
        /// The panic's message, when it was text.
        message: String,
        /// Where the tool comes from.
        origin: Origin,
    },
    /// A route can't use a model that it names.
    Route(RouteProblem),
    /// A router between models has no routes.
    NoRoutes {
        /// The router.
        router: String,
        /// Where the router comes from.
        origin: Origin,
    },
    /// An alias stands for something that is no longer registered.
    DanglingAlias {
        /// The alias.
        alias: ComponentId,
        /// What it stood for.
        canonical: String,
    },
}

impl fmt::Display for SealProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingState {
                kind,
                name,
                type_name,
                origin,
            } => write!(
                f,
                "the {kind} `{name}` ({origin}) needs a `{type_name}`: give the registry one with `provide`"
            ),
            Self::ModelNotMade {
                model,
                problem,
                origin,
            } => write!(f, "the model `{model}` ({origin}) can't be made: {problem}"),
            Self::ProvidedTwice { type_name } => write!(
                f,
                "`provide` was called more than once with a `{type_name}`; wrap one of them in a type of its own, or use `replace_provided`"
            ),
            Self::ArgumentsNotAnObject {
                tool,
                problem,
                origin,
            } => write!(f, "the tool `{tool}` ({origin}): {problem}"),
            Self::Panicked {
                tool,
                function,
                message,
                origin,
            } => write!(
                f,
                "the tool `{tool}` ({origin}): `{function}` of one of its types panicked: {message}"
            ),
            Self::Route(problem) => problem.fmt(f),
            Self::NoRoutes { router, origin } => write!(
                f,
                "the router `{router}` ({origin}) has no routes: add one, or remove the router"
            ),
            Self::DanglingAlias { alias, canonical } => write!(
                f,
                "the alias `{}` stands for the {} `{canonical}`, which is not registered: register it, or remove the alias",
                alias.name(),
                alias.kind()
            ),
        }
    }
}

/// Everything that is wrong with a registry that was to be sealed, and the registry itself.
#[non_exhaustive]
pub struct SealError {
    /// What is wrong; one at least.
    pub problems: Vec<SealProblem>,
    builder: Box<CapabilityRegistry>,
}

impl SealError {
    pub(super) fn new(problems: Vec<SealProblem>, builder: CapabilityRegistry) -> Self {
        Self {
            problems,
            builder: Box::new(builder),
        }
    }

    /// The registry as it was, to mend and seal again.
    pub fn into_builder(self) -> CapabilityRegistry {
        *self.builder
    }
}

impl fmt::Debug for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealError")
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the registry can't be sealed")?;
        for problem in &self.problems {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

impl Error for SealError {}
