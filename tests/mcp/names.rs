//! What a server's tools are called here, and that a name is never taken away.

use std::sync::Arc;

use callboard::mcp::{McpError, Naming};
use callboard::{
    CapabilityRegistry, ComponentKind, DispatchError, RegistryEntry, RegistryError, RowFamily, tool,
};
use serde_json::json;

use crate::common::ctx;
use crate::script::{Script, connect, registry_of, tool, within};

/// Reads a page of the book that this program has.
#[tool]
async fn read() -> &'static str {
    "native"
}

#[tokio::test]
async fn a_row_says_where_it_comes_from() {
    let script = Script::new([json!({
        "name": "read",
        "title": "Read",
        "description": "Reads.",
        "inputSchema": { "type": "object" },
    })]);
    let connection = script.connect().await;
    let mut reg = CapabilityRegistry::new();
    reg.register_mcp(connection.tools())
        .expect("the name is free");
    let origin = reg
        .origin(ComponentKind::Tool, "read")
        .expect("it is there");
    let words = origin.to_string();
    assert!(
        words.starts_with("`read` of the server `remote`, registered at tests/mcp/names.rs:"),
        "{words}"
    );
    let registry = reg.seal().expect("it seals");
    let row = registry.tool("read").expect("it is there");
    assert_eq!(row.family(), RowFamily::Mcp);
    assert_eq!(row.family().as_str(), "mcp");
    assert_eq!(row.title(), Some("Read"));
    assert_eq!(row.description(), "Reads.");
    let RegistryEntry::Mcp(entry) = row else {
        panic!("{row:?}")
    };
    assert_eq!((entry.server_id(), entry.wire_name()), ("remote", "read"));
    assert_eq!(entry.server_tool()["title"], "Read");
    assert_eq!(registry.definitions()[0].description, "Reads.");
    assert_eq!(connection.instructions().as_deref(), Some("Ask nicely."));
    assert_eq!(connection.protocol().as_deref(), Some("2025-11-25"));
}

#[tokio::test]
async fn a_name_that_a_function_has_is_refused_with_both_places() {
    let connection = Script::new([tool("a"), tool("read")]).connect().await;
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Read>().expect("the name is free");
    let error = reg
        .register_mcp(connection.tools())
        .expect_err("the name is taken");
    let RegistryError::Taken {
        existing, refused, ..
    } = &error
    else {
        panic!("{error:?}")
    };
    assert!(
        existing
            .to_string()
            .starts_with("declared at tests/mcp/names.rs")
    );
    assert!(
        refused
            .to_string()
            .starts_with("`read` of the server `remote`")
    );
    // All or none: the other tool isn't there either, and the function still is.
    assert_eq!(reg.names(ComponentKind::Tool), ["read"]);
    assert_eq!(
        reg.tool("read").map(RegistryEntry::family),
        Some(RowFamily::Native)
    );
    // And the other way round.
    let mut reg = CapabilityRegistry::new();
    reg.register_mcp(connection.tools())
        .expect("the names are free");
    let error = reg.register_tool::<Read>().expect_err("the name is taken");
    assert!(
        error.to_string().contains("of the server `remote`"),
        "{error}"
    );
}

#[tokio::test]
async fn two_servers_with_one_name_are_refused_or_namespaced() {
    let (one, other) = (Script::new([tool("read")]), Script::new([tool("read")]));
    let first = connect(one.server("files")).await;
    let second = connect(other.server("mail")).await;
    let mut reg = CapabilityRegistry::new();
    reg.register_mcp(first.tools()).expect("the name is free");
    let error = reg
        .register_mcp(second.tools())
        .expect_err("it is taken")
        .to_string();
    assert!(
        error.contains("server `files`") && error.contains("server `mail`"),
        "{error}"
    );

    let first = connect(one.server("files").with_naming(Naming::Namespaced)).await;
    let second = connect(other.server("mail").with_naming(Naming::Namespaced)).await;
    let mut reg = CapabilityRegistry::new();
    reg.register_mcp(first.tools()).expect("free");
    reg.register_mcp(second.tools()).expect("free");
    let registry = reg.seal().expect("it seals");
    assert_eq!(
        registry.names(ComponentKind::Tool),
        ["files.read", "mail.read"]
    );
    let output = within(registry.dispatch("mail.read", "", &ctx())).await;
    assert_eq!(output.expect("it is called").to_text(), "read was called");
    // The server hears its own name, and the other server nothing.
    assert_eq!(other.heard("tools/call")[0]["params"]["name"], "read");
    assert!(one.heard("tools/call").is_empty());
}

#[tokio::test]
async fn a_host_names_tools_and_leaves_some_out() {
    let script = Script::new([tool("read"), tool("no/good"), tool("drop")]);
    let naming = Naming::by(|name| match name {
        "drop" => None,
        "no/good" => Some("good".to_owned()),
        other => Some(format!("f-{other}")),
    });
    let registry = registry_of(&connect(script.server("files").with_naming(naming)).await);
    assert_eq!(registry.names(ComponentKind::Tool), ["f-read", "good"]);
    within(registry.dispatch("good", "", &ctx()))
        .await
        .expect("it is called");
    assert_eq!(script.heard("tools/call")[0]["params"]["name"], "no/good");
    let dropped = within(registry.dispatch("drop", "", &ctx())).await;
    assert!(matches!(dropped, Err(DispatchError::UnknownTool { .. })));
}

#[tokio::test]
async fn names_that_nobody_can_carry_are_refused() {
    for (tools, naming, words) in [
        (
            vec![tool("a"), tool("a")],
            Naming::AsTheyAre,
            "two tools called `a`",
        ),
        (vec![tool("a/b")], Naming::AsTheyAre, "'/' at position 1"),
        (vec![tool("")], Naming::AsTheyAre, "a name is empty"),
        (
            vec![tool(&"x".repeat(60))],
            Naming::Namespaced,
            "67 characters",
        ),
        (
            vec![tool("a"), tool("b")],
            Naming::by(|_| Some("same".into())),
            "two of its tools are called `same` here",
        ),
    ] {
        let server = Script::new(tools).server("remote").with_naming(naming);
        let error = within(server.connect()).await.expect_err("refused");
        assert!(matches!(error, McpError::BadList { .. }), "{error:?}");
        let error = error.to_string();
        assert!(
            error.contains(words) && error.contains("server `remote`"),
            "{error}"
        );
    }
    let error = within(Script::new([]).server("no good").connect()).await;
    assert!(
        matches!(error, Err(McpError::InvalidServerId(_))),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_connection_can_be_registered_in_two_registries() {
    let script = Script::new([tool("read")]);
    let connection = Arc::new(script.connect().await);
    let (one, other) = (registry_of(&connection), registry_of(&connection));
    drop(connection);
    for registry in [&one, &other] {
        within(registry.dispatch("read", "", &ctx()))
            .await
            .expect("it is called");
    }
    assert_eq!(script.connections(), 1);
}
