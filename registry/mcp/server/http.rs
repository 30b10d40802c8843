//! Serving over streamable HTTP, as a service of tower's.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tower_service::Service;

use super::handler::Handler;
use super::service::{McpService, ServedRegistry};
use crate::tool::BoxFuture;

/// The pages that this machine itself serves.
const OWN_ORIGINS: &[&str] = &[
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];

type Inner = StreamableHttpService<Handler, LocalSessionManager>;

/// A registry over streamable HTTP: a tower service, which axum and others can route to.
///
/// The parts of the HTTP request, an [`http::request::Parts`], are in the extensions of each
/// call's context, and of that of each look at the list: there an
/// [`Authorizer`](crate::Authorizer) finds the headers, and what layers in front of this service
/// put into the request's own extensions.
///
/// ```
/// use axum::http;
/// use callboard::{CapabilityRegistry, Decision, RegistryEntry, ToolCallContext, tool};
///
/// /// Adds two numbers.
/// #[tool(read_only)]
/// async fn add(left: i64, right: i64) -> i64 {
///     left + right
/// }
///
/// let mut reg = CapabilityRegistry::collect()?;
/// reg.set_authorizer(|_row: &RegistryEntry, ctx: &ToolCallContext| {
///     let known = ctx
///         .extension::<http::request::Parts>()
///         .and_then(|request| request.headers.get("authorization"))
///         .is_some_and(|token| token == "Bearer sesame");
///     if known { Decision::Allow } else { Decision::deny("a stranger") }
/// });
/// let app = axum::Router::new().route_service("/mcp", callboard::mcp::http(reg.seal()?));
/// # let _: axum::Router = app;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HttpService(Inner);

impl McpService {
    /// The server over streamable HTTP.
    pub fn http(&self) -> HttpService {
        let settings = &self.settings;
        let mut config = StreamableHttpServerConfig::default();
        if let Some(hosts) = &settings.hosts {
            config = config.with_allowed_hosts(hosts);
        }
        config = match &settings.origins {
            Some(origins) => config.with_allowed_origins(origins),
            None => config.with_allowed_origins(OWN_ORIGINS.iter().copied()),
        }
        .enforce_origin_validation();
        config.max_request_body_bytes = settings.message_bytes;
        config.cancellation_token = self.state.over.clone();
        let service = self.clone();
        HttpService(StreamableHttpService::new(
            move || Ok(Handler::new(service.clone())),
            Arc::new(LocalSessionManager::default()),
            config,
        ))
    }
}

/// Serves a registry over streamable HTTP: [`McpService::http`] with nothing set.
pub fn http(registry: impl Into<ServedRegistry>) -> HttpService {
    McpService::new(registry).http()
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Error: fmt::Display,
    B::Data: Send + 'static,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        <Inner as Service<Request<B>>>::poll_ready(&mut self.0, context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let answer = self.0.call(request);
        Box::pin(async move { Ok(answer.await?.map(HttpBody)) })
    }
}

/// The body of an answer: a JSON text, or a stream of events.
pub struct HttpBody(BoxBody<Bytes, Infallible>);

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.0).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpBody").finish_non_exhaustive()
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").finish_non_exhaustive()
    }
}
