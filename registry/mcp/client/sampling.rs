//! A server's question for a model, and the answer.
#![allow(
    deprecated,
    reason = "the protocol deprecates sampling, and servers go on using it"
)]

use rmcp::model::{CreateMessageRequestParams, CreateMessageResult};

use crate::mcp::convert;
use crate::tool::{SampleRequest, Sampled};

/// A question for a model; fails where it holds what callboard has no word for, such as tools.
pub(super) fn sample_request_of(
    params: CreateMessageRequestParams,
) -> Result<SampleRequest, String> {
    if params.tools.is_some_and(|tools| !tools.is_empty()) {
        return Err("a model with tools can't be asked here".to_owned());
    }
    let messages = params
        .messages
        .into_iter()
        .map(convert::sample_message_of)
        .collect::<Result<Vec<_>, _>>()?;
    let mut request = SampleRequest::new(messages, params.max_tokens);
    request.system_prompt = params.system_prompt;
    request.temperature = params.temperature;
    request.stop_sequences = params.stop_sequences.unwrap_or_default();
    request.model_hints = params
        .model_preferences
        .and_then(|preferences| preferences.hints)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|hint| hint.name)
        .collect();
    Ok(request)
}

/// A model's answer; fails where it holds what the protocol has no place for.
pub(super) fn sampled_to_wire(sampled: Sampled) -> Result<CreateMessageResult, String> {
    let message = convert::sample_message_to_wire(sampled.message)?;
    let result = CreateMessageResult::new(message, sampled.model);
    Ok(match sampled.stop_reason {
        Some(reason) => result.with_stop_reason(reason),
        None => result,
    })
}
