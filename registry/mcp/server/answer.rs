//! The outcome of a call as the protocol's result.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData};
use serde_json::Value;

use super::wire;
use crate::tool::{DispatchError, ToolOutput};

/// A tool that isn't there, and one that this client may not see, are the same error of the
/// protocol; whatever else goes wrong is a result, since a model can act on it.
///
/// `is_modern`: the client takes any JSON as structured content; before 2026-07-28, it is an object
/// or there is none.
pub(super) fn of(
    outcome: Result<ToolOutput, DispatchError>,
    is_modern: bool,
) -> Result<CallToolResult, ErrorData> {
    let error = match outcome {
        Ok(output) => return Ok(of_output(&output, is_modern)),
        Err(error) => error,
    };
    match &error {
        DispatchError::UnknownTool { .. } | DispatchError::Denied { .. } => {
            Err(ErrorData::invalid_params(error.for_model(), None))
        }
        DispatchError::Failed(failure) if failure.output().is_some() => {
            let output = failure.output();
            let mut result = output
                .map(|output| of_output(output, is_modern))
                .unwrap_or_default();
            if result.content.is_empty() {
                result.content.push(ContentBlock::text(failure.message()));
            }
            result.is_error = Some(true);
            Ok(result)
        }
        _ => Ok(refusal(error.for_model())),
    }
}

/// A result that says in words why there is no other.
pub(super) fn refusal(words: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(words)])
}

fn of_output(output: &ToolOutput, is_modern: bool) -> CallToolResult {
    let content = match output.as_content() {
        Some(pieces) if !pieces.is_empty() || output.as_json().is_none() => {
            pieces.iter().map(wire::content).collect()
        }
        // The same in words, for clients that know no structured content.
        _ => vec![ContentBlock::text(output.to_text())],
    };
    let mut result = CallToolResult::success(content);
    result.structured_content = output
        .as_json()
        .filter(|json| is_modern || json.starts_with('{'))
        .and_then(|json| serde_json::from_str::<Value>(json).ok());
    result
}
