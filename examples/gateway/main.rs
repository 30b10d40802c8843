//! Two MCP servers behind one, with a policy of the gateway's own: what only reads is shown and
//! run, and nothing else is.
//!
//! ```sh
//! npm install @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem
//! cargo run --example gateway --features mcp,mcp-server -- node_modules/.bin .
//! ```
//!
//! The arguments are the directory that has the two servers, one that their files are in, and, to
//! serve over HTTP in the place of standard input and output, an address such as `127.0.0.1:8000`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use callboard::mcp::{McpServer, McpService, Naming, ServerCommand, connect_all};
use callboard::{CapabilityRegistry, Decision, LiveRegistry, RegistryEntry, ToolCallContext};

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [servers, files] => run(Path::new(servers), files, None).await,
        [servers, files, address] => run(Path::new(servers), files, Some(address)).await,
        _ => Err("usage: gateway SERVERS FILES [ADDRESS]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Standard output is the client's.
            eprintln!("gateway: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn run(servers: &Path, files: &str, address: Option<&str>) -> Result<(), Failure> {
    let everything = servers.join("mcp-server-everything");
    let filesystem = servers.join("mcp-server-filesystem");
    // What these two say of their tools is believed: the policy below depends on it.
    let servers = [
        McpServer::stdio("everything", ServerCommand::new(everything)),
        McpServer::stdio("files", ServerCommand::new(filesystem).args([files])),
    ]
    .map(|server| {
        server
            .with_naming(Naming::Namespaced)
            .trust_annotations()
            .ask_callers()
    });

    let mut registry = CapabilityRegistry::new();
    registry.set_authorizer(reads_only);
    let live = Arc::new(LiveRegistry::new(registry.seal()?));
    let mut connections = Vec::new();
    for connected in connect_all(servers).await {
        let connection = connected?;
        connection.publish_into(&live)?;
        connections.push(connection);
    }

    let service = McpService::new(Arc::clone(&live)).with_name("gateway", "1.0.0");
    let stopping = service.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stopping.shutdown().await;
        }
    });
    match address {
        None => service.serve_stdio().await?,
        Some(address) => {
            let app = axum::Router::new().route_service("/mcp", service.http());
            let listener = tokio::net::TcpListener::bind(address).await?;
            axum::serve(listener, app)
                .with_graceful_shutdown(async {
                    let _ = tokio::signal::ctrl_c().await;
                })
                .await?;
        }
    }
    for connection in connections {
        connection.close().await;
    }
    Ok(())
}

/// Decides what a client is shown, and what runs when it is called all the same.
fn reads_only(row: &RegistryEntry, _: &ToolCallContext) -> Decision {
    if row.policy().read_only {
        Decision::Allow
    } else {
        Decision::deny("it may write, and the gateway only reads")
    }
}
