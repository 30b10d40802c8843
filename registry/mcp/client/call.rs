//! One call of a tool on a server.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, ErrorCode, ErrorData,
    InputRequest, InputRequiredResult, InputResponses, RequestMetaObject, ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::session::{self, InFlight, Session};
use crate::mcp::convert;
use crate::tool::{
    Content, DispatchError, McpTool, ToolCallContext, ToolFailure, ToolOutput, Wrong, clipped,
};

/// How often a server may ask for more before it answers.
const MOST_ROUNDS: usize = 10;

/// Calls a tool through a connection that is up.
pub(super) async fn call(
    session: &Session,
    peer: &Peer<RoleClient>,
    tool: &McpTool,
    arguments: Map<String, Value>,
    context: &ToolCallContext,
) -> Result<ToolOutput, DispatchError> {
    let mut params =
        CallToolRequestParams::new(tool.wire_name.to_string()).with_arguments(arguments);
    // Only there can a server answer with a question, after which the call is made again.
    let asks_in_answers = peer
        .peer_info()
        .is_some_and(|info| !info.protocol_version.has_initialize());
    for _round in 0..MOST_ROUNDS {
        let again = asks_in_answers.then(|| params.clone());
        let answer = tokio::select! {
            biased;
            answer = request(session, peer, params, context) => answer,
            () = session.lost.cancelled() => return Err(away(tool)),
        };
        match answer {
            Ok(ServerResult::CallToolResult(result)) => return output_of(tool, result),
            Ok(ServerResult::EmptyResult(_)) => return output_of(tool, CallToolResult::default()),
            Ok(ServerResult::InputRequiredResult(asked)) => {
                let Some(mut next) = again else {
                    return Err(failed(
                        "the server asks in a way that its protocol doesn't have",
                    ));
                };
                next.request_state = asked.request_state.clone();
                next.input_responses = answers_to(session, context, asked).await?;
                params = next;
            }
            Ok(_) => {
                return Err(failed(
                    "the server answered with something other than a tool's result",
                ));
            }
            Err(ServiceError::McpError(error)) => return Err(refused(tool, error)),
            Err(ServiceError::Cancelled { reason }) => {
                let reason = reason.unwrap_or_else(|| "it doesn't say why".to_owned());
                return Err(failed(format!(
                    "the server gave the call up: {}",
                    clipped(reason)
                )));
            }
            Err(ServiceError::UnexpectedResponse) => {
                return Err(failed("the server's answer can't be read"));
            }
            Err(_) => {
                session.suspect.notify_one();
                return Err(away(tool));
            }
        }
    }
    Err(failed(format!(
        "the server asked {MOST_ROUNDS} times and gave no answer"
    )))
}

/// Sends the request, and waits; when this is dropped, the server is told.
async fn request(
    session: &Session,
    peer: &Peer<RoleClient>,
    params: CallToolRequestParams,
    context: &ToolCallContext,
) -> Result<ServerResult, ServiceError> {
    let mut in_flight = InFlight::new(session, peer, context.peer());
    let mut request = CallToolRequest::new(params);
    in_flight.mark(&mut request);
    let mut options = PeerRequestOptions::no_options();
    if let Some(trace) = context.trace() {
        let mut meta = RequestMetaObject::new();
        meta.set_traceparent(trace.traceparent());
        if let Some(state) = trace.tracestate() {
            meta.set_tracestate(state);
        }
        if let Some(baggage) = trace.baggage() {
            meta.set_baggage(baggage);
        }
        options = options.with_meta(meta);
    }
    let handle = peer
        .send_cancellable_request(ClientRequest::CallToolRequest(request), options)
        .await?;
    in_flight.sent(&handle);
    let answer = handle.await_response().await;
    in_flight.answered();
    answer
}

/// The answers to what a server asks in the place of an answer.
async fn answers_to(
    session: &Session,
    context: &ToolCallContext,
    asked: InputRequiredResult,
) -> Result<Option<InputResponses>, DispatchError> {
    let Some(requests) = asked.input_requests.filter(|requests| !requests.is_empty()) else {
        if asked.request_state.is_none() {
            return Err(failed("the server asks for more, and doesn't say for what"));
        }
        // It wants to be asked again; not at once.
        tokio::time::sleep(std::time::Duration::from_millis(250)).await;
        return Ok(None);
    };
    let stop = CancellationToken::new();
    let mut answers = InputResponses::new();
    for (key, request) in requests {
        let peer = session.who_answers_for(context.peer());
        let answer = match request {
            InputRequest::Elicitation(request) => {
                to_json(session::elicit(peer, request.params, &stop).await)
            }
            InputRequest::CreateMessage(request) => {
                to_json(session::sample(peer, request.params, &stop).await)
            }
            // None were declared.
            InputRequest::ListRoots(_) => Ok(json!({ "roots": [] })),
            _ => Err("it asks for what callboard doesn't know".to_owned()),
        };
        let answer = answer
            .map_err(|problem| failed(format!("the server's question has no answer: {problem}")))?;
        answers.insert(key, answer);
    }
    Ok(Some(answers))
}

fn to_json<T: Serialize>(answer: Result<T, ErrorData>) -> Result<Value, String> {
    let answer = answer.map_err(|error| error.message.into_owned())?;
    serde_json::to_value(answer).map_err(|error| error.to_string())
}

fn failed(message: impl Into<String>) -> DispatchError {
    DispatchError::Failed(ToolFailure::new(message))
}

pub(super) fn away(tool: &McpTool) -> DispatchError {
    DispatchError::Disconnected {
        server: tool.server_id.to_string(),
    }
}

/// A JSON-RPC error in the place of a result.
fn refused(tool: &McpTool, error: ErrorData) -> DispatchError {
    let message = clipped(error.message.clone().into_owned());
    match error.code {
        ErrorCode::INVALID_PARAMS => DispatchError::InvalidArguments {
            tool: tool.name.clone(),
            path: String::new(),
            message,
        },
        _ => DispatchError::Failed(ToolFailure::new(message).with_source(error)),
    }
}

fn output_of(tool: &McpTool, result: CallToolResult) -> Result<ToolOutput, DispatchError> {
    let invalid = |path: String, message: String| DispatchError::InvalidOutput {
        tool: tool.name.clone(),
        path,
        message: clipped(message),
    };
    let content = result
        .content
        .into_iter()
        .map(convert::content_of)
        .collect::<Result<Vec<Content>, _>>()
        .map_err(|problem| invalid(String::new(), problem))?;
    let structured = result.structured_content;
    let mut output = ToolOutput::content(content);
    if let Some(structured) = &structured {
        output = output
            .with_json_of(structured)
            .map_err(|error| invalid(String::new(), error.to_string()))?;
    }
    if result.is_error == Some(true) {
        let message = match output.to_text() {
            text if text.trim().is_empty() => "The tool failed, and didn't say why.".to_owned(),
            text => text.into_owned(),
        };
        return Err(DispatchError::Failed(
            ToolFailure::new(message).with_output(output),
        ));
    }
    if let Some(schema) = &tool.output {
        let Some(structured) = &structured else {
            return Err(invalid(
                String::new(),
                "there is no structured content, and the tool declares a schema for it".to_owned(),
            ));
        };
        if let Some(fault) = schema.fault(structured) {
            let message = match fault.what {
                Wrong::Misfit(message) => message,
                Wrong::Unexplained { values, levels } => format!(
                    "it doesn't fit the schema; with {values} values, and {levels} levels deep here, it is too large to say where"
                ),
                Wrong::TooMuch { values, levels } => format!(
                    "it is too much to be checked: {values} values, and {levels} levels deep here"
                ),
            };
            return Err(invalid(fault.path, message));
        }
    }
    Ok(output)
}

/// What a row needs of its connection.
pub(super) struct Live {
    pub(super) peer: Peer<RoleClient>,
    pub(super) session: Arc<Session>,
}
