//! The command line.

use std::fmt::Display;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use callboard::{
    CancellationToken, CollectError, DispatchError, Need, Registry, RegistryError, SealError,
    ToolCallContext,
};
use clap::{Parser, Subcommand};
use serde_json::{Value, json};

use crate::consent::Consent;
use crate::terminal::{BAD, BOLD};
use crate::{board, host, models_board, replay};

/// Tools over a directory, registered with callboard.
///
/// Without a command: the board, then the recorded conversations of `examples/data`, replayed.
#[derive(Parser)]
#[command(
    name = "workbench",
    after_help = "Exit codes: 0 done; 1 the call was refused or failed; 2 the command line can't be used; 130 stopped with Ctrl-C."
)]
pub(crate) struct CommandLine {
    /// The directory that the tools work in.
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// Neither show nor run tools that write.
    #[arg(long, global = true)]
    read_only: bool,

    /// After a replay, show the messages that go back to the model.
    #[arg(long, global = true)]
    show_replies: bool,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the tools, the models and the routes: what they may do, and where they are declared.
    Board,
    /// Replay recorded answers of a model: OpenAI chat completions and Anthropic messages.
    Replay {
        /// The recordings; those of `examples/data` unless given.
        files: Vec<PathBuf>,
    },
    /// List the names of the tools, one a line.
    List {
        /// Print the definitions that a model is shown.
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of a tool's arguments.
    Schema {
        /// The tool.
        name: String,
        /// Of its output instead.
        #[arg(long)]
        output: bool,
    },
    /// Call a tool.
    Call {
        /// The tool.
        name: String,
        /// Its arguments, a JSON object; `-` reads it from standard input.
        #[arg(value_name = "JSON", default_value = "{}")]
        arguments: String,
        /// Approve the call, should it need that.
        #[arg(long)]
        approve: bool,
    },
    /// Choose the model of a route for a call of this size.
    Route {
        /// The route.
        route: String,
        /// The tokens of the prompt.
        #[arg(long, default_value_t = 0)]
        prompt: u64,
        /// The most tokens of the answer.
        #[arg(long, default_value_t = 0)]
        answer: u64,
    },
    /// Serve the tools over MCP, to the program at the other end of standard input and output.
    #[cfg(feature = "mcp-server")]
    Serve,
    /// Print everything that is registered as JSON.
    Snapshot,
    /// Print everything that is registered as a graph, for Graphviz.
    Dot,
}

/// Why the program ends without success.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
    code: u8,
    /// The reader of the output, such as `head`, has seen enough.
    unread: bool,
}

impl Failure {
    const FAILED: u8 = 1;
    const USAGE: u8 = 2;
    const INTERRUPTED: u8 = 130;

    /// The command can't be carried out as it was written.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
            code: Self::USAGE,
            unread: false,
        }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn inside(error: impl Display) -> Self {
        Self {
            code: Self::FAILED,
            ..Self::usage(error.to_string())
        }
    }

    /// Tells what went wrong, and what to do about it.
    pub(crate) fn report(self) -> ExitCode {
        if self.unread {
            return ExitCode::SUCCESS;
        }
        if self.code == Self::INTERRUPTED && io::stderr().is_terminal() {
            // The terminal wrote `^C` on the line.
            anstream::eprintln!();
        }
        anstream::eprintln!("{BAD}error{BAD:#}: {}", self.message);
        if let Some(help) = self.help {
            anstream::eprintln!("{BOLD}help{BOLD:#}: {help}");
        }
        ExitCode::from(self.code)
    }
}

macro_rules! inside {
    ($($error:ty),+) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::inside(error)
            }
        })+
    };
}

inside!(serde_json::Error, CollectError, RegistryError, SealError);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self {
            unread: error.kind() == io::ErrorKind::BrokenPipe,
            ..Self::inside(error)
        }
    }
}

impl From<DispatchError> for Failure {
    fn from(error: DispatchError) -> Self {
        let (code, help) = match &error {
            DispatchError::UnknownTool { .. } => (
                Self::USAGE,
                Some("`workbench list` names the tools".to_owned()),
            ),
            DispatchError::InvalidArguments { tool, .. } => (
                Self::USAGE,
                Some(format!("`workbench schema {tool}` prints what it takes")),
            ),
            DispatchError::ApprovalRequired(request) => {
                return Self::inside(format!(
                    "the call of `{}` needs an approval, and nobody is there to ask",
                    request.tool()
                ))
                .with_help("look at its arguments, and run it again with `--approve`");
            }
            DispatchError::Cancelled { .. } => (Self::INTERRUPTED, None),
            _ => (Self::FAILED, None),
        };
        Self {
            help,
            code,
            ..Self::inside(error)
        }
    }
}

/// Until the client leaves, or Ctrl-C. A call that needs an approval is refused: standard input is
/// the client's.
#[cfg(feature = "mcp-server")]
async fn serve(registry: Registry) -> Result<(), Failure> {
    let service =
        callboard::mcp::McpService::new(registry).with_name("workbench", env!("CARGO_PKG_VERSION"));
    let stopping = service.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stopping.shutdown().await;
        }
    });
    service.serve_stdio().await.map_err(Failure::inside)
}

impl CommandLine {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let registry = host::registry(host::Options {
            root: &self.root,
            read_only: self.read_only,
            consent: self.consent(),
        })?;
        match self.command {
            None => {
                board::print(&registry)?;
                self.replay(&registry, &[]).await
            }
            Some(Command::Board) => Ok(board::print(&registry)?),
            Some(Command::Replay { ref files }) => self.replay(&registry, files).await,
            Some(Command::List { json }) => list(&registry, json),
            Some(Command::Schema { name, output }) => schema(&registry, &name, output).await,
            Some(Command::Call {
                name, arguments, ..
            }) => call(&registry, &name, arguments).await,
            Some(Command::Route {
                route,
                prompt,
                answer,
            }) => {
                let need = Need::default().prompt_tokens(prompt).output_tokens(answer);
                models_board::choose(&registry, &route, &need)
            }
            #[cfg(feature = "mcp-server")]
            Some(Command::Serve) => serve(registry).await,
            // Everything, whatever the authorizer says: it is for the person, not for a model.
            Some(Command::Snapshot) => print_json(&json!(registry.snapshot())),
            Some(Command::Dot) => print(&registry.to_dot()),
        }
    }

    /// A replay never asks: it shows what a model gets when nobody is there.
    fn consent(&self) -> Option<Consent> {
        match self.command {
            Some(Command::Call { approve: true, .. }) => Some(Consent::Given),
            Some(Command::Call { ref arguments, .. })
                if arguments != "-" && io::stdin().is_terminal() && io::stderr().is_terminal() =>
            {
                Some(Consent::Ask)
            }
            _ => None,
        }
    }

    async fn replay(&self, registry: &Registry, files: &[PathBuf]) -> Result<(), Failure> {
        let recorded: Vec<PathBuf>;
        let files = if files.is_empty() {
            let data = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data"));
            recorded = vec![
                data.join("openai-chat-completion.json"),
                data.join("anthropic-message.json"),
            ];
            &recorded
        } else {
            files
        };
        replay::run(registry, files, self.show_replies, &stop_on_ctrl_c()).await
    }
}

fn list(registry: &Registry, json: bool) -> Result<(), Failure> {
    let definitions = registry.definitions_for(&ToolCallContext::new("list"));
    if json {
        return print_json(&json!(definitions));
    }
    let names: String = definitions
        .iter()
        .map(|definition| format!("{}\n", definition.name))
        .collect();
    print(&names)
}

async fn schema(registry: &Registry, name: &str, output: bool) -> Result<(), Failure> {
    let Some(row) = registry.tool(name) else {
        // Nothing has this name, so nothing runs: the error tells which names are near it.
        let context = ToolCallContext::new("schema");
        return match registry.dispatch(name, "", &context).await {
            Err(error) => Err(error.into()),
            Ok(_) => Ok(()),
        };
    };
    if !output {
        return print_json(row.input_schema());
    }
    match row.output_schema() {
        Some(schema) => print_json(schema),
        None => Err(Failure::inside(format!(
            "the output of `{name}` has no schema"
        ))),
    }
}

async fn call(registry: &Registry, name: &str, mut arguments: String) -> Result<(), Failure> {
    if arguments == "-" {
        arguments.clear();
        io::stdin().read_to_string(&mut arguments)?;
    }
    let context = ToolCallContext::new("command-line").with_cancel(stop_on_ctrl_c());
    let output = registry.dispatch(name, &arguments, &context).await?;
    match output.as_json() {
        Some(json) if io::stdout().is_terminal() => {
            print_json(&serde_json::from_str::<Value>(json)?)
        }
        _ => print(&format!("{}\n", output.to_text())),
    }
}

/// A token that Ctrl-C cancels.
fn stop_on_ctrl_c() -> CancellationToken {
    let stop = CancellationToken::new();
    let cancel = stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            cancel.cancel();
        }
    });
    stop
}

fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

fn print(text: &str) -> Result<(), Failure> {
    Ok(io::stdout().write_all(text.as_bytes())?)
}
