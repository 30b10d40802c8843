//! A router as it is written down: by code, by an attribute, or in a file.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::catalog::{Capability, CapabilitySet};
use crate::component::check_name;

/// The longest document that [`RouterDefinition::from_json`] reads, in bytes: 1 MiB.
const MAX_DOCUMENT_BYTES: usize = 1 << 20;
/// The most routes of one router.
const MAX_ROUTES: usize = 1_000;
/// The most fallbacks of one route.
const MAX_FALLBACKS: usize = 64;
/// The longest description, in bytes.
const MAX_DESCRIPTION_BYTES: usize = 16 << 10;

/// One kind of work, and the models that may do it.
///
/// In JSON it is an object of these fields; those that may be empty may be left out.
///
/// ```
/// use callboard::WorkloadRoute;
/// use callboard::catalog::Capability;
///
/// let by_code = WorkloadRoute::new("vision-v1", "gpt-4o")
///     .description("Questions about a picture.")
///     .requires([Capability::Vision])
///     .min_context(100_000)
///     .fallback("claude");
///
/// let from_data: WorkloadRoute = serde_json::from_str(r#"{
///     "alias": "vision-v1", "description": "Questions about a picture.", "model": "gpt-4o",
///     "requires": ["vision"], "min_context": 100000, "fallbacks": ["claude"]
/// }"#)?;
/// assert_eq!(by_code, from_data);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorkloadRoute {
    /// The route's name: what the application asks for, or a model picks.
    pub alias: String,
    /// What the route is for, in words for a person or a model; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The target: the name or an alias of a registered model.
    pub model: String,
    /// What the target and every fallback must be said to be able to do.
    #[serde(default, skip_serializing_if = "is_none_required")]
    pub requires: CapabilitySet,
    /// How many tokens of prompt the target and every fallback must be said to take, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_context: Option<u64>,
    /// The models to move on to, in this order, by name or alias.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<String>,
}

impl WorkloadRoute {
    /// A route that requires nothing and has no fallbacks.
    #[must_use]
    pub fn new(alias: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            alias: alias.into(),
            description: String::new(),
            model: model.into(),
            requires: CapabilitySet::EMPTY,
            min_context: None,
            fallbacks: Vec::new(),
        }
    }

    /// Says what the route is for.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Requires these capabilities too.
    #[must_use]
    pub fn requires(mut self, capabilities: impl IntoIterator<Item = Capability>) -> Self {
        self.requires = capabilities
            .into_iter()
            .fold(self.requires, CapabilitySet::with);
        self
    }

    /// Requires a prompt window of this many tokens.
    #[must_use]
    pub fn min_context(mut self, tokens: u64) -> Self {
        self.min_context = Some(tokens);
        self
    }

    /// Adds the next model to move on to.
    #[must_use]
    pub fn fallback(mut self, model: impl Into<String>) -> Self {
        self.fallbacks.push(model.into());
        self
    }
}

/// As serde calls it.
fn is_none_required(requires: &CapabilitySet) -> bool {
    requires.is_empty()
}

/// A router as it is written down: its name and its routes.
///
/// [`CapabilityRegistry::register_model_router`](crate::CapabilityRegistry::register_model_router)
/// takes it, and sealing holds it against the registry's models and makes a
/// [`ModelRouter`](crate::ModelRouter) of it.
///
/// ```
/// use callboard::{RouterDefinition, WorkloadRoute};
///
/// let definition = RouterDefinition::new("workload")
///     .route(WorkloadRoute::new("chat-v1", "gpt-4o").fallback("claude"))
///     .route(WorkloadRoute::new("batch-v1", "claude"));
///
/// let same = RouterDefinition::from_json(r#"{
///     "name": "workload",
///     "routes": [
///         {"alias": "chat-v1", "model": "gpt-4o", "fallbacks": ["claude"]},
///         {"alias": "batch-v1", "model": "claude"}
///     ]
/// }"#)?;
/// assert_eq!(same, definition);
///
/// let error = RouterDefinition::from_json(r#"{
///     "name": "workload",
///     "routes": [{"alias": "chat-v1", "model": "gpt-4o", "requires": ["visoin"]}]
/// }"#).unwrap_err();
/// assert_eq!(error.faults[0].field, "routes[0].requires[0]");
/// # Ok::<(), callboard::InvalidRouter>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RouterDefinition {
    /// The router's name, by the rule of [`check_name`].
    pub name: String,
    /// What the router is for; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The routes; their order is kept.
    pub routes: Vec<WorkloadRoute>,
}

impl RouterDefinition {
    /// A router without routes yet.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: String::new(),
            routes: Vec::new(),
        }
    }

    /// Says what the router is for.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a route.
    #[must_use]
    pub fn route(mut self, route: WorkloadRoute) -> Self {
        self.routes.push(route);
        self
    }

    /// Reads a router from a JSON document: one object with `name`, `description` and `routes`.
    ///
    /// The text is not trusted. It is at most 1 MiB long, with at most 1,000 routes of at most 64
    /// fallbacks each, and descriptions of at most 16 KiB; a field that isn't known is refused.
    /// Whether the models are there and can do what is required is checked when the registry is
    /// sealed.
    ///
    /// # Errors
    ///
    /// The first place that can't be read, or else everything that is wrong with what was read.
    pub fn from_json(text: &str) -> Result<Self, InvalidRouter> {
        if text.len() > MAX_DOCUMENT_BYTES {
            return Err(InvalidRouter::of_document(
                String::new(),
                format!(
                    "has {} bytes, and {MAX_DOCUMENT_BYTES} is the most",
                    text.len()
                ),
            ));
        }
        let mut document = serde_json::Deserializer::from_str(text);
        let definition: Self =
            serde_path_to_error::deserialize(&mut document).map_err(|error| {
                let path = match error.path().to_string() {
                    root if root == "." => String::new(),
                    path => path,
                };
                InvalidRouter::of_document(path, error.into_inner().to_string())
            })?;
        document
            .end()
            .map_err(|error| InvalidRouter::of_document(String::new(), error.to_string()))?;
        definition.check()?;
        Ok(definition)
    }

    /// What can be wrong with a definition by itself, whatever the models are.
    pub(crate) fn check(&self) -> Result<(), InvalidRouter> {
        let mut faults = Faults(Vec::new());
        faults.name("name", &self.name);
        faults.description("description", &self.description);
        faults.count("routes", self.routes.len(), MAX_ROUTES, "routes");
        let mut aliases = BTreeSet::new();
        for (i, route) in self.routes.iter().take(MAX_ROUTES).enumerate() {
            let alias = format!("routes[{i}].alias");
            faults.name(&alias, &route.alias);
            if route.alias == self.name {
                faults.add(
                    &alias,
                    format_args!("`{}` is the router's own name", route.alias),
                );
            }
            if !aliases.insert(route.alias.as_str()) {
                faults.add(
                    &alias,
                    format_args!("there is a route `{}` before it", route.alias),
                );
            }
            faults.description(&format!("routes[{i}].description"), &route.description);
            faults.name(&format!("routes[{i}].model"), &route.model);
            let fallbacks = format!("routes[{i}].fallbacks");
            faults.count(
                &fallbacks,
                route.fallbacks.len(),
                MAX_FALLBACKS,
                "fallbacks",
            );
            for (j, fallback) in route.fallbacks.iter().take(MAX_FALLBACKS).enumerate() {
                faults.name(&format!("{fallbacks}[{j}]"), fallback);
            }
        }
        if faults.0.is_empty() {
            return Ok(());
        }
        let named = check_name(&self.name).is_ok();
        Err(InvalidRouter {
            router: named.then(|| self.name.clone()),
            faults: faults.0,
        })
    }
}

struct Faults(Vec<RouterFault>);

impl Faults {
    fn add(&mut self, field: &str, message: impl fmt::Display) {
        self.0.push(RouterFault {
            field: field.to_owned(),
            message: message.to_string(),
        });
    }

    fn name(&mut self, field: &str, name: &str) {
        if let Err(error) = check_name(name) {
            self.add(field, error);
        }
    }

    fn description(&mut self, field: &str, text: &str) {
        self.count(field, text.len(), MAX_DESCRIPTION_BYTES, "bytes");
    }

    fn count(&mut self, field: &str, count: usize, most: usize, of: &str) {
        if count > most {
            self.add(
                field,
                format_args!("has {count} {of}, and {most} is the most"),
            );
        }
    }
}

/// Why a router can't be read, or be registered: what is wrong with its definition by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidRouter {
    /// The router's name, where it has one that can be used.
    pub router: Option<String>,
    /// What is wrong, in the order of the document; one at least.
    pub faults: Vec<RouterFault>,
}

impl InvalidRouter {
    fn of_document(field: String, message: String) -> Self {
        Self {
            router: None,
            faults: vec![RouterFault { field, message }],
        }
    }
}

impl fmt::Display for InvalidRouter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.router {
            Some(name) => write!(f, "the router `{name}` is not well-formed")?,
            None => f.write_str("a router is not well-formed")?,
        }
        for fault in &self.faults {
            write!(f, "\n  {fault}")?;
        }
        Ok(())
    }
}

impl Error for InvalidRouter {}

/// One thing that is wrong with a [`RouterDefinition`] by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RouterFault {
    /// The field, as a path: `routes[0].fallbacks[1]`. Empty for the document as a whole.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for RouterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = match self.field.as_str() {
            "" => "the document",
            field => field,
        };
        write!(f, "{field}: {}", self.message)
    }
}
