//! What `#[model]` makes known of a model before the program starts.

use super::factory::ModelFactory;
use crate::catalog::ModelEntry;
use crate::component::ComponentDescriptor;

/// A model that the program names by a type: what `#[model]` implements.
///
/// Its facts are constants, so that a route's demands can fail the build.
///
#[cfg_attr(feature = "catalog", doc = "```")]
#[cfg_attr(not(feature = "catalog"), doc = "```ignore")]
/// use callboard::{Model, model};
///
/// #[model(catalog = "openai/gpt-4o")]
/// pub struct Gpt4o;
///
/// const WINDOW: Option<u64> = Gpt4o::ENTRY.prompt_limit();
/// assert_eq!(WINDOW, Some(128_000));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "no `#[model]` on this type",
    note = "put `#[callboard::model(catalog = \"provider/model-id\")]` on it; for a function under `#[model]`, name the struct that the attribute makes: `Claude` for `fn claude`"
)]
pub trait Model: 'static {
    /// Name, words, place and facts.
    const DESCRIPTOR: &'static ModelDescriptor;

    /// The facts: limits, capabilities, prices.
    const ENTRY: &'static ModelEntry = Self::DESCRIPTOR.entry();
}

/// What `#[model]` makes known before the program starts.
#[derive(Debug)]
pub struct ModelDescriptor {
    component: ComponentDescriptor,
    entry: &'static ModelEntry,
    factory: Option<ModelFactory>,
}

impl ModelDescriptor {
    #[doc(hidden)]
    pub const fn __new(
        component: ComponentDescriptor,
        entry: &'static ModelEntry,
        factory: Option<ModelFactory>,
    ) -> Self {
        Self {
            component,
            entry,
            factory,
        }
    }

    /// Kind, name, description, tags and source.
    pub const fn component(&self) -> &ComponentDescriptor {
        &self.component
    }

    /// The name in registries.
    pub const fn name(&self) -> &'static str {
        self.component.name()
    }

    /// The facts: of the catalog, or as the attribute states them.
    pub const fn entry(&self) -> &'static ModelEntry {
        self.entry
    }

    /// How a handle is made, where the attribute is on a function.
    pub(crate) const fn factory(&self) -> Option<&ModelFactory> {
        self.factory.as_ref()
    }
}
