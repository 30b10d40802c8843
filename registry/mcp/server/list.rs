//! The registry's tools as the protocol lists them.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rmcp::model::{ErrorData, JsonObject, ListToolsResult, Tool, ToolAnnotations};
use serde_json::Value;

use crate::capability::Registry;
use crate::component::ComponentKind;
use crate::tool::{RegistryEntry, RowFamily, ToolCallContext, without_draft};

/// The tools of one version of a registry, on the wire and sorted by name: made once.
#[derive(Default)]
pub(super) struct Listed(Mutex<Option<(u64, Arc<[Tool]>)>>);

impl Listed {
    pub(super) fn of(&self, registry: &Registry) -> Arc<[Tool]> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((version, tools)) if *version == registry.version() => Arc::clone(tools),
            _ => {
                let tools: Arc<[Tool]> = registry
                    .tools()
                    .filter_map(|row| to_wire(registry, row))
                    .collect();
                *made = Some((registry.version(), Arc::clone(&tools)));
                tools
            }
        }
    }
}

/// `None` where the schema can't be made: a model that is shown half a tool would call it.
fn to_wire(registry: &Registry, row: &RegistryEntry) -> Option<Tool> {
    let input = schema_to_wire(row, row.try_input_schema().ok()?)?;
    let described = registry.metadata(ComponentKind::Tool, row.name());
    let description = described.map_or(row.description(), |said| &said.description);
    let description = (!description.is_empty()).then(|| description.to_owned().into());
    let policy = row.policy();
    let annotations = ToolAnnotations::new()
        .read_only(policy.read_only)
        .destructive(policy.destructive)
        .idempotent(policy.idempotent)
        .open_world(policy.open_world);
    let mut tool =
        Tool::new_with_raw(row.name().to_owned(), description, input).with_annotations(annotations);
    if let Some(title) = row.title() {
        tool = tool.with_title(title);
    }
    let output = row.try_output_schema().ok().flatten();
    if let Some(output) = output.and_then(|schema| schema_to_wire(row, schema)) {
        tool = tool.with_raw_output_schema(Arc::new(output));
    }
    Some(tool)
}

/// A schema that came from elsewhere stays as it is; of one made here, the draft's name is left
/// out, since it is the protocol's own.
fn schema_to_wire(row: &RegistryEntry, schema: &Value) -> Option<JsonObject> {
    match (row.family(), schema) {
        (RowFamily::Native, schema) => match without_draft(schema) {
            Value::Object(root) => Some(root),
            _ => None,
        },
        (_, Value::Object(root)) => Some(root.clone()),
        _ => None,
    }
}

/// The tools that this context may run, from where the cursor says, and so many of them. A cursor
/// is the name of the last tool of the page before: it holds when the list changes meanwhile.
pub(super) fn page(
    registry: &Registry,
    tools: &[Tool],
    context: &ToolCallContext,
    cursor: Option<&str>,
    size: usize,
) -> Result<ListToolsResult, ErrorData> {
    let from = match cursor {
        None => 0,
        Some(cursor) => {
            let after = name_in(cursor)
                .ok_or_else(|| ErrorData::invalid_params("the cursor is not of this list", None))?;
            tools.partition_point(|tool| *tool.name <= *after)
        }
    };
    let mut result = ListToolsResult::default();
    let mut shown = tools.iter().skip(from).filter(|tool| {
        registry
            .authorization(&tool.name, context)
            .is_some_and(|decision| decision.is_allowed())
    });
    result.tools = shown.by_ref().take(size).cloned().collect();
    if shown.next().is_some()
        && let Some(last) = result.tools.last()
    {
        result.next_cursor = Some(URL_SAFE_NO_PAD.encode(last.name.as_bytes()));
    }
    Ok(result)
}

fn name_in(cursor: &str) -> Option<String> {
    let name = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    crate::component::check_name(&name).ok()?;
    Some(name)
}
