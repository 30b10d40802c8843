//! A connection over time: lists that change, servers that go and come back.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use callboard::mcp::{McpError, McpEvent, McpServer, Naming, connect_all};
use callboard::{
    CapabilityRegistry, ComponentKind, DispatchError, LiveRegistry, RegistryError, SealProblem,
    tool as native,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::common::ctx;
use crate::script::{
    Reply, Script, connect, event, list_changed, method, observed, registry_of, text, tool, within,
};

fn live() -> Arc<LiveRegistry> {
    let empty = CapabilityRegistry::new().seal().expect("it seals");
    Arc::new(LiveRegistry::new(empty))
}

fn names(live: &LiveRegistry) -> Vec<String> {
    let registry = live.current();
    let names = registry.names(ComponentKind::Tool);
    names.into_iter().map(str::to_owned).collect()
}

/// The version that has the changed tools.
async fn changed(events: &mut UnboundedReceiver<McpEvent>) -> u64 {
    event(events, |event| match event {
        McpEvent::ToolsChanged { version, .. } => version,
        McpEvent::ChangeRefused { error } => panic!("{error}"),
        _ => None,
    })
    .await
}

async fn refused(events: &mut UnboundedReceiver<McpEvent>) -> McpError {
    event(events, |event| match event {
        McpEvent::ChangeRefused { error } => Some(error),
        McpEvent::ToolsChanged { .. } => panic!("it is taken over"),
        _ => None,
    })
    .await
}

#[tokio::test]
async fn a_change_is_a_version_and_a_call_in_flight_keeps_its_own() {
    let script = Script::new([tool("a"), tool("b")]).on(|message| {
        (method(message) == "tools/call")
            .then(|| Reply::After(Duration::from_millis(300), text("late")))
    });
    let (server, mut events) = observed(script.server("remote"));
    let connection = connect(server).await;
    let live = live();
    let version = connection.publish_into(&live).expect("the names are free");
    assert_eq!(
        (version.version(), names(&live)),
        (2, vec!["a".into(), "b".into()])
    );
    let old = live.current();
    let calling = tokio::spawn(async move { old.dispatch("a", "", &ctx()).await });
    script.hears("tools/call", 1).await;
    script.set_tools([tool("b"), tool("c")]);
    script.push(list_changed()).await;
    assert_eq!(changed(&mut events).await, 3);
    assert_eq!(names(&live), ["b", "c"]);
    let gone = within(live.current().dispatch("a", "", &ctx())).await;
    assert!(
        matches!(gone, Err(DispatchError::UnknownTool { .. })),
        "{gone:?}"
    );
    let output = within(calling).await.expect("no panics");
    assert_eq!(output.expect("it goes on").to_text(), "late");
    // The same list again is no version.
    script.push(list_changed()).await;
    script.hears("tools/list", 3).await;
    script.set_tools([]);
    script.push(list_changed()).await;
    assert_eq!(changed(&mut events).await, 4);
    assert!(names(&live).is_empty());
}

#[tokio::test]
async fn fifty_notices_are_one_read() {
    let script = Script::new([tool("a")]);
    let (server, mut events) = observed(
        script
            .server("remote")
            .with_debounce(Duration::from_millis(200)),
    );
    let connection = connect(server).await;
    let live = live();
    connection.publish_into(&live).expect("free");
    script.set_tools([tool("b")]);
    for _ in 0..50 {
        script.push(list_changed()).await;
    }
    changed(&mut events).await;
    assert_eq!(names(&live), ["b"]);
    let reads = script.heard("tools/list").len();
    assert!((2..=3).contains(&reads), "{reads} reads");
}

#[tokio::test]
async fn a_list_that_changes_while_it_is_read_is_never_taken_half() {
    // While its second page is fetched, the server moves to another epoch, and says so. A list
    // of pages of two epochs is what must not be seen.
    let epoch = Arc::new(AtomicUsize::new(0));
    let now = Arc::clone(&epoch);
    let script = Script::new([]).on(move |message| {
        if method(message) != "tools/list" {
            return None;
        }
        let first = message["params"]["cursor"].is_null();
        let epoch = match first {
            true => now.load(Ordering::SeqCst),
            // Changes three times, each time in the middle of a read.
            false if (1..4).contains(&now.load(Ordering::SeqCst)) => {
                now.fetch_add(1, Ordering::SeqCst) + 1
            }
            false => now.load(Ordering::SeqCst),
        };
        let page = match first {
            true => json!({ "tools": [tool(&format!("first_{epoch}"))], "nextCursor": "2" }),
            false => json!({ "tools": [tool(&format!("second_{epoch}"))] }),
        };
        let notices = match first || epoch == 0 || epoch > 4 {
            true => vec![],
            false => vec![list_changed()],
        };
        Some(Reply::First(notices, page))
    });
    let (server, mut events) = observed(script.server("remote"));
    let connection = connect(server).await;
    let live = live();
    connection.publish_into(&live).expect("free");
    assert_eq!(names(&live), ["first_0", "second_0"]);
    epoch.store(1, Ordering::SeqCst);
    script.push(list_changed()).await;
    let mut seen = BTreeSet::new();
    while names(&live) != ["first_4", "second_4"] {
        changed(&mut events).await;
        seen.insert(names(&live));
    }
    let whole = |names: &Vec<String>| {
        let epochs: BTreeSet<_> = names.iter().map(|name| name.rsplit('_').next()).collect();
        epochs.len() == 1
    };
    assert!(seen.iter().all(whole), "{seen:?}");
}

#[tokio::test]
async fn a_late_list_never_comes_after_a_newer_one() {
    let reads = Arc::new(AtomicUsize::new(0));
    let read = Arc::clone(&reads);
    let script = Script::new([]).on(move |message| {
        (method(message) == "tools/list").then(|| match read.fetch_add(1, Ordering::SeqCst) {
            0 => Reply::Result(json!({ "tools": [tool("oldest")] })),
            // Later than anyone waits for, and after the next one was read.
            1 => Reply::After(
                Duration::from_millis(1500),
                json!({ "tools": [tool("late")] }),
            ),
            _ => Reply::Result(json!({ "tools": [tool("newest")] })),
        })
    });
    let server = script
        .server("remote")
        .with_connect_timeout(Duration::from_secs(1));
    let (server, mut events) = observed(server);
    let connection = connect(server).await;
    let live = live();
    connection.publish_into(&live).expect("free");
    script.push(list_changed()).await;
    let error = refused(&mut events).await.to_string();
    assert!(error.contains("no list came in time"), "{error}");
    assert_eq!(names(&live), ["oldest"]);
    script.push(list_changed()).await;
    changed(&mut events).await;
    assert_eq!(names(&live), ["newest"]);
    // The late one arrives in this time, and it is passed over.
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(names(&live), ["newest"]);
    assert_eq!(reads.load(Ordering::SeqCst), 3);
    assert!(connection.is_connected());
}

/// Is here already.
#[native]
async fn taken() {}

#[tokio::test]
async fn a_change_that_breaks_a_rule_leaves_the_rows_as_they_were() {
    let script = Script::new([tool("a")]);
    let (server, mut events) = observed(script.server("remote"));
    let connection = connect(server).await;
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Taken>().expect("free");
    let live = Arc::new(LiveRegistry::new(reg.seal().expect("it seals")));
    connection.publish_into(&live).expect("free");
    live.update(|reg| reg.alias(ComponentKind::Tool, "alias", "a").map(drop))
        .expect("free")
        .expect("it seals");
    let mut deep = tool("deep");
    deep["inputSchema"]["x"] = (0..70).fold(json!(1), |inner, _| json!([inner]));
    type IsWhy = fn(&McpError) -> bool;
    let broken: [(Vec<Value>, IsWhy); 5] = [
        (vec![tool("a"), tool("taken")], |error| {
            matches!(error, McpError::Refused(RegistryError::Taken { .. }))
        }),
        (vec![tool("b")], |error| match error {
            McpError::Unsealed(error) => {
                matches!(error.problems[..], [SealProblem::DanglingAlias { .. }])
            }
            _ => false,
        }),
        (vec![tool("a"), tool("a")], |error| {
            matches!(error, McpError::BadList { .. })
        }),
        (vec![tool("a"), deep], |error| {
            matches!(error, McpError::BadList { .. })
        }),
        (vec![tool("a"), tool("no good")], |error| {
            matches!(error, McpError::BadList { .. })
        }),
    ];
    for (tools, is_why) in broken {
        script.set_tools(tools);
        script.push(list_changed()).await;
        let error = refused(&mut events).await;
        assert!(is_why(&error), "{error:?}");
        assert_eq!(names(&live), ["a", "taken"]);
        let tools = connection.tools();
        assert_eq!(tools.len(), 1, "{tools:?}");
        within(live.current().dispatch("alias", "", &ctx()))
            .await
            .expect("it works as before");
    }
    script.set_tools([tool("a"), tool("c")]);
    script.push(list_changed()).await;
    changed(&mut events).await;
    assert_eq!(names(&live), ["a", "c", "taken"]);
}

#[tokio::test]
async fn a_server_that_dies_in_a_call_comes_back() {
    let calls = Arc::new(AtomicUsize::new(0));
    let called = Arc::clone(&calls);
    let script =
        Script::new([tool("t")]).on_call(move |_| match called.fetch_add(1, Ordering::SeqCst) {
            0 => Reply::HangUp,
            _ => Reply::Result(text("back")),
        });
    let (server, mut events) = observed(script.server("remote"));
    let connection = connect(server).await;
    let live = live();
    connection.publish_into(&live).expect("free");
    script.set_up(false);
    let gone = |error: &DispatchError| matches!(error, DispatchError::Disconnected { server } if server == "remote");
    // At once: a call on the way learns of it before the connection is put away.
    let error = within(live.current().dispatch("t", "", &ctx()))
        .await
        .expect_err("it died");
    assert!(gone(&error), "{error:?}");
    event(&mut events, |event| {
        matches!(event, McpEvent::Disconnected { .. }).then_some(())
    })
    .await;
    assert!(!connection.is_connected() && connection.protocol().is_none());
    for _ in 0..3 {
        let error = live
            .current()
            .dispatch("t", "", &ctx())
            .await
            .expect_err("it is away");
        assert!(gone(&error), "{error:?}");
    }
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    assert_eq!(names(&live), ["t"], "the rows stay");
    // Each attempt is later than the one before.
    let mut waits = Vec::new();
    while waits.len() < 4 {
        let wait = event(&mut events, |event| match event {
            McpEvent::ReconnectFailed { retry_in, error } => {
                assert!(error.to_string().contains("nobody is there"), "{error}");
                Some(retry_in)
            }
            _ => None,
        });
        waits.push(wait.await.as_millis());
    }
    assert_eq!(waits, [20, 40, 50, 50]);
    script.set_tools([tool("t"), tool("new")]);
    script.set_up(true);
    event(&mut events, |event| {
        matches!(event, McpEvent::Connected { .. }).then_some(())
    })
    .await;
    let output = within(live.current().dispatch("t", "", &ctx())).await;
    assert_eq!(output.expect("it is back").to_text(), "back");
    changed(&mut events).await;
    assert_eq!(names(&live), ["new", "t"]);
    assert_eq!(script.connections(), 2);
}

#[tokio::test]
async fn a_server_of_2026_is_listened_to() {
    let script = Script::modern([tool("a")]);
    let (server, mut events) = observed(script.server("remote"));
    let connection = connect(server).await;
    let live = live();
    connection.publish_into(&live).expect("free");
    let listen = script.hears("subscriptions/listen", 1).await.remove(0);
    assert_eq!(
        listen["params"]["notifications"],
        json!({ "toolsListChanged": true })
    );
    for round in 0..3 {
        script.set_tools([tool(&format!("round_{round}"))]);
        let mut notice = list_changed();
        notice["params"] =
            json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": listen["id"] } });
        script.push(notice).await;
        changed(&mut events).await;
        assert_eq!(names(&live), [format!("round_{round}")]);
    }
    assert!(script.heard("initialize").is_empty());
    assert_eq!(script.heard("subscriptions/listen").len(), 1);
}

#[tokio::test]
async fn one_that_hangs_does_not_hold_up_the_others() {
    let hanging = Script::new([]).on(|_| Some(Reply::Silence));
    let (fine, absent) = (Script::new([tool("t")]), Script::new([]));
    absent.set_up(false);
    let (server, mut events) = observed(fine.server("fine"));
    let servers = [
        hanging
            .server("hanging")
            .with_connect_timeout(Duration::from_secs(2)),
        absent.server("absent"),
        server,
    ];
    let connecting = connect_all(servers);
    tokio::pin!(connecting);
    // It is connected while the other still hangs.
    within(async {
        tokio::select! {
            _ = &mut connecting => panic!("they wait for each other"),
            () = event(&mut events, |event| matches!(event, McpEvent::Connected { .. }).then_some(())) => {}
        }
    })
    .await;
    let results = within(connecting).await;
    let [
        Err(McpError::TimedOut { server, .. }),
        Err(McpError::Unreachable { .. }),
        Ok(fine),
    ] = &results[..]
    else {
        panic!("{results:?}")
    };
    assert_eq!((server.as_str(), fine.server_id()), ("hanging", "fine"));
    hanging.is_left().await;
}

#[tokio::test]
async fn a_connection_ends_with_the_last_that_holds_it_or_when_it_is_closed() {
    let script = Script::new([tool("t")]);
    let connection = script.connect().await;
    let registry = registry_of(&connection);
    drop(connection);
    within(registry.dispatch("t", "", &ctx()))
        .await
        .expect("the rows keep it");
    drop(registry);
    script.is_left().await;

    let connection = script.connect().await;
    let registry = registry_of(&connection);
    within(connection.close()).await;
    script.is_left().await;
    let error = registry.dispatch("t", "", &ctx()).await;
    assert!(
        matches!(error, Err(DispatchError::Disconnected { .. })),
        "{error:?}"
    );
    // It was closed for good.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(script.connections(), 2);
}

#[tokio::test]
async fn a_registry_that_is_gone_is_followed_no_more() {
    let script = Script::new([tool("a")]);
    let (server, mut events) = observed(script.server("remote").with_naming(Naming::Namespaced));
    let connection = connect(server).await;
    let registry = live();
    connection.publish_into(&registry).expect("free");
    drop(registry);
    script.set_tools([tool("b")]);
    script.push(list_changed()).await;
    let version = event(&mut events, |event| match event {
        McpEvent::ToolsChanged { version, .. } => Some(version),
        _ => None,
    });
    assert_eq!(version.await, None);
    assert_eq!(connection.tools()[0].name(), "remote.b");
}

#[tokio::test]
async fn whoever_waits_for_the_end_waits_for_all_of_it() {
    let script = Script::new([tool("t")]);
    let connection = script.connect().await;
    let other = connection.clone();
    within(async { tokio::join!(connection.close(), other.close()) }).await;
    within(connection.close()).await;
    script.is_left().await;
}

#[tokio::test]
async fn a_hosts_panic_does_not_end_the_connection() {
    let script = Script::new([tool("a")]);
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
    let server = script
        .server("remote")
        .on_event(move |event| {
            let _ = sender.send(event);
            panic!("no log to write to")
        })
        .with_naming(Naming::by(|name| match name {
            "unnamed" => panic!("no name for it"),
            name => Some(name.to_owned()),
        }));
    let connection = connect(server).await;
    let live = live();
    connection.publish_into(&live).expect("free");
    script.set_tools([tool("a"), tool("unnamed")]);
    script.push(list_changed()).await;
    let error = refused(&mut events).await.to_string();
    assert!(
        error.contains("naming the tool `unnamed` panicked: no name for it"),
        "{error}"
    );
    script.set_tools([tool("b")]);
    script.push(list_changed()).await;
    changed(&mut events).await;
    assert_eq!(names(&live), ["b"]);
    script.push(list_changed()).await;
    script.hears("tools/list", 4).await;
    assert!(connection.is_connected());
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_can_be_read_while_a_registry_changes() {
    let script = Script::new([tool("a")]);
    let (server, mut events) = observed(script.server("remote"));
    let connection = connect(server).await;
    let registry = live();
    connection.publish_into(&registry).expect("free");
    let (begun, begins) = tokio::sync::oneshot::channel();
    let (proceed, proceeds) = std::sync::mpsc::channel();
    let updating = {
        let (registry, connection) = (Arc::clone(&registry), connection.clone());
        tokio::task::spawn_blocking(move || {
            registry.update(|_| {
                begun.send(()).expect("it is waited for");
                proceeds.recv().expect("it is sent");
                // The new tools wait for this registry now.
                std::thread::sleep(Duration::from_millis(100));
                assert_eq!(connection.tools()[0].name(), "a");
                Ok::<(), RegistryError>(())
            })
        })
    };
    within(begins).await.expect("it is sent");
    script.set_tools([tool("b")]);
    script.push(list_changed()).await;
    script.hears("tools/list", 2).await;
    proceed.send(()).expect("it is waited for");
    let updated = within(updating).await.expect("no panics");
    updated.expect("it changes").expect("it seals");
    assert_eq!(changed(&mut events).await, 4);
    assert_eq!(names(&registry), ["b"]);
}

#[tokio::test]
async fn a_program_that_is_not_there_says_its_name() {
    let server = McpServer::stdio("files", "no-such-program");
    let error = within(server.connect())
        .await
        .expect_err("it can't start")
        .to_string();
    assert!(
        error
            .starts_with("the server `files` can't be reached: `no-such-program` can't be started"),
        "{error}"
    );
    for (url, words) in [
        ("nonsense", "is no address"),
        ("ftp://example.org", "use http or https"),
        ("http://127.0.0.1:1/mcp", "can't be reached"),
    ] {
        let error = within(McpServer::http("web", url).connect()).await;
        let error = error.expect_err("it can't be reached").to_string();
        assert!(error.contains(words), "{error}");
    }
}
