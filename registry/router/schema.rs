//! The JSON Schema of a choice between routes.

use serde_json::{Map, Value, json};

/// The schema of a choice between these routes, each an alias and its description.
///
/// One `const` for each, since an `enum` has no place for words about its values.
pub(super) fn schema_of_routes<'a>(
    description: &str,
    routes: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Value {
    let choices: Vec<Value> = routes
        .into_iter()
        .map(|(alias, description)| described(description, "const", alias.into()))
        .collect();
    let mut schema = described(description, "oneOf", choices.into());
    schema["type"] = json!("string");
    schema
}

fn described(description: &str, keyword: &str, value: Value) -> Value {
    let mut schema = Map::new();
    schema.insert(keyword.to_owned(), value);
    if !description.is_empty() {
        schema.insert("description".to_owned(), description.into());
    }
    Value::Object(schema)
}
