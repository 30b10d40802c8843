//! JSON Schema of arguments and outputs: draft 2020-12, whatever schemars' default becomes.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments.
///
/// The type's name, which schemars gives as `title`, says nothing to a model; `properties` is
/// always there, since providers ask for it even where it is empty.
pub(crate) fn of_input<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(SchemaSettings::draft2020_12().for_deserialize());
    if let Value::Object(root) = &mut schema {
        root.remove("title");
        if root.get("type").and_then(Value::as_str) == Some("object") {
            root.entry("properties").or_insert_with(|| json!({}));
        }
    }
    schema
}

/// The schema of a form that a person fills in: as that of arguments, and everything where it is
/// used, since a form has no place for definitions.
pub(crate) fn of_form<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(SchemaSettings::draft2020_12().for_deserialize().with(
        |settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        },
    ));
    if let Value::Object(root) = &mut schema {
        root.remove("title");
    }
    schema
}

/// The schema of what a tool returns.
pub(crate) fn of_output<T: JsonSchema>() -> Value {
    generate::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// What is wrong with a schema of arguments, if anything: every provider asks for an object at
/// the top.
pub(crate) fn input_problem(schema: &Value) -> Option<String> {
    let Value::Object(root) = schema else {
        return Some("the schema of the arguments is not a JSON object".to_owned());
    };
    match root.get("type") {
        Some(Value::String(kind)) if kind == "object" => None,
        Some(other) => Some(format!(
            "the schema of the arguments has type {other} at the top; arguments are an object, so use a struct with named fields"
        )),
        None => Some(
            "the schema of the arguments has no type at the top; arguments are an object (`\"type\": \"object\"`), so use a struct with named fields"
                .to_owned(),
        ),
    }
}

/// The schema without the word that only says which draft it is.
pub(crate) fn without_draft(schema: &Value) -> Value {
    match schema {
        Value::Object(root) if root.contains_key("$schema") => Value::Object(
            root.iter()
                .filter(|(key, _)| *key != "$schema")
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect::<Map<_, _>>(),
        ),
        other => other.clone(),
    }
}

/// How deep a value is, unless that is deeper than `most`.
#[cfg(any(feature = "dynamic", feature = "mcp"))]
pub(crate) fn depth(value: &Value, most: usize) -> Option<usize> {
    let inner = match value {
        Value::Array(items) => items.iter().collect::<Vec<_>>(),
        Value::Object(members) => members.values().collect(),
        _ => return Some(0),
    };
    let below = most.checked_sub(1)?;
    inner
        .into_iter()
        .try_fold(0, |deepest, item| Some(deepest.max(depth(item, below)?)))
        .map(|deepest| deepest + 1)
}
