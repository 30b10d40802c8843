//! How a connection to each sort of server is opened, and what is seen of it as it goes by.

use std::future::Future;
use std::marker::PhantomData;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::RoleClient;
use rmcp::model::{ClientRequest, JsonRpcMessage, ProtocolVersion, ServerNotification};
use rmcp::service::{
    ClientLifecycleMode, RunningService, RxJsonRpcMessage, TxJsonRpcMessage,
    serve_client_with_lifecycle,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport, TokioChildProcess, Transport};
use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;

use super::server::{HttpEndpoint, Lifecycle, McpServer, ServerCommand};
use super::session::{Handler, Session};
use crate::tool::BoxFuture;

/// A connection that is up.
pub(super) type Running = RunningService<RoleClient, Handler>;

/// Opens a connection, as often as one is needed.
pub(super) trait Connector: Send + Sync {
    fn open<'a>(
        &'a self,
        server: &'a McpServer,
        session: Arc<Session>,
    ) -> BoxFuture<'a, Result<Running, String>>;
}

/// The variables that a server's process sees unless the host names more: what a program needs to
/// run, and nothing that a host may keep secrets in.
const ENVIRONMENT: &[&str] = &[
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "USER",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TZ",
    // Windows.
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "PATHEXT",
    "COMSPEC",
];

pub(super) fn stdio(command: ServerCommand) -> Arc<dyn Connector> {
    struct Stdio(ServerCommand);

    impl Connector for Stdio {
        fn open<'a>(
            &'a self,
            server: &'a McpServer,
            session: Arc<Session>,
        ) -> BoxFuture<'a, Result<Running, String>> {
            Box::pin(async move {
                let process = spawn(&self.0, &server.id).map_err(|error| {
                    format!("`{}` can't be started: {error}", self.0.program.display())
                })?;
                serve(process, server, session).await
            })
        }
    }

    Arc::new(Stdio(command))
}

fn spawn(command: &ServerCommand, server_id: &Arc<str>) -> std::io::Result<TokioChildProcess> {
    let mut process = tokio::process::Command::new(&command.program);
    process.args(&command.arguments).env_clear();
    for name in ENVIRONMENT {
        if let Some(value) = std::env::var_os(name) {
            process.env(name, value);
        }
    }
    process.envs(&command.environment);
    if let Some(directory) = &command.directory {
        process.current_dir(directory);
    }
    let (transport, stderr) = TokioChildProcess::builder(process)
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(stderr) = stderr {
        tokio::spawn(write_to_log(stderr, Arc::clone(server_id)));
    }
    Ok(transport)
}

/// Keeps the pipe empty, or the server would wait for room in it.
async fn write_to_log(mut stderr: ChildStderr, server_id: Arc<str>) {
    let mut piece = vec![0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut piece).await {
        let text = String::from_utf8_lossy(&piece[..read]);
        tracing::debug!(target: "callboard", server = &*server_id, stderr = text.trim_end());
    }
}

pub(super) fn http(endpoint: HttpEndpoint) -> Arc<dyn Connector> {
    struct Http(HttpEndpoint);

    impl Connector for Http {
        fn open<'a>(
            &'a self,
            server: &'a McpServer,
            session: Arc<Session>,
        ) -> BoxFuture<'a, Result<Running, String>> {
            Box::pin(async move {
                let client = http_client(&self.0.url)?;
                let most = server.limits.message_bytes;
                let mut config = StreamableHttpClientTransportConfig::with_uri(&*self.0.url)
                    .max_sse_event_size(most)
                    .max_json_response_size(most)
                    // A server of 2026-07-28 may answer with the first byte when the tool is
                    // done: a call must not wait for another to end.
                    .max_concurrent_requests(1024)
                    .reinit_on_expired_session(true);
                config.auth_header = self.0.bearer.clone();
                for (name, value) in &self.0.headers {
                    let wrong = |_| {
                        format!(
                            "the header `{name}` can't be sent: name and value are visible ASCII"
                        )
                    };
                    let parsed = HeaderName::from_bytes(name.as_bytes())
                        .map_err(|error| wrong(error.to_string()))?;
                    let mut value =
                        HeaderValue::from_str(value).map_err(|error| wrong(error.to_string()))?;
                    value.set_sensitive(true);
                    config.custom_headers.insert(parsed, value);
                }
                let transport = StreamableHttpClientTransport::with_client(client, config);
                serve(transport, server, session).await
            })
        }
    }

    Arc::new(Http(endpoint))
}

fn http_client(url: &str) -> Result<reqwest::Client, String> {
    let url =
        reqwest::Url::parse(url).map_err(|error| format!("`{url}` is no address: {error}"))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let tls = match url.scheme() {
        "https" => {
            let verifier = rustls_platform_verifier::Verifier::new(provider).map_err(|error| {
                format!("the certificates of this machine can't be read: {error}")
            })?;
            tls.dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier))
                .with_no_client_auth()
        }
        // Without need for the certificates of this machine, which may have none.
        "http" => tls
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth(),
        other => {
            return Err(format!(
                "`{other}` addresses can't be reached: use http or https"
            ));
        }
    };
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        // As rmcp's own client: a connection kept for later can cost 40 ms when it is used again.
        .pool_max_idle_per_host(0)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .build()
        .map_err(|error| error.to_string())
}

pub(super) fn custom<F, R, T, E, A>(open: F) -> Arc<dyn Connector>
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Future<Output = std::io::Result<T>> + Send + 'static,
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
    A: 'static,
{
    struct Custom<F, A>(F, PhantomData<fn() -> A>);

    impl<F, R, T, E, A> Connector for Custom<F, (T, E, A)>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = std::io::Result<T>> + Send + 'static,
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
        A: 'static,
    {
        fn open<'a>(
            &'a self,
            server: &'a McpServer,
            session: Arc<Session>,
        ) -> BoxFuture<'a, Result<Running, String>> {
            let opening = (self.0)();
            Box::pin(async move {
                let transport = opening.await.map_err(|error| error.to_string())?;
                serve(transport, server, session).await
            })
        }
    }

    Arc::new(Custom(open, PhantomData))
}

/// Begins to speak.
async fn serve<T, E, A>(
    transport: T,
    server: &McpServer,
    session: Arc<Session>,
) -> Result<Running, String>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let lifecycle = match server.lifecycle {
        Lifecycle::Initialize => ClientLifecycleMode::Initialize,
        Lifecycle::Discover => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::LATEST],
        },
        Lifecycle::Auto => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        },
    };
    let wire = Wire {
        inner: transport.into_transport(),
        session: Arc::clone(&session),
    };
    serve_client_with_lifecycle(Handler(session), wire, lifecycle)
        .await
        .map_err(|error| error.to_string())
}

/// A transport, and someone who watches it. rmcp hands each notification to a task of its own, so
/// that their order is lost, and holds calls back for seconds while it closes a connection; here
/// both are known as they happen.
struct Wire<T> {
    inner: T,
    session: Arc<Session>,
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Wire<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &item
            && let ClientRequest::CallToolRequest(call) = &request.request
        {
            self.session.sent(&request.id, call);
        }
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match self.inner.receive().await {
                None => {
                    self.session.lost.cancel();
                    return None;
                }
                Some(JsonRpcMessage::Notification(message)) => match message.notification {
                    ServerNotification::ProgressNotification(progress) => {
                        self.session.progressed(progress.params);
                    }
                    notification => {
                        if let ServerNotification::ToolListChangedNotification(_) = notification {
                            self.session.changed.send_modify(|notices| *notices += 1);
                        }
                        return Some(JsonRpcMessage::notification(notification));
                    }
                },
                Some(message) => return Some(message),
            }
        }
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.session.lost.cancel();
        self.inner.close().await
    }
}
