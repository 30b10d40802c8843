//! A server's list of tools: read page by page, bounded, and made into rows or refused.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{
    ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerPeerInfo, ServerResult, Tool,
};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};
use serde_json::Value;
use tokio::time::Instant;

use super::server::{McpLimits, McpServer};
use crate::component::check_name;
use crate::tool::{
    CheckedSchema, MOST_PATTERNS, McpTool, TaskSupport, ToolCapabilities, ToolClaims, ToolIoMode,
    depth, input_problem, unwind,
};

/// serde_json reads no deeper than 128 levels, and the list is some levels deep itself.
const DEEPEST: usize = 120;
/// Why a list wasn't read.
pub(super) enum Unread {
    /// The connection is gone.
    Gone(String),
    /// What came breaks a rule, or nothing came.
    Bad(String),
}

/// Reads the whole list.
pub(super) async fn read(
    peer: &Peer<RoleClient>,
    limits: &McpLimits,
    until: Instant,
) -> Result<Vec<Tool>, Unread> {
    let mut tools: Vec<Tool> = Vec::new();
    let mut bytes = 0;
    let mut cursor: Option<String> = None;
    for _page in 0..limits.pages {
        let params = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
        let left = until.saturating_duration_since(Instant::now());
        // Not `Peer::list_tools`: it answers from its memory when the server doesn't.
        let asked = peer
            .send_cancellable_request(request, PeerRequestOptions::with_timeout(left))
            .await;
        let page = match asked {
            Ok(handle) => handle.await_response().await,
            Err(error) => Err(error),
        };
        let page = match page {
            Ok(ServerResult::ListToolsResult(page)) => page,
            Ok(_) => {
                return Err(Unread::Bad(
                    "it answered `tools/list` with something else than a list of tools".to_owned(),
                ));
            }
            Err(ServiceError::Timeout { .. }) => {
                return Err(Unread::Bad(format!(
                    "no list came in time: it is late, or it sent what is no JSON, more than {DEEPEST} levels deep, or too long for one message"
                )));
            }
            Err(ServiceError::McpError(error)) => {
                return Err(Unread::Bad(format!(
                    "it answered `tools/list` with the error {}: {}",
                    error.code.0, error.message
                )));
            }
            Err(error) => return Err(Unread::Gone(error.to_string())),
        };
        for tool in page.tools {
            if tools.len() == limits.tools {
                return Err(Unread::Bad(format!(
                    "it has more than {} tools, the most that is taken",
                    limits.tools
                )));
            }
            bytes += size(&tool);
            if bytes > limits.list_bytes {
                return Err(Unread::Bad(format!(
                    "its list is longer than {} bytes, the most that is taken",
                    limits.list_bytes
                )));
            }
            tools.push(tool);
        }
        match page.next_cursor {
            None => return Ok(tools),
            next if next == cursor => {
                return Err(Unread::Bad(
                    "the next page of its list is the page itself".to_owned(),
                ));
            }
            next => cursor = next,
        }
    }
    Err(Unread::Bad(format!(
        "its list has more than {} pages, the most that is read",
        limits.pages
    )))
}

/// The bytes of a tool as JSON, without writing them down.
fn size(tool: &Tool) -> usize {
    struct Count(usize);

    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    match serde_json::to_writer(&mut count, tool) {
        Ok(()) => count.0,
        Err(_) => usize::MAX / 2,
    }
}

/// Makes rows of a list, in the order of their names; fails with the first tool that breaks a rule.
pub(super) fn rows(
    server: &McpServer,
    info: Option<&ServerPeerInfo>,
    tools: Vec<Tool>,
) -> Result<Vec<Arc<McpTool>>, String> {
    let mut wire_names = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut patterns_left = MOST_PATTERNS;
    let mut rows = Vec::with_capacity(tools.len());
    for tool in tools {
        if !wire_names.insert(tool.name.clone()) {
            return Err(format!("it has two tools called `{}`", shown(&tool.name)));
        }
        let named = unwind::caught(|| server.naming.name(&server.id, &tool.name));
        let Some(name) = named.map_err(|message| {
            format!(
                "naming the tool `{}` panicked: {message}",
                shown(&tool.name)
            )
        })?
        else {
            continue;
        };
        check_name(&name).map_err(|error| {
            format!("{error}; name it otherwise, or leave it out, with `Naming::by`")
        })?;
        if !names.insert(name.clone()) {
            return Err(format!("two of its tools are called `{name}` here"));
        }
        let row = row(server, info, &name, &tool, &mut patterns_left)
            .map_err(|problem| format!("the tool `{}`: {problem}", shown(&tool.name)))?;
        rows.push(Arc::new(row));
    }
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(rows)
}

fn row(
    server: &McpServer,
    info: Option<&ServerPeerInfo>,
    name: &str,
    tool: &Tool,
    patterns_left: &mut usize,
) -> Result<McpTool, String> {
    let limits = &server.limits;
    let description = tool.description.as_deref().unwrap_or_default();
    if description.len() > limits.description_bytes {
        return Err(format!(
            "its description has {} bytes, and {} is the most",
            description.len(),
            limits.description_bytes
        ));
    }
    let definition = serde_json::to_value(tool).map_err(|error| error.to_string())?;
    let deepest = limits.depth.min(DEEPEST);
    if depth(&definition, deepest).is_none() {
        return Err(format!("its definition is more than {deepest} levels deep"));
    }
    if let Some(problem) = definition.get("inputSchema").and_then(input_problem) {
        return Err(problem);
    }
    let mut notes = Vec::new();
    let output_schema = definition.get("outputSchema");
    let output = match output_schema.map(|schema| CheckedSchema::new(schema, patterns_left)) {
        None => None,
        Some(Ok(schema)) => Some(schema),
        Some(Err(problem)) => {
            notes.push(format!(
                "the answers are not checked, since the schema for them can't be used: {problem}"
            ));
            None
        }
    };
    let support = server.support();
    let claims = claims(tool);
    let has_tasks = info.is_some_and(|info| info.capabilities.supports_tasks());
    Ok(McpTool {
        name: name.to_owned(),
        wire_name: tool.name.as_ref().into(),
        server_id: Arc::clone(&server.id),
        policy: server.policy(claims),
        capabilities: ToolCapabilities {
            task_support: match has_tasks {
                true => TaskSupport::Server,
                false => TaskSupport::NotStated,
            },
            output_schema: output.is_some(),
            emits_progress: false,
            may_elicit: support.elicitation,
            may_sample: support.sampling,
            io_mode: ToolIoMode::Unary,
            bridge: server.bridge,
            notes,
        },
        claims,
        version: digest(&definition),
        definition,
        output,
    })
}

fn claims(tool: &Tool) -> ToolClaims {
    let mut claims = ToolClaims::default();
    if let Some(annotations) = &tool.annotations {
        claims.read_only = annotations.read_only_hint;
        claims.destructive = annotations.destructive_hint;
        claims.idempotent = annotations.idempotent_hint;
        claims.open_world = annotations.open_world_hint;
    }
    claims
}

fn digest(definition: &Value) -> String {
    let mut sorted = definition.clone();
    sorted.sort_all_objects();
    let digest = hmac_sha256::Hash::hash(sorted.to_string().as_bytes());
    digest.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A name from outside can be of any length.
fn shown(name: &str) -> String {
    name.chars().take(128).collect()
}
