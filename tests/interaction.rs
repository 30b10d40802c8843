//! What a tool tells or asks whoever called it.

mod common;

use std::sync::{Arc, Mutex};

use callboard::schemars::JsonSchema;
use callboard::serde::Deserialize;
use callboard::{
    BoxFuture, CallPeer, Content, DispatchError, ElicitRequest, Elicited, LogLevel, LogMessage,
    PeerError, PeerSupport, Progress, SampleMessage, SampleRequest, SampleRole, Sampled,
    ToolCallContext, TraceContext, tool,
};
use serde_json::{Value, json};

use common::{ctx, only};

/// A caller that keeps what it is told, and gives the answers that it was made with.
#[derive(Default)]
struct Caller {
    support: PeerSupport,
    told: Mutex<Vec<Progress>>,
    log: Mutex<Vec<LogMessage>>,
    asked: Mutex<Vec<ElicitRequest>>,
    answer: Option<Elicited<Value>>,
}

impl CallPeer for Caller {
    fn support(&self) -> PeerSupport {
        self.support
    }

    fn progress(&self, progress: Progress) {
        self.told.lock().expect("no panics").push(progress);
    }

    fn log(&self, message: LogMessage) {
        self.log.lock().expect("no panics").push(message);
    }

    fn elicit(&self, request: ElicitRequest) -> BoxFuture<'_, Result<Elicited<Value>, PeerError>> {
        Box::pin(async move {
            self.asked.lock().expect("no panics").push(request);
            self.answer.clone().ok_or(PeerError::Closed)
        })
    }

    fn sample(&self, request: SampleRequest) -> BoxFuture<'_, Result<Sampled, PeerError>> {
        Box::pin(async move {
            let heard = request.messages[0].content[0].as_text().unwrap_or_default();
            Ok(Sampled::new("m-1", [Content::text(format!("{heard}!"))])
                .with_stop_reason("endTurn"))
        })
    }
}

fn asked_of(caller: &Arc<Caller>) -> ToolCallContext {
    ctx().with_peer(Arc::clone(caller) as _)
}

#[derive(Deserialize, JsonSchema, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Class {
    First,
    Second,
}

#[derive(Deserialize, JsonSchema, Debug, PartialEq)]
struct Seat {
    /// At the window?
    window: bool,
    class: Class,
}

#[tool]
async fn book(#[inject] ctx: &ToolCallContext) -> Result<String, PeerError> {
    ctx.progress(Progress::new(0.0));
    ctx.log(LogLevel::Info, &[1, 2]);
    let seat = ctx.elicit::<Seat>("Which seat?").await?;
    ctx.progress_with(|| Progress::of(1.0, 2.0).with_message(format!("{seat:?}")));
    Ok(format!("{seat:?}"))
}

#[tokio::test]
async fn a_caller_is_told_and_asked_in_the_order_of_the_tool() {
    let caller = Arc::new(Caller {
        support: PeerSupport::NONE.with_elicitation(true),
        answer: Some(Elicited::Accept(json!({"window": true, "class": "second"}))),
        ..Caller::default()
    });
    let output = only::<Book>()
        .dispatch("book", "", &asked_of(&caller))
        .await
        .expect("it is answered");
    let seat = "Accept(Seat { window: true, class: Second })";
    assert_eq!(output.to_text(), seat);
    assert_eq!(
        *caller.told.lock().expect("no panics"),
        [
            Progress::new(0.0),
            Progress::of(1.0, 2.0).with_message(seat)
        ]
    );
    assert_eq!(
        *caller.log.lock().expect("no panics"),
        [LogMessage::new(LogLevel::Info, json!([1, 2]))]
    );
    let asked = caller.asked.lock().expect("no panics");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].message, "Which seat?");
    // Whole where it is used: a form has no place for `$ref`.
    assert_eq!(
        asked[0].schema,
        json!({
            "type": "object",
            "properties": {
                "window": { "description": "At the window?", "type": "boolean" },
                "class": { "type": "string", "enum": ["first", "second"] }
            },
            "required": ["window", "class"]
        })
    );
}

#[tokio::test]
async fn a_person_may_decline_or_turn_away() {
    for (answer, said) in [(Elicited::Decline, "Decline"), (Elicited::Cancel, "Cancel")] {
        let caller = Arc::new(Caller {
            support: PeerSupport::NONE.with_elicitation(true),
            answer: Some(answer),
            ..Caller::default()
        });
        let output = only::<Book>()
            .dispatch("book", "", &asked_of(&caller))
            .await;
        assert_eq!(output.expect("it goes on").to_text(), said);
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_says_where() {
    let caller = Arc::new(Caller {
        support: PeerSupport::NONE.with_elicitation(true),
        answer: Some(Elicited::Accept(json!({"window": true, "class": "third"}))),
        ..Caller::default()
    });
    let answer = asked_of(&caller).elicit::<Seat>("Which seat?").await;
    let Err(PeerError::InvalidAnswer { path, message }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(path, "class");
    assert!(message.contains("`first`"), "{message}");
    let whole = Arc::new(Caller {
        support: PeerSupport::NONE.with_elicitation(true),
        answer: Some(Elicited::Accept(json!(7))),
        ..Caller::default()
    });
    let answer = asked_of(&whole).elicit::<Seat>("Which seat?").await;
    assert!(
        matches!(&answer, Err(PeerError::InvalidAnswer { path, .. }) if path.is_empty()),
        "{answer:?}"
    );
}

#[tokio::test]
async fn a_form_has_fields() {
    let caller = Arc::new(Caller {
        support: PeerSupport::NONE.with_elicitation(true),
        answer: Some(Elicited::Accept(json!(7))),
        ..Caller::default()
    });
    let answer = asked_of(&caller).elicit::<u32>("How many?").await;
    assert!(
        matches!(&answer, Err(PeerError::Unusable { .. })),
        "{answer:?}"
    );
    assert!(caller.asked.lock().expect("no panics").is_empty());
}

/// Schemas of it must not be made where nobody is asked.
#[derive(Deserialize, Debug)]
struct NeverAsked;

impl JsonSchema for NeverAsked {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        panic!("a schema is made for nobody")
    }

    fn json_schema(_: &mut callboard::schemars::SchemaGenerator) -> callboard::schemars::Schema {
        panic!("a schema is made for nobody")
    }
}

/// As [`NeverAsked`], for what is logged.
struct NeverLogged;

impl serde::Serialize for NeverLogged {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("a message is written for nobody")
    }
}

#[tokio::test]
async fn where_nobody_listens_nothing_is_made_and_questions_are_refused() {
    struct Deaf;
    impl CallPeer for Deaf {}

    let alone = ctx();
    alone.progress(Progress::new(1.0));
    alone.progress_with(|| panic!("a report is made for nobody"));
    alone.log(LogLevel::Error, &NeverLogged);
    for ctx in [alone, ctx().with_peer(Arc::new(Deaf))] {
        assert_eq!(ctx.peer_support(), PeerSupport::NONE);
        assert_eq!(
            ctx.elicit::<NeverAsked>("?").await.expect_err("refused"),
            PeerError::Unavailable
        );
        let request = SampleRequest::new([SampleMessage::user("hi")], 10);
        assert_eq!(ctx.sample(request).await, Err(PeerError::Unavailable));
    }
    let refused = only::<Book>().dispatch("book", "", &ctx()).await;
    let Err(DispatchError::Failed(failure)) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(failure.message(), "the caller can't be asked");
}

#[tokio::test]
async fn a_callers_model_answers() {
    let caller = Arc::new(Caller {
        support: PeerSupport::NONE.with_sampling(true),
        ..Caller::default()
    });
    let request = SampleRequest::new([SampleMessage::user("hi")], 10);
    let sampled = asked_of(&caller).sample(request).await.expect("answered");
    assert_eq!(sampled.message.role, SampleRole::Assistant);
    assert_eq!(sampled.message.content, [Content::text("hi!")]);
    assert_eq!(sampled.stop_reason.as_deref(), Some("endTurn"));
    // The one kind of question says nothing of the other.
    assert_eq!(
        asked_of(&caller).elicit::<Seat>("?").await,
        Err(PeerError::Unavailable)
    );
}

#[test]
fn a_trace_is_taken_only_in_its_form() {
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let trace = TraceContext::new(parent)
        .expect("well formed")
        .with_tracestate("a=1")
        .with_baggage("x\ny");
    assert_eq!(trace.tracestate(), Some("a=1"));
    assert_eq!(trace.baggage(), None, "a line break would end a header");
    for wrong in [
        "",
        "00",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319é-b7ad6b7169203331-01",
    ] {
        assert_eq!(TraceContext::new(wrong), None, "{wrong}");
    }
}
