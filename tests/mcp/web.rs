//! A server over HTTP that does what a test's script says: faults that no library would serve.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use callboard::mcp::{HttpEndpoint, Lifecycle, McpServer};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::script::{method, text, tool, within};

/// A request, as it was heard.
#[derive(Clone)]
pub(crate) struct Heard {
    /// The first line and the headers, in lower case.
    pub(crate) head: String,
    pub(crate) message: Value,
}

/// What the server does with a request.
pub(crate) enum Answer {
    /// The result of a JSON-RPC request.
    Result(Value),
    /// A status, with headers that end in line breaks, and a body.
    Http(u16, String, Vec<u8>),
    /// Closes the connection.
    HangUp,
    /// Says nothing, for as long as the client stays.
    Silence,
}

type Answers = dyn FnMut(&Heard) -> Option<Answer> + Send;

#[derive(Clone)]
pub(crate) struct Web {
    address: SocketAddr,
    inner: Arc<Inner>,
}

struct Inner {
    answers: Mutex<Box<Answers>>,
    heard: Mutex<Vec<Heard>>,
    hears: Notify,
}

impl Web {
    /// Serves until the test ends; where `answers` has none, as a server with the tool `t` does.
    pub(crate) async fn new(
        answers: impl FnMut(&Heard) -> Option<Answer> + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let web = Self {
            address: listener.local_addr().expect("an address"),
            inner: Arc::new(Inner {
                answers: Mutex::new(Box::new(answers)),
                heard: Mutex::default(),
                hears: Notify::new(),
            }),
        };
        let inner = Arc::clone(&web.inner);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(Arc::clone(&inner), stream));
            }
        });
        web
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// The server as a host describes it.
    pub(crate) fn server(&self) -> McpServer {
        self.server_with(|endpoint| endpoint)
    }

    pub(crate) fn server_with(
        &self,
        endpoint: impl FnOnce(HttpEndpoint) -> HttpEndpoint,
    ) -> McpServer {
        McpServer::http("web", endpoint(HttpEndpoint::new(self.url())))
            .with_lifecycle(Lifecycle::Initialize)
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.inner.heard.lock().expect("no panics").clone()
    }

    /// Waits until it has heard a message with this method, and gives the first.
    pub(crate) async fn hears(&self, wanted: &str) -> Heard {
        within(async {
            loop {
                let more = self.inner.hears.notified();
                let mut heard = self.heard().into_iter();
                if let Some(found) = heard.find(|heard| method(&heard.message) == wanted) {
                    return found;
                }
                more.await;
            }
        })
        .await
    }
}

async fn serve(inner: Arc<Inner>, mut stream: TcpStream) {
    let Some(heard) = read(&mut stream).await else {
        return;
    };
    inner.heard.lock().expect("no panics").push(heard.clone());
    let scripted = (inner.answers.lock().expect("no panics"))(&heard);
    inner.hears.notify_waiters();
    let (status, headers, body) = match scripted.unwrap_or_else(|| usual(&heard)) {
        Answer::Http(status, headers, body) => (status, headers, body),
        Answer::Result(result) => {
            let id = &heard.message["id"];
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            let json = "content-type: application/json\r\n".to_owned();
            (200, json, answer.to_string().into_bytes())
        }
        Answer::HangUp => return,
        Answer::Silence => {
            let _ = stream.read(&mut [0]).await;
            return;
        }
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} .\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(&body).await;
}

async fn read(stream: &mut TcpStream) -> Option<Heard> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec())
        .ok()?
        .to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse().expect("a number"));
    let mut body = bytes.split_off(end + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    let message = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(Heard { head, message })
}

/// Begins a session.
pub(crate) fn begun(heard: &Heard) -> Value {
    json!({
        "protocolVersion": heard.message["params"]["protocolVersion"],
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "web", "version": "1" },
    })
}

fn usual(heard: &Heard) -> Answer {
    match method(&heard.message) {
        "initialize" => Answer::Result(begun(heard)),
        "tools/list" => Answer::Result(json!({ "tools": [tool("t")] })),
        "tools/call" => Answer::Result(text("called")),
        "" => Answer::Http(405, String::new(), Vec::new()),
        _ => Answer::Http(202, String::new(), Vec::new()),
    }
}
