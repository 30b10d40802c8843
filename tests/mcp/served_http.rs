//! A registry served over HTTP: who is let in, by a client by hand; what is served, by our own.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::request::Parts;
use callboard::mcp::{HttpEndpoint, McpServer, McpService};
use callboard::{AllowList, Authorizer, CapabilityRegistry, Decision, RegistryEntry};
use callboard::{DispatchError, ToolCallContext};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::common::ctx;
use crate::script::{connect, registry_of, within};
use crate::serving::{ByHand, GENERATIONS, Gate, builder, registry};

/// Serves until the test ends.
pub(crate) async fn serve(service: &McpService) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let app = axum::Router::new().route_service("/mcp", service.http());
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    /// The last message: alone, or as an event.
    fn message(&self) -> Value {
        let mut messages = self.body.lines().filter_map(|line| {
            let message = line.strip_prefix("data:").unwrap_or(line);
            // A number alone is the length of a chunk.
            serde_json::from_str(message).ok().filter(Value::is_object)
        });
        messages.next_back().expect("a message")
    }

    fn session(&self) -> Option<&str> {
        let lines = self.head.lines();
        lines
            .filter_map(|line| line.split_once(": "))
            .find_map(|(name, value)| (name == "mcp-session-id").then_some(value))
    }
}

/// Posts by hand; these headers are on top of the usual ones, or in their place.
async fn post(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> Answer {
    let host = address.to_string();
    let length = body.len().to_string();
    let usual = [
        ("host", host.as_str()),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("content-length", length.as_str()),
        ("connection", "close"),
    ];
    let mut request = String::from("POST /mcp HTTP/1.1\r\n");
    let given = |name: &str| headers.iter().any(|(given, _)| *given == name);
    for (name, value) in usual.iter().filter(|(name, _)| !given(name)).chain(headers) {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    let answer = within(async {
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        let _ = stream
            .write_all(format!("{request}\r\n{body}").as_bytes())
            .await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8(answer).expect("text")
    })
    .await;
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    Answer {
        status: head[9..12].parse().expect("a status"),
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    }
}

fn initialize() -> String {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "by hand", "version": "1" },
        },
    })
    .to_string()
}

#[tokio::test]
async fn a_page_of_elsewhere_gets_nothing_by_whatever_name_it_comes() {
    let address = serve(&McpService::new(registry())).await;
    let port = address.port();
    let own = format!("http://localhost:{port}");
    for (headers, status) in [
        (vec![], 200),
        (vec![("host", "localhost")], 200),
        (vec![("host", "127.0.0.1:1")], 200),
        (vec![("origin", own.as_str())], 200),
        (vec![("host", "evil.example")], 403),
        (vec![("host", "localhost.evil.example")], 403),
        (vec![("origin", "https://evil.example")], 403),
        (vec![("origin", "null")], 403),
        (vec![("origin", "http://localhost.evil.example")], 403),
        (vec![("content-type", "text/plain")], 415),
        (vec![("accept", "text/html")], 406),
    ] {
        let answer = post(address, &headers, &initialize()).await;
        assert_eq!(answer.status, status, "{headers:?}: {}", answer.body);
    }
    let service = McpService::new(registry())
        .with_hosts(["tools.example"])
        .with_origins(["https://app.example:443"]);
    let address = serve(&service).await;
    for (headers, status) in [
        (vec![("host", "tools.example")], 200),
        (
            vec![("host", "tools.example"), ("origin", "https://app.example")],
            200,
        ),
        (
            vec![("host", "tools.example"), ("origin", "http://localhost")],
            403,
        ),
        (vec![("host", "localhost")], 403),
    ] {
        let answer = post(address, &headers, &initialize()).await;
        assert_eq!(answer.status, status, "{headers:?}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_body_has_a_limit_and_what_is_no_message_is_told() {
    let address = serve(&McpService::new(registry()).with_message_bytes(1_000)).await;
    let long = format!("{}{}", initialize(), " ".repeat(1_000));
    assert_eq!(post(address, &[], &long).await.status, 413);
    // Without a length, too.
    let chunked = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let headers = [("transfer-encoding", "chunked"), ("content-length", "")];
    let mut head = String::from("POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
    head.push_str("accept: application/json, text/event-stream\r\n");
    head.push_str("content-type: application/json\r\n");
    head.push_str(&format!(
        "{}: {}\r\n\r\n{chunked}",
        headers[0].0, headers[0].1
    ));
    let answer = within(async {
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        let _ = stream.write_all(head.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8(answer).expect("text")
    })
    .await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    for wrong in ["", "{", "[]", "7", r#"{"jsonrpc":"2.0"}"#] {
        let answer = post(address, &[], wrong).await;
        assert!(
            (400..500).contains(&answer.status),
            "{wrong}: {}",
            answer.status
        );
    }
    assert_eq!(post(address, &[], &initialize()).await.status, 200);
}

#[tokio::test]
async fn a_session_is_known_by_its_id_alone() {
    let address = serve(&McpService::new(registry())).await;
    let begun = post(address, &[], &initialize()).await;
    let session = begun.session().expect("a session").to_owned();
    let other = post(address, &[], &initialize()).await;
    assert_ne!(other.session(), Some(&*session));
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }).to_string();
    let within_session = [("mcp-session-id", &*session)];
    let listed = post(address, &within_session, &list).await.message();
    assert_eq!(listed["result"]["tools"][0]["name"], "add", "{listed}");
    for headers in [&[][..], &[("mcp-session-id", "0")]] {
        let answer = post(address, headers, &list).await;
        assert!((400..500).contains(&answer.status), "{}", answer.status);
    }
}

#[tokio::test]
async fn the_list_is_the_same_bytes_over_pipes_and_http_and_from_every_process() {
    let service = McpService::new(registry());
    let address = serve(&service).await;
    let list = json!({ "jsonrpc": "2.0", "id": "ask", "method": "tools/list", "params": {} });
    let session = post(address, &[], &initialize()).await;
    let headers = [("mcp-session-id", session.session().expect("a session"))];
    let over_http = post(address, &headers, &list.to_string()).await;
    let over_http = over_http
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(str::trim)
        .find(|data| data.contains("\"tools\""))
        .expect("an event")
        .to_owned();
    // Another registry, with the same tools: as another process has it.
    let (mut client, _) = ByHand::initialized(&McpService::new(registry()), json!({})).await;
    client.write(list).await;
    let over_a_pipe = client.read_line().await;
    assert_eq!(over_http, over_a_pipe);
}

/// Lets each bearer do what it is for.
fn by_bearer(row: &RegistryEntry, ctx: &ToolCallContext) -> Decision {
    let bearer = ctx
        .extension::<Parts>()
        .and_then(|request| request.headers.get("authorization"))
        .and_then(|value| value.to_str().ok());
    match bearer {
        Some("Bearer all") => Decision::Allow,
        Some("Bearer some") => AllowList::new(["add", "greet"]).decide(row, ctx),
        _ => Decision::deny("a stranger"),
    }
}

#[tokio::test]
async fn each_session_sees_and_calls_what_its_own_headers_allow() {
    let mut reg = builder(&Gate::new());
    reg.set_authorizer(by_bearer);
    let address = serve(&McpService::new(reg.seal().expect("it seals"))).await;
    let url = format!("http://{address}/mcp");
    for lifecycle in GENERATIONS {
        let as_whom = |bearer: Option<&str>| {
            let endpoint = HttpEndpoint::new(&*url);
            let endpoint = match bearer {
                Some(bearer) => endpoint.bearer(bearer),
                None => endpoint,
            };
            McpServer::http("served", endpoint).with_lifecycle(lifecycle)
        };
        let (all, some, none) = (
            connect(as_whom(Some("all"))).await,
            connect(as_whom(Some("some"))).await,
            connect(as_whom(None)).await,
        );
        assert_eq!(all.tools().len(), registry().tools().len());
        assert_eq!(some.tools().len(), 2);
        assert!(none.tools().is_empty());
        let some = registry_of(&some);
        let sum = within(some.dispatch("add", r#"{"left":1,"right":2}"#, &ctx())).await;
        assert_eq!(sum.expect("it may").to_text(), "3");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_tell_and_ask_over_http_too() {
    use crate::conversations::Person;
    let service = McpService::new(registry());
    let url = format!("http://{}/mcp", serve(&service).await);
    for lifecycle in GENERATIONS {
        let server = McpServer::http("served", &*url).with_lifecycle(lifecycle);
        let registry = registry_of(&connect(server.ask_callers()).await);
        let person = Arc::new(Person::default());
        let listening = ctx().with_peer(Arc::clone(&person) as _);
        let steps = within(registry.dispatch("steps", r#"{"count":5}"#, &listening)).await;
        assert_eq!(steps.expect("it steps").to_text(), "5");
        assert_eq!(person.told().len(), 5, "{lifecycle:?}");
        let asked = within(registry.dispatch("ask_both", "", &listening)).await;
        assert_eq!(
            asked.expect("it is answered").to_text(),
            "heard hi of 9; it is ada",
            "{lifecycle:?}"
        );
    }
}

/// A thousand calls at once, one in twenty of them cancelled: each is answered or cancelled, none
/// is left behind, and the server goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_at_once_are_each_answered_or_cancelled() {
    const CALLS: u32 = 1_000;
    for lifecycle in GENERATIONS {
        let gate = Gate::new();
        let served = builder(&gate).seal().expect("it seals");
        let service = McpService::new(served.clone());
        let url = format!("http://{}/mcp", serve(&service).await);
        let server = McpServer::http("served", &*url).with_lifecycle(lifecycle);
        let registry = registry_of(&connect(server).await);
        let calls: Vec<_> = (0..CALLS)
            .map(|number| {
                let registry = registry.clone();
                tokio::spawn(async move {
                    let ctx = ToolCallContext::new(number.to_string());
                    let answer = registry.dispatch("wait", "", &ctx).await;
                    answer.map(|output| output.to_text().into_owned())
                })
            })
            .collect();
        gate.entered(CALLS).await;
        let (cancelled, waiting): (Vec<_>, Vec<_>) = calls
            .into_iter()
            .enumerate()
            .partition(|(number, _)| number % 20 == 0);
        for (_, call) in &cancelled {
            call.abort();
        }
        gate.left(cancelled.len().try_into().expect("a few")).await;
        gate.open.add_permits(waiting.len());
        let mut failures = BTreeSet::new();
        for (_, call) in waiting {
            let answer: Result<String, DispatchError> = within(call).await.expect("no panics");
            match answer {
                Ok(words) => assert_eq!(words, "waited"),
                Err(error) => drop(failures.insert(error.to_string())),
            }
        }
        assert!(failures.is_empty(), "{lifecycle:?}: {failures:?}");
        within(async {
            while served.in_flight() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
        let sum = within(registry.dispatch("add", r#"{"left":1,"right":2}"#, &ctx())).await;
        assert_eq!(sum.expect("it adds").to_text(), "3");
    }
}

#[tokio::test]
async fn shutting_down_ends_sessions_and_their_streams() {
    let service = McpService::new(CapabilityRegistry::new().seal().expect("it seals"));
    let address = serve(&service).await;
    let begun = post(address, &[], &initialize()).await;
    let session = begun.session().expect("a session").to_owned();
    let mut stream = within(TcpStream::connect(address))
        .await
        .expect("it listens");
    let listen = format!(
        "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nmcp-session-id: {session}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(listen.as_bytes()).await.expect("it reads");
    within(service.shutdown()).await;
    let mut rest = Vec::new();
    within(stream.read_to_end(&mut rest))
        .await
        .expect("it ends");
    assert!(rest.starts_with(b"HTTP/1.1 200"));
}
