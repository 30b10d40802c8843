//! A tool as a model is shown it.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::entry::RegistryEntry;
use super::schema;

/// A tool as a model is shown it: name, description and parameters.
///
/// It serializes in the function-style envelope:
/// `{"type":"function","function":{"name":…,"description":…,"parameters":…}}`.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    /// The name that the model calls.
    pub name: String,
    /// What the tool does: what the registry's metadata say, which
    /// [`describe`](crate::CapabilityRegistry::describe) may have changed.
    pub description: String,
    /// The JSON Schema of the arguments, without `$schema`.
    pub parameters: Value,
}

impl ToolDefinition {
    /// `None` where the schema can't be made: a model that is shown half a tool would call it.
    pub(crate) fn of(row: &RegistryEntry, description: &str) -> Option<Self> {
        Some(Self {
            name: row.name().to_owned(),
            description: description.to_owned(),
            parameters: schema::without_draft(row.try_input_schema().ok()?),
        })
    }
}

impl Serialize for ToolDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Function<'a> {
            name: &'a str,
            description: &'a str,
            parameters: &'a Value,
        }
        let mut envelope = serializer.serialize_struct("ToolDefinition", 2)?;
        envelope.serialize_field("type", "function")?;
        envelope.serialize_field(
            "function",
            &Function {
                name: &self.name,
                description: &self.description,
                parameters: &self.parameters,
            },
        )?;
        envelope.end()
    }
}
