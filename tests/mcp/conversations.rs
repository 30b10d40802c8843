//! What passes between a client and a tool of ours while the tool runs, in both generations of the
//! protocol: progress, messages, questions, cancelling; and what ends it all.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use callboard::mcp::{McpEvent, McpService};
use callboard::{
    BoxFuture, CallPeer, CapabilityRegistry, Content, ElicitRequest, Elicited, LiveRegistry,
    PeerError, PeerSupport, Progress, SampleRequest, Sampled,
};
use serde_json::{Value, json};

use crate::common::ctx;
use crate::script::{connect, event, observed, registry_of, within};
use crate::serving::{ByHand, GENERATIONS, Gate, builder, reach, registry};

/// A caller that answers, and keeps what it is told.
#[derive(Default)]
pub(crate) struct Person {
    told: Mutex<Vec<Progress>>,
    asked: Mutex<Vec<ElicitRequest>>,
}

impl Person {
    pub(crate) fn told(&self) -> Vec<Progress> {
        self.told.lock().expect("no panics").clone()
    }
}

impl CallPeer for Person {
    fn support(&self) -> PeerSupport {
        PeerSupport::NONE.with_elicitation(true).with_sampling(true)
    }

    fn progress(&self, progress: Progress) {
        self.told.lock().expect("no panics").push(progress);
    }

    fn elicit(&self, request: ElicitRequest) -> BoxFuture<'_, Result<Elicited<Value>, PeerError>> {
        self.asked.lock().expect("no panics").push(request);
        Box::pin(async { Ok(Elicited::Accept(json!({ "name": "ada" }))) })
    }

    fn sample(&self, request: SampleRequest) -> BoxFuture<'_, Result<Sampled, PeerError>> {
        let heard = request.messages[0].content[0].as_text().map(str::to_owned);
        Box::pin(async move {
            let said = format!(
                "heard {} of {}",
                heard.unwrap_or_default(),
                request.max_tokens
            );
            Ok(Sampled::new("m-1", [Content::text(said)]))
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_comes_in_order_and_before_the_answer() {
    let service = McpService::new(registry());
    for lifecycle in GENERATIONS {
        let registry = registry_of(&connect(reach(&service, lifecycle)).await);
        let person = Arc::new(Person::default());
        let listening = ctx().with_peer(Arc::clone(&person) as _);
        let done = within(registry.dispatch("steps", r#"{"count":100}"#, &listening)).await;
        assert_eq!(done.expect("it steps").to_text(), "100");
        let told = person.told.lock().expect("no panics");
        let expected: Vec<_> = (1..=100)
            .map(|step| Progress::of(step.into(), 100.0).with_message(format!("step {step}")))
            .collect();
        assert_eq!(*told, expected);
    }
    // Nobody wants to know: nothing is sent.
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let set = client
        .ask("logging/setLevel", json!({ "level": "error" }))
        .await;
    assert_eq!(set["result"], json!({}));
    let steps = json!({ "name": "steps", "arguments": { "count": 3 } });
    client.send(1, "tools/call", steps).await;
    let first = client.read().await.expect("a message");
    assert_eq!(first["id"], 1, "{first}");
}

#[tokio::test]
async fn messages_are_as_grave_as_the_client_wants_them() {
    let service = McpService::new(registry());
    let params = || json!({ "name": "steps", "arguments": { "count": 2 } });
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let mut modern = ByHand::modern(&service, json!({}));
    let with_level = |level: &str| {
        let mut params = params();
        params["_meta"] = json!({ "io.modelcontextprotocol/logLevel": level });
        params
    };
    async fn heard(client: &mut ByHand, params: Value) -> Vec<Value> {
        client.send(1, "tools/call", params).await;
        let mut heard = Vec::new();
        loop {
            let message = client.read().await.expect("it answers");
            if message["id"] == 1 {
                return heard;
            }
            assert_eq!(message["method"], "notifications/message");
            heard.push(message["params"].clone());
        }
    }
    let warnings = [1, 2].map(|step| json!({ "level": "warning", "data": { "step": step } }));
    assert_eq!(heard(&mut client, params()).await, warnings);
    client
        .ask("logging/setLevel", json!({ "level": "debug" }))
        .await;
    assert_eq!(heard(&mut client, params()).await.len(), 4);
    // There, each request says it, or wants none.
    assert!(heard(&mut modern, params()).await.is_empty());
    assert_eq!(heard(&mut modern, with_level("info")).await, warnings);
}

#[tokio::test]
async fn a_tools_questions_reach_the_caller_and_its_answers_the_tool() {
    let service = McpService::new(registry());
    for lifecycle in GENERATIONS {
        let server = reach(&service, lifecycle).ask_callers();
        let registry = registry_of(&connect(server).await);
        let person = Arc::new(Person::default());
        let listening = ctx().with_peer(Arc::clone(&person) as _);
        let asked = within(registry.dispatch("ask_both", "", &listening)).await;
        assert_eq!(
            asked.expect("it is answered").to_text(),
            "heard hi of 9; it is ada",
            "{lifecycle:?}"
        );
        let asked = person.asked.lock().expect("no panics");
        assert_eq!(asked[0].message, "Who?");
        assert_eq!(asked[0].schema["required"], json!(["name"]));
        let told = person.told.lock().expect("no panics");
        assert_eq!(*told, [Progress::new(1.0)]);
    }
}

#[tokio::test]
async fn a_client_that_declares_nothing_is_not_asked() {
    let service = McpService::new(registry());
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let mut modern = ByHand::modern(&service, json!({}));
    for client in [&mut client, &mut modern] {
        let answer = client.call("ask_person", json!({})).await;
        assert_eq!(answer["result"]["isError"], true);
        assert_eq!(
            answer["result"]["content"][0]["text"],
            "the caller can't be asked"
        );
    }
}

#[tokio::test]
async fn each_answer_to_a_form_reaches_the_tool_in_either_generation() {
    let service = McpService::new(registry());
    let forms = json!({ "elicitation": {} });
    for (answer, words, is_error) in [
        (
            json!({ "action": "accept", "content": { "name": "bob" } }),
            "it is bob",
            false,
        ),
        (json!({ "action": "decline" }), "declined", false),
        (json!({ "action": "cancel" }), "cancelled", false),
        (
            json!({ "action": "accept", "content": { "name": 7 } }),
            "`name`",
            true,
        ),
        (json!({ "action": "accept" }), "missing field", true),
        (json!({ "action": "perhaps" }), "", true),
    ] {
        let (mut client, _) = ByHand::initialized(&service, forms.clone()).await;
        client
            .send(1, "tools/call", json!({ "name": "ask_person" }))
            .await;
        let question = client.read().await.expect("a question");
        assert_eq!(question["method"], "elicitation/create");
        let schema = &question["params"]["requestedSchema"];
        assert_eq!(schema["properties"]["name"]["type"], "string");
        let said = json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer });
        client.write(said).await;
        let old = client.answer(1).await["result"].clone();

        let mut modern = ByHand::modern(&service, forms.clone());
        let asked = modern
            .ask("tools/call", json!({ "name": "ask_person" }))
            .await;
        let asked = &asked["result"];
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let (key, question) = asked["inputRequests"]
            .as_object()
            .and_then(|questions| questions.iter().next())
            .expect("a question");
        assert_eq!(question["method"], "elicitation/create");
        let again = json!({
            "name": "ask_person",
            "requestState": asked["requestState"],
            "inputResponses": { key: answer },
        });
        let new = modern.ask("tools/call", again.clone()).await["result"].clone();
        for result in [old, new] {
            let said = result["content"][0]["text"].as_str().expect("words");
            assert!(said.contains(words), "{said}");
            assert_eq!(result["isError"], is_error, "{answer}: {result}");
        }
        // A ticket is for one time.
        let twice = modern.ask("tools/call", again).await;
        assert_eq!(twice["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn a_ticket_is_for_its_tool_and_no_other() {
    let service = McpService::new(registry());
    let mut client = ByHand::modern(&service, json!({ "elicitation": {} }));
    let asked = client
        .ask("tools/call", json!({ "name": "ask_person" }))
        .await;
    let ticket = asked["result"]["requestState"].as_str().expect("a ticket");
    for (tool, ticket) in [("add", ticket), ("ask_person", "0"), ("ask_person", "")] {
        let wrong = json!({ "name": tool, "requestState": ticket });
        let refused = client.ask("tools/call", wrong).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    // Another request of the same client, and without an answer.
    let late = json!({ "name": "ask_person", "requestState": ticket });
    let late = client.ask("tools/call", late).await;
    assert_eq!(late["result"]["isError"], true);
    let words = late["result"]["content"][0]["text"]
        .as_str()
        .expect("words");
    assert!(words.contains("without an answer"), "{words}");
}

#[tokio::test]
async fn a_client_that_cancels_stops_the_tool_and_its_question() {
    let gate = Gate::new();
    let service = McpService::new(builder(&gate).seal().expect("it seals"));
    for lifecycle in GENERATIONS {
        let registry = registry_of(&connect(reach(&service, lifecycle)).await);
        let call = tokio::spawn({
            let registry = registry.clone();
            async move { registry.dispatch("wait", "", &ctx()).await.is_ok() }
        });
        gate.entered(1).await;
        call.abort();
        gate.left(1).await;
        let sum = within(registry.dispatch("add", r#"{"left":1,"right":2}"#, &ctx())).await;
        assert_eq!(sum.expect("it adds").to_text(), "3");
    }
    let (mut client, _) = ByHand::initialized(&service, json!({ "elicitation": {} })).await;
    client
        .send(1, "tools/call", json!({ "name": "ask_person" }))
        .await;
    let question = client.read().await.expect("a question");
    client
        .write(json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": { "requestId": 1, "reason": "enough" },
        }))
        .await;
    let withdrawn = client.read().await.expect("a message");
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    // It gets no answer, and the next request does.
    client.send(2, "ping", json!({})).await;
    assert_eq!(client.read().await.expect("an answer")["id"], 2);
}

#[tokio::test]
async fn a_client_that_leaves_leaves_nothing_behind() {
    let gate = Gate::new();
    let service = McpService::new(builder(&gate).seal().expect("it seals"));
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    client
        .send(1, "tools/call", json!({ "name": "wait" }))
        .await;
    gate.entered(1).await;
    drop(client);
    gate.left(1).await;
}

#[tokio::test]
async fn one_call_too_many_is_refused_in_words() {
    let gate = Gate::new();
    let service = McpService::new(builder(&gate).seal().expect("it seals")).with_most_calls(2);
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    let (mut other, _) = ByHand::initialized(&service, json!({})).await;
    for id in [1, 2] {
        client
            .send(id, "tools/call", json!({ "name": "wait" }))
            .await;
    }
    gate.entered(2).await;
    for client in [&mut client, &mut other] {
        let refused = client.call("add", json!({ "left": 1, "right": 2 })).await;
        assert_eq!(refused["result"]["isError"], true);
        let words = refused["result"]["content"][0]["text"].as_str();
        assert!(
            words.expect("words").contains("busy with 2 calls"),
            "{refused}"
        );
        // What is no call is answered all the same.
        let list = client.ask("tools/list", json!({})).await;
        assert!(list["result"]["tools"].is_array());
    }
    gate.open.add_permits(2);
    for _ in [1, 2] {
        let done = client.read().await.expect("an answer");
        assert_eq!(done["result"]["content"][0]["text"], "waited");
    }
    let sum = other.call("add", json!({ "left": 1, "right": 2 })).await;
    assert_eq!(sum["result"]["content"][0]["text"], "3");
}

#[tokio::test]
async fn shutting_down_lets_calls_end_and_begins_none() {
    let gate = Gate::new();
    let service = McpService::new(builder(&gate).seal().expect("it seals"));
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    client
        .send(1, "tools/call", json!({ "name": "wait" }))
        .await;
    gate.entered(1).await;
    let down = tokio::spawn({
        let service = service.clone();
        async move { service.shutdown().await }
    });
    within(async {
        loop {
            let refused = client.call("add", json!({ "left": 1, "right": 2 })).await;
            if refused["result"]["isError"] == true {
                let words = refused["result"]["content"][0]["text"].as_str();
                assert!(words.expect("words").contains("shutting down"));
                break;
            }
        }
    })
    .await;
    assert!(!down.is_finished());
    gate.open.add_permits(1);
    let done = client.answer(1).await;
    assert_eq!(done["result"]["content"][0]["text"], "waited");
    within(down).await.expect("no panics");
    assert_eq!(client.read().await, None, "it hangs up");
}

#[tokio::test]
async fn shutting_down_answers_what_does_not_end() {
    let gate = Gate::new();
    let service = McpService::new(builder(&gate).seal().expect("it seals"))
        .with_shutdown_limit(Duration::from_millis(50));
    let (mut client, _) = ByHand::initialized(&service, json!({})).await;
    client
        .send(1, "tools/call", json!({ "name": "wait" }))
        .await;
    gate.entered(1).await;
    within(service.shutdown()).await;
    let cancelled = client.answer(1).await;
    assert_eq!(cancelled["result"]["isError"], true);
    assert_eq!(
        cancelled["result"]["content"][0]["text"],
        "The call was cancelled."
    );
    assert_eq!(client.read().await, None, "it hangs up");
}

#[tokio::test]
async fn a_client_hears_that_the_tools_changed_and_only_then() {
    let gate = Gate::new();
    for lifecycle in GENERATIONS {
        let live = Arc::new(LiveRegistry::new(
            CapabilityRegistry::new().seal().expect("it seals"),
        ));
        let service = McpService::new(Arc::clone(&live));
        let (server, mut events) = observed(reach(&service, lifecycle));
        let connection = connect(server).await;
        let theirs = CapabilityRegistry::new().seal().expect("it seals");
        let theirs = Arc::new(LiveRegistry::new(theirs));
        connection.publish_into(&theirs).expect("there are none");
        let before = theirs.current().version();
        // Once a client listens, it hears; how soon it does is its own affair.
        within(async {
            while theirs.current().tools().len() == 0 {
                live.publish(CapabilityRegistry::new()).expect("it seals");
                live.publish(builder(&gate)).expect("it seals");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        })
        .await;
        let version = theirs.other_than(before).await;
        let sum = within(version.dispatch("add", r#"{"left":1,"right":2}"#, &ctx())).await;
        assert_eq!(sum.expect("it adds").to_text(), "3");
        event(&mut events, |event| {
            matches!(event, McpEvent::ToolsChanged { .. }).then_some(())
        })
        .await;
    }
    // A version with the same tools is no news.
    let live = Arc::new(LiveRegistry::new(registry()));
    let service = McpService::new(Arc::clone(&live));
    let (mut client, about) = ByHand::initialized(&service, json!({})).await;
    assert_eq!(
        about["capabilities"]["tools"],
        json!({ "listChanged": true })
    );
    client.ask("ping", json!({})).await;
    live.publish(builder(&gate)).expect("it seals");
    for _ in 0..20 {
        client.send(7, "ping", json!({})).await;
        assert_eq!(client.read().await.expect("an answer")["id"], 7);
    }
    live.publish(CapabilityRegistry::new()).expect("it seals");
    let news = client.read().await.expect("news");
    assert_eq!(news["method"], "notifications/tools/list_changed");
}
