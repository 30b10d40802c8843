//! What a client sees of a registry that is served: its list, the outcomes of calls, and that
//! every request has an answer.

use std::sync::Arc;

use callboard::mcp::{McpService, ServedRegistry};
use callboard::{
    AllowList, CapabilityRegistry, Content, Decision, DispatchError, RegistryEntry, RowFamily,
    ToolCallContext, ToolPolicy, TraceContext,
};
use serde_json::{Value, json};

use crate::common::ctx;
use crate::script::{Script, connect, registry_of, tool, within};
use crate::serving::{ByHand, GENERATIONS, Gate, builder, reach, registry};

fn names(list: &Value) -> Vec<&str> {
    let tools = list["result"]["tools"].as_array().expect("a list");
    tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect()
}

#[tokio::test]
async fn a_client_sees_each_tool_as_it_was_declared() {
    let native = registry();
    let service = McpService::new(native.clone())
        .with_name("desk", "1.2.3")
        .with_instructions("Ask nicely.");
    for lifecycle in GENERATIONS {
        let server = reach(&service, lifecycle).trust_annotations();
        let connection = connect(server).await;
        let remote = registry_of(&connection);
        assert_eq!(remote.tools().len(), native.tools().len());
        for row in remote.tools() {
            let declared = native.tool(row.name()).expect("it was served");
            assert_eq!(row.title(), declared.title());
            assert_eq!(row.description(), declared.description());
            let said = |policy: &ToolPolicy| {
                (
                    policy.read_only,
                    policy.destructive,
                    policy.idempotent,
                    policy.open_world,
                )
            };
            assert_eq!(said(row.policy()), said(declared.policy()));
            let mut schema = declared.input_schema().clone();
            schema.as_object_mut().expect("an object").remove("$schema");
            assert_eq!(*row.input_schema(), schema);
        }
    }
    let (mut client, about) = ByHand::initialized(&service, json!({})).await;
    assert_eq!(about["protocolVersion"], "2025-11-25");
    assert_eq!(
        about["serverInfo"],
        json!({ "name": "desk", "version": "1.2.3" })
    );
    assert_eq!(about["instructions"], "Ask nicely.");
    assert_eq!(
        about["capabilities"],
        json!({ "logging": {}, "tools": {} }),
        "this list doesn't change"
    );
    let list = client.ask("tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().expect("a list");
    let add = &tools[0];
    assert_eq!(add["title"], "Addition");
    assert_eq!(
        add["annotations"],
        json!({
            "readOnlyHint": true, "destructiveHint": false,
            "idempotentHint": true, "openWorldHint": true,
        })
    );
    assert!(
        add.get("outputSchema").is_none(),
        "before 2026-07-28, it is an object or nothing"
    );
    let order = tools
        .iter()
        .find(|tool| tool["name"] == "find_order")
        .expect("it is listed");
    assert_eq!(order["outputSchema"]["type"], "object");
    let sorted = names(&list);
    assert!(sorted.is_sorted());

    let mut modern = ByHand::modern(&service, json!({}));
    let list = modern.ask("tools/list", json!({})).await;
    assert_eq!(
        list["result"]["tools"][0]["outputSchema"]["type"],
        "integer"
    );
    let about = modern.ask("server/discover", json!({})).await;
    let spoken = about["result"]["supportedVersions"]
        .as_array()
        .expect("a list");
    assert!(spoken.contains(&json!("2026-07-28")) && spoken.contains(&json!("2025-11-25")));
}

#[tokio::test]
async fn what_came_from_a_server_goes_out_as_it_came() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "format": { "$ref": "#/definitions/f", "default": null, "x-unknown": [1] },
            "$ref": { "anyOf": [{ "type": "string", "format": "date" }, { "type": "null" }] },
        },
        "definitions": { "f": { "type": "number", "format": "float" } },
    });
    let mut listed = tool("t");
    listed["inputSchema"] = schema.clone();
    listed["description"] = json!("Says so.");
    let script = Script::new([listed]);
    let gateway = McpService::new(script.registry().await);
    let (mut client, _) = ByHand::initialized(&gateway, json!({})).await;
    let list = client.ask("tools/list", json!({})).await;
    assert_eq!(list["result"]["tools"][0]["inputSchema"], schema);
    assert_eq!(list["result"]["tools"][0]["description"], "Says so.");
    // Nobody trusts it, so nothing good is said of it.
    assert_eq!(
        list["result"]["tools"][0]["annotations"]["readOnlyHint"],
        false
    );
    let called = client.call("t", json!({ "a": 1 })).await;
    assert_eq!(called["result"]["content"][0]["text"], "t was called");
    assert_eq!(
        script.heard("tools/call")[0]["params"]["arguments"],
        json!({ "a": 1 })
    );
}

#[tokio::test]
async fn a_list_comes_in_pages_that_hold_while_it_changes() {
    let mut reg = builder(&Gate::new());
    let service = McpService::new(registry()).with_page_size(4);
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let (mut seen, mut params) = (Vec::new(), json!({}));
    loop {
        let page = client.ask("tools/list", params).await;
        let tools = names(&page);
        assert!(tools.len() <= 4);
        seen.extend(tools.into_iter().map(str::to_owned));
        match page["result"].get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => break,
        }
    }
    let all: Vec<_> = registry()
        .tools()
        .map(|row| row.name().to_owned())
        .collect();
    assert_eq!(seen, all);
    for wrong in ["", "!", "AAAA", "ZHJvcCB0YWJsZQ"] {
        let refused = client.ask("tools/list", json!({ "cursor": wrong })).await;
        assert_eq!(refused["error"]["code"], -32602, "{wrong}: {refused}");
    }
    // The last of the first page is gone when the second is read: no other is left out.
    let live = Arc::new(callboard::LiveRegistry::new(registry()));
    let service = McpService::new(Arc::clone(&live)).with_page_size(4);
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let first = client.ask("tools/list", json!({})).await;
    let last = names(&first)[3].to_owned();
    reg.set_authorizer(
        move |row: &RegistryEntry, _: &ToolCallContext| match row.name() == last {
            true => Decision::deny("gone"),
            false => Decision::Allow,
        },
    );
    live.publish(reg).expect("it seals");
    let cursor = &first["result"]["nextCursor"];
    let second = client.ask("tools/list", json!({ "cursor": cursor })).await;
    assert_eq!(names(&second), all[4..8]);
}

#[tokio::test]
async fn what_a_client_may_not_see_it_can_not_call_and_not_tell_from_what_is_not_there() {
    let mut reg = builder(&Gate::new());
    reg.set_authorizer(AllowList::new(["add", "none"]));
    let service = McpService::new(reg.seal().expect("it seals"));
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let list = client.ask("tools/list", json!({})).await;
    assert_eq!(names(&list), ["add"]);
    for name in ["greet", "none"] {
        let refused = client.call(name, json!({ "name": "x" })).await;
        assert_eq!(
            refused["error"],
            json!({ "code": -32602, "message": format!("The tool `{name}` is not available.") })
        );
    }
}

#[tokio::test]
async fn an_authorizer_that_panics_shows_nothing() {
    let mut reg = builder(&Gate::new());
    reg.set_authorizer(|_: &RegistryEntry, _: &ToolCallContext| -> Decision { panic!("as asked") });
    let service = McpService::new(reg.seal().expect("it seals"));
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let list = client.ask("tools/list", json!({})).await;
    assert!(names(&list).is_empty());
    assert_eq!(client.call("add", json!({})).await["error"]["code"], -32602);
}

#[tokio::test]
async fn an_outcome_comes_in_words_and_as_structure() {
    let service = McpService::new(registry());
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let mut modern = ByHand::modern(&service, json!({}));
    let order = json!({ "id": "a1", "total": 7 });
    for client in [&mut client, &mut modern] {
        let found = client.call("find_order", json!({ "id": "a1" })).await;
        let found = &found["result"];
        assert_eq!(found["structuredContent"], order);
        assert_eq!(found["isError"], false);
        let words = found["content"][0]["text"].as_str().expect("words");
        assert_eq!(
            serde_json::from_str::<Value>(words).expect("the same as JSON"),
            order
        );
        let shown = client.call("show", json!({})).await;
        assert_eq!(
            shown["result"]["content"],
            json!([
                { "type": "text", "text": "see" },
                { "type": "image", "data": "AQI=", "mimeType": "image/png" },
                { "type": "audio", "data": "Aw==", "mimeType": "audio/wav" },
                { "type": "resource_link", "uri": "file:///a", "name": "a" },
            ])
        );
    }
    let sum = json!({ "left": 20, "right": 5 });
    let old = client.call("add", sum.clone()).await;
    assert!(old["result"].get("structuredContent").is_none());
    assert_eq!(old["result"]["content"][0]["text"], "25");
    let new = modern.call("add", sum).await;
    assert_eq!(new["result"]["structuredContent"], 25);
    let greeted = modern.call("greet", json!({ "name": "ada" })).await;
    assert_eq!(greeted["result"]["content"][0]["text"], "hello\nada");
}

#[tokio::test]
async fn our_client_reads_what_our_server_writes() {
    let service = McpService::new(registry());
    for lifecycle in GENERATIONS {
        let registry = registry_of(&connect(reach(&service, lifecycle)).await);
        let row = registry.tool("add").expect("it is listed");
        assert_eq!(row.family(), RowFamily::Mcp);
        let call = |name: &'static str, arguments: &'static str| {
            let registry = registry.clone();
            async move { within(registry.dispatch(name, arguments, &ctx())).await }
        };
        let sum = call("add", r#"{"left":20,"right":5}"#)
            .await
            .expect("it adds");
        assert_eq!(sum.to_text(), "25");
        let found = call("find_order", r#"{"id":"a1"}"#)
            .await
            .expect("it finds");
        assert_eq!(found.as_json(), Some(r#"{"id":"a1","total":7}"#));
        let shown = call("show", "").await.expect("it shows");
        assert_eq!(
            shown.as_content().expect("pieces")[1],
            Content::image([1u8, 2], "image/png")
        );
        let wrong = call("add", r#"{"left":"x","right":5}"#).await;
        let wrong = wrong.expect_err("a text").for_model();
        assert!(wrong.contains("`left`"), "{wrong}");
        let failed = call("find_order", r#"{"id":"none"}"#).await;
        assert_eq!(
            failed.expect_err("there is none").for_model(),
            "there is no such order"
        );
        let failed = call("find_order", r#"{"id":"picture"}"#).await;
        let Err(DispatchError::Failed(failure)) = failed else {
            panic!("{failed:?}");
        };
        let output = failure.output().expect("a picture");
        assert_eq!(
            output.as_content().expect("pieces")[0],
            Content::image([1u8, 2], "image/png")
        );
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let traced = ctx().with_trace(TraceContext::new(parent).expect("well formed"));
        let heard = within(registry.dispatch("trace", "", &traced)).await;
        assert_eq!(heard.expect("it tells").to_text(), parent);
    }
}

#[tokio::test]
async fn whatever_a_tool_does_its_call_is_answered() {
    let service = McpService::new(registry());
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let modern = ByHand::modern(&service, json!({}));
    for (tool, arguments, words) in [
        (
            "panics",
            json!({}),
            "The tool failed with an internal error.",
        ),
        (
            "hangs",
            json!({}),
            "The tool took longer than 200ms and was stopped.",
        ),
        (
            "find_order",
            json!({ "id": "none" }),
            "there is no such order",
        ),
        (
            "find_order",
            json!({ "id": 7 }),
            "Invalid arguments at `id`: expected text, found a number",
        ),
    ] {
        let answer = client.call(tool, arguments).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let said = answer["result"]["content"][0]["text"]
            .as_str()
            .expect("words");
        assert!(
            said.starts_with(words.split(':').next().expect("words")),
            "{said}"
        );
    }
    drop(modern);
    // What can't be a call.
    for (method, params, code) in [
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({ "name": 7 }), -32602),
        (
            "tools/call",
            json!({ "name": "add", "arguments": [1] }),
            -32602,
        ),
        ("tools/call", json!({ "name": "" }), -32602),
        ("logging/setLevel", json!({ "level": "loud" }), -32602),
        ("tools/sing", json!({}), -32601),
        ("resources/list", json!({}), -32601),
        ("prompts/get", json!({ "name": "x" }), -32601),
    ] {
        let answer = client.ask(method, params.clone()).await;
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    let sum = client.call("add", json!({ "left": 1, "right": 2 })).await;
    assert_eq!(sum["result"]["content"][0]["text"], "3");
}

#[tokio::test]
async fn a_message_that_is_too_long_or_no_json_costs_the_connection_nothing() {
    let service = McpService::new(registry()).with_message_bytes(10_000);
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    client
        .send("long", "tools/call", json!({ "name": "x".repeat(20_000) }))
        .await;
    client.write(json!("not a message")).await;
    client.write(json!([1, 2])).await;
    let sum = client.call("add", json!({ "left": 1, "right": 2 })).await;
    assert_eq!(sum["result"]["content"][0]["text"], "3");
}

#[test]
fn what_is_served_is_a_registry_or_the_current_version_of_one() {
    let registry = CapabilityRegistry::new().seal().expect("it seals");
    let live = Arc::new(callboard::LiveRegistry::new(registry.clone()));
    let _: [ServedRegistry; 2] = [registry.into(), live.into()];
}
