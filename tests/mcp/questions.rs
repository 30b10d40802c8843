//! What a server asks while it works: who answers, and that nobody is asked in error.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use callboard::{
    BoxFuture, CallPeer, Content, ElicitRequest, Elicited, LogLevel, LogMessage, PeerError,
    PeerSupport, SampleRequest, Sampled,
};
use serde_json::{Value, json};

use crate::common::ctx;
use crate::script::{Reply, Script, connect, method, registry_of, text, tool, within};

/// Answers every question with its own name.
#[derive(Default)]
struct Person {
    name: &'static str,
    asked: Mutex<Vec<ElicitRequest>>,
    log: Mutex<Vec<LogMessage>>,
}

impl Person {
    fn new(name: &'static str) -> Arc<Self> {
        Arc::new(Self {
            name,
            ..Self::default()
        })
    }
}

impl CallPeer for Person {
    fn support(&self) -> PeerSupport {
        PeerSupport::NONE.with_elicitation(true).with_sampling(true)
    }

    fn log(&self, message: LogMessage) {
        self.log.lock().expect("no panics").push(message);
    }

    fn elicit(&self, request: ElicitRequest) -> BoxFuture<'_, Result<Elicited<Value>, PeerError>> {
        Box::pin(async move {
            match request.message.as_str() {
                "panic" => panic!("as asked"),
                "decline" => return Ok(Elicited::Decline),
                "cancel" => return Ok(Elicited::Cancel),
                "fail" => {
                    return Err(PeerError::Failed {
                        message: "no pen".into(),
                    });
                }
                _ => self.asked.lock().expect("no panics").push(request),
            }
            Ok(Elicited::Accept(json!({ "name": self.name })))
        })
    }

    fn sample(&self, request: SampleRequest) -> BoxFuture<'_, Result<Sampled, PeerError>> {
        Box::pin(async move {
            let heard = request.messages[0].content[0].as_text().unwrap_or_default();
            let said = format!("{} heard {heard} of {}", self.name, request.max_tokens);
            Ok(Sampled::new("m-1", [Content::text(said)]).with_stop_reason("endTurn"))
        })
    }
}

fn elicitation(id: &str, message: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "elicitation/create",
        "params": {
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": { "name": { "type": "string" } },
                "required": ["name"],
            },
        },
    })
}

fn sampling(id: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "sampling/createMessage",
        "params": {
            "messages": [{ "role": "user", "content": { "type": "text", "text": "hi" } }],
            "maxTokens": 9,
        },
    })
}

/// A server whose tool asks, and answers some time later.
fn asking(question: Value) -> Script {
    Script::new([tool("t")]).on_call(move |_| Reply::First(vec![question.clone()], text("asked")))
}

/// The answer to the question with this id.
async fn answer(script: &Script, id: &str) -> Value {
    within(async {
        loop {
            let found = script
                .heard_all()
                .into_iter()
                .find(|message| message.get("method").is_none() && message["id"] == id);
            match found {
                Some(answer) => return answer,
                None => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    })
    .await
}

#[tokio::test]
async fn where_nobody_answers_the_server_is_told_so_and_refused_politely() {
    let script = asking(elicitation("q", "Who?"));
    let registry = script.registry().await;
    let capabilities = &script.heard("initialize")[0]["params"]["capabilities"];
    assert!(capabilities.get("elicitation").is_none() && capabilities.get("sampling").is_none());
    // Not even a caller that could answer is asked, unless the host says so.
    let person = Person::new("ada");
    let ctx = ctx().with_peer(Arc::clone(&person) as _);
    within(registry.dispatch("t", "", &ctx))
        .await
        .expect("it goes on");
    assert_eq!(answer(&script, "q").await["result"]["action"], "decline");
    assert!(person.asked.lock().expect("no panics").is_empty());
    let script = asking(sampling("q"));
    let registry = script.registry().await;
    within(registry.dispatch("t", "", &ctx))
        .await
        .expect("it goes on");
    assert_eq!(
        answer(&script, "q").await["error"]["message"],
        "the caller can't be asked"
    );
}

#[tokio::test]
async fn the_connections_peer_answers() {
    let script = asking(elicitation("q", "Who?"));
    let person = Person::new("host");
    let server = script.server("remote").with_peer(Arc::clone(&person) as _);
    let registry = registry_of(&connect(server).await);
    let capabilities = &script.heard("initialize")[0]["params"]["capabilities"];
    assert!(capabilities.get("elicitation").is_some() && capabilities.get("sampling").is_some());
    let ctx = ctx().with_peer(Person::new("caller"));
    within(registry.dispatch("t", "", &ctx))
        .await
        .expect("it goes on");
    let result = &answer(&script, "q").await["result"];
    assert_eq!(result["action"], "accept");
    assert_eq!(result["content"], json!({ "name": "host" }));
    {
        let asked = person.asked.lock().expect("no panics");
        assert_eq!(asked[0].message, "Who?");
        assert_eq!(asked[0].schema["required"], json!(["name"]));
    }
    script.push(sampling("s")).await;
    let result = &answer(&script, "s").await["result"];
    assert_eq!(result["content"]["text"], "host heard hi of 9");
    assert_eq!(
        (&result["model"], &result["stopReason"]),
        (&json!("m-1"), &json!("endTurn"))
    );
    script
        .push(json!({
            "jsonrpc": "2.0", "method": "notifications/message",
            "params": { "level": "warning", "logger": "l", "data": { "a": 1 } },
        }))
        .await;
    within(async {
        while person.log.lock().expect("no panics").is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    let expected = LogMessage::new(LogLevel::Warning, json!({ "a": 1 })).with_logger("l");
    assert_eq!(*person.log.lock().expect("no panics"), [expected]);
}

#[tokio::test]
async fn each_way_to_answer_reaches_the_server_and_a_panic_is_one() {
    let script = Script::new([tool("t")]);
    let server = script.server("remote").with_peer(Person::new("host"));
    let connection = connect(server).await;
    for (message, action) in [
        ("decline", "decline"),
        ("cancel", "cancel"),
        ("Who?", "accept"),
    ] {
        script.push(elicitation(message, message)).await;
        assert_eq!(answer(&script, message).await["result"]["action"], action);
    }
    for (message, words) in [("panic", "it panicked"), ("fail", "no pen")] {
        script.push(elicitation(message, message)).await;
        let error = &answer(&script, message).await["error"]["message"];
        assert!(error.as_str().expect("words").contains(words), "{error}");
    }
    assert!(connection.is_connected());
}

#[tokio::test]
async fn a_question_goes_to_the_caller_whose_call_it_belongs_to_or_to_nobody() {
    // The call is open until the question is answered.
    let script = Script::new([tool("t")]).on(|message| {
        (method(message) == "tools/call")
            .then(|| Reply::After(Duration::from_secs(1), text("asked")))
    });
    let registry = registry_of(&connect(script.server("remote").ask_callers()).await);
    let call = |person: &Arc<Person>| {
        let registry = registry.clone();
        let ctx = ctx().with_peer(Arc::clone(person) as _);
        tokio::spawn(async move { registry.dispatch("t", "", &ctx).await })
    };
    // Of no call: nobody is asked.
    script.push(elicitation("none", "Who?")).await;
    assert_eq!(answer(&script, "none").await["result"]["action"], "decline");
    let (ada, bob) = (Person::new("ada"), Person::new("bob"));
    let first = call(&ada);
    script.hears("tools/call", 1).await;
    script.push(elicitation("one", "Who?")).await;
    assert_eq!(
        answer(&script, "one").await["result"]["content"],
        json!({ "name": "ada" })
    );
    // Of two, and nothing says which.
    let second = call(&bob);
    script.hears("tools/call", 2).await;
    script.push(elicitation("two", "Who?")).await;
    assert_eq!(answer(&script, "two").await["result"]["action"], "decline");
    assert!(bob.asked.lock().expect("no panics").is_empty());
    for call in [first, second] {
        within(call)
            .await
            .expect("no panics")
            .expect("it is called");
    }
}

#[tokio::test]
async fn a_server_of_2026_asks_in_the_place_of_an_answer() {
    let script = Script::modern([tool("t")]).on_call(|message| {
        let params = &message["params"];
        match params["requestState"].as_str() {
            None => Reply::Result(json!({
                "resultType": "input_required",
                "requestState": "half-way",
                "inputRequests": {
                    "who": { "method": "elicitation/create", "params": elicitation("", "Who?")["params"] },
                    "what": { "method": "sampling/createMessage", "params": sampling("")["params"] },
                },
            })),
            Some(state) => Reply::Result(json!({
                "resultType": "complete",
                "content": [{ "type": "text", "text": format!(
                    "{state}: {} of {}, {}",
                    params["inputResponses"]["who"]["content"]["name"],
                    params["arguments"]["n"],
                    params["inputResponses"]["what"]["content"]["text"],
                ) }],
            })),
        }
    });
    let connection = connect(script.server("remote").ask_callers()).await;
    assert_eq!(connection.protocol().as_deref(), Some("2026-07-28"));
    let registry = registry_of(&connection);
    // Two at once: each question is of its own call.
    let (ada, bob) = (
        ctx().with_peer(Person::new("ada")),
        ctx().with_peer(Person::new("bob")),
    );
    let calls = async {
        tokio::join!(
            registry.dispatch("t", r#"{"n":1}"#, &ada),
            registry.dispatch("t", r#"{"n":2}"#, &bob)
        )
    };
    let (first, second) = within(calls).await;
    assert_eq!(
        first.expect("it is answered").to_text(),
        r#"half-way: "ada" of 1, "ada heard hi of 9""#
    );
    assert_eq!(
        second.expect("it is answered").to_text(),
        r#"half-way: "bob" of 2, "bob heard hi of 9""#
    );
    // A server that never has enough.
    let greedy = Script::modern([tool("t")]).on_call(|_| {
        Reply::Result(json!({
            "resultType": "input_required",
            "inputRequests": { "who": { "method": "elicitation/create", "params": elicitation("", "Who?")["params"] } },
        }))
    });
    let registry = registry_of(&connect(greedy.server("remote").ask_callers()).await);
    let error = within(registry.dispatch("t", "", &ada))
        .await
        .expect_err("no answer");
    assert_eq!(
        error.for_model(),
        "the server asked 10 times and gave no answer"
    );
    assert_eq!(greedy.heard("tools/call").len(), 10);
}
