//! What answers one client, for rmcp: over HTTP, one of them for each session, or for each request
//! of a client that has no session.
#![allow(
    deprecated,
    reason = "the protocol deprecates logging, and peers go on using it"
)]

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    SetLevelRequestParams, SubscriptionFilter, Tool, ToolsCapability,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer;
use super::call::{self, Call};
use super::list;
use super::service::McpService;
use crate::capability::{LiveRegistry, Registry};
use crate::mcp::convert;
use crate::tool::{LogLevel, unwind};

pub(super) struct Handler {
    service: McpService,
    /// What a client that initializes wants to read of tools' messages.
    level: Mutex<LogLevel>,
    /// The list as it was before the client asked for it: what came after is news.
    seen: Option<Seen>,
    /// Cancelled when this is dropped, with the connection.
    over: CancellationToken,
    _over: DropGuard,
}

impl Handler {
    pub(super) fn new(service: McpService) -> Self {
        let over = CancellationToken::new();
        let seen = service.settings.registry.live();
        let seen = seen.map(|live| Seen::of(&service, &live.current()));
        Self {
            service,
            seen,
            level: Mutex::new(LogLevel::Info),
            over: over.clone(),
            _over: over.drop_guard(),
        }
    }

    fn level(&self, context: &RequestContext<RoleServer>) -> Option<LogLevel> {
        match call::asks_in_answers(context) {
            true => call::level_of_request(context),
            false => Some(*self.level.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let settings = &self.service.settings;
        let mut capabilities = ServerCapabilities::default();
        let mut tools = ToolsCapability::default();
        if settings.registry.live().is_some() {
            tools.list_changed = Some(true);
        }
        capabilities.tools = Some(tools);
        capabilities.logging = Some(Default::default());
        let mut info = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(&settings.name, &settings.version));
        info.instructions.clone_from(&settings.instructions);
        info
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        mut context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let settings = &self.service.settings;
        // A host's code decides what is shown, and an error is an answer too.
        unwind::caught(|| {
            let registry = settings.registry.current();
            let tools = self.service.state.listed.of(&registry);
            let context = call::tool_context(&mut context);
            list::page(
                &registry,
                &tools,
                &context,
                cursor.as_deref(),
                settings.page_size,
            )
        })
        .unwrap_or_else(|_panic| {
            Err(ErrorData::internal_error(
                "the list of tools can't be made",
                None,
            ))
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let log = self.level(&context);
        let tool = request.name.into_owned();
        let call = match request.request_state {
            Some(ticket) => {
                let parked = &self.service.state.parked;
                let Some(call) = parked.take(&ticket, &tool, request.input_responses) else {
                    return Err(ErrorData::invalid_params(
                        "no call waits for these answers: it ended, or never was",
                        None,
                    ));
                };
                if let Err(refused) = call.resume(&mut context, log) {
                    return answer::of(Err(refused), true).map(CallToolResponse::from);
                }
                call
            }
            None => match Call::begin(&self.service, tool, request.arguments, &mut context, log) {
                Ok(call) => call,
                Err(words) => return Ok(answer::refusal(words).into()),
            },
        };
        call.answer(&self.service, &context).await
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) =
            convert::level_of(request.level);
        Ok(())
    }

    /// What rmcp can't read comes here too.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" | "tools/list" | "logging/setLevel" => ErrorData::invalid_params(
                format!("the parameters of {} can't be read", request.method),
                None,
            ),
            _ => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None),
        })
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let registry = &self.service.settings.registry;
        let (Some(live), Some(mut seen)) = (registry.live().cloned(), self.seen.clone()) else {
            return;
        };
        let (service, over) = (self.service.clone(), self.over.clone());
        tokio::spawn(async move {
            let telling = async {
                loop {
                    seen.next(&service, &live).await;
                    if context.peer.notify_tool_list_changed().await.is_err() {
                        return;
                    }
                }
            };
            tokio::select! {
                () = over.cancelled() => {}
                () = telling => {}
            }
        });
    }

    fn accepted_subscription_filter(
        &self,
        _requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.service.settings.registry.live()?;
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = Some(true);
        Some(filter)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let live = self.service.settings.registry.live();
        let (Some(live), Some(mut seen)) = (live, self.seen.clone()) else {
            return Ok(());
        };
        let telling = async {
            loop {
                seen.next(&self.service, live).await;
                if context.sink().notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            () = context.cancelled() => {}
            () = self.service.state.closing.cancelled() => {}
            () = telling => {}
        }
        Ok(())
    }
}

/// The list of tools that a client was last told of.
#[derive(Clone)]
struct Seen {
    version: u64,
    tools: Arc<[Tool]>,
}

impl Seen {
    fn of(service: &McpService, registry: &Registry) -> Self {
        Self {
            version: registry.version(),
            tools: service.state.listed.of(registry),
        }
    }

    /// Waits for a version whose tools are listed otherwise.
    async fn next(&mut self, service: &McpService, live: &LiveRegistry) {
        loop {
            let next = Self::of(service, &live.other_than(self.version).await);
            let changed = next.tools != self.tools;
            *self = next;
            if changed {
                return;
            }
        }
    }
}
