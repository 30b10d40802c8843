//! What comes from the call or the registry, not from the model.

use std::sync::atomic::{AtomicU32, Ordering};

use callboard::{
    CapabilityRegistry, DispatchError, FromToolCall, Requirements, SealProblem, State, Tool,
    ToolCall, ToolCallContext, ToolFailure, tool,
};
use serde_json::json;

use crate::common::{ask, ask_only, ctx};

#[derive(Debug)]
struct Counter(AtomicU32);

struct Greeting(&'static str);

#[derive(Clone)]
struct User(String);

impl<'a> FromToolCall<'a> for &'a User {
    type Rejection = ToolFailure;

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, ToolFailure> {
        call.context()
            .extension::<User>()
            .ok_or_else(|| ToolFailure::new("nobody is signed in"))
    }
}

/// An extractor made of others.
struct Session<'a> {
    user: &'a User,
    counter: State<'a, Counter>,
}

impl<'a> FromToolCall<'a> for Session<'a> {
    type Rejection = DispatchError;

    fn requires(requirements: &mut Requirements) {
        <State<'a, Counter>>::requires(requirements);
    }

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, DispatchError> {
        Ok(Self {
            user: <&User>::from_tool_call(call)?,
            counter: State::from_tool_call(call)?,
        })
    }
}

#[tool]
async fn count(#[inject] State(counter): State<'_, Counter>, by: u32) -> u32 {
    counter.0.fetch_add(by, Ordering::Relaxed) + by
}

#[tool]
async fn greet(
    #[inject] user: &User,
    #[inject] greeting: State<'_, Greeting>,
    #[inject] ctx: &ToolCallContext,
    mark: char,
) -> String {
    format!("{} {}{mark} ({})", greeting.0.0, user.0, ctx.call_id())
}

#[tool]
async fn in_session(#[inject] session: Session<'_>) -> String {
    let seen = session.counter.0.0.fetch_add(1, Ordering::Relaxed);
    format!("{} {seen}", session.user.0)
}

#[tool]
async fn perhaps(
    #[inject] user: Option<&User>,
    #[inject] counter: Option<State<'_, Counter>>,
) -> String {
    format!("{} {}", user.is_some(), counter.is_some())
}

#[tool]
async fn itself(#[inject] call: ToolCall<'_>) -> String {
    format!("{} {}", call.tool(), call.entry().family())
}

fn with_state() -> CapabilityRegistry {
    let mut reg = CapabilityRegistry::new();
    reg.provide(Counter(AtomicU32::new(0)))
        .provide(Greeting("Hello"));
    reg
}

fn registry<T: Tool>() -> callboard::Registry {
    let mut reg = with_state();
    reg.register_tool::<T>().expect("the name is free");
    reg.seal().expect("all state is there")
}

#[tokio::test]
async fn state_is_shared_by_every_call() {
    let registry = registry::<Count>();
    for expected in [2, 4, 6] {
        let answer = ask::<Count>(&registry, r#"{"by":2}"#).await;
        assert_eq!(answer.expect("state is there"), json!(expected));
    }
    let typed = registry.call::<Count>(CountArgs { by: 1 }, &ctx()).await;
    assert_eq!(typed.expect("state is there"), 7);
}

#[test]
fn what_is_injected_is_no_property() {
    let schema = Greet::descriptor().input_schema();
    assert_eq!(schema["required"], json!(["mark"]));
    let properties = schema["properties"].as_object().expect("an object");
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["mark"]);
}

#[test]
fn a_registry_without_the_state_can_not_be_sealed() {
    let mut reg = CapabilityRegistry::new();
    for registered in [
        reg.register_tool::<Count>().map(drop),
        reg.register_tool::<InSession>().map(drop),
        reg.register_tool::<Greet>().map(drop),
    ] {
        registered.expect("the names are free");
    }
    let error = reg.seal().expect_err("nothing was provided");
    let missing: Vec<(&str, &str)> = error
        .problems
        .iter()
        .map(|problem| match problem {
            SealProblem::MissingState {
                name, type_name, ..
            } => (name.as_str(), *type_name),
            other => panic!("not about state: {other}"),
        })
        .collect();
    let counter = std::any::type_name::<Counter>();
    // What a composite extractor requires is required too.
    assert_eq!(
        missing,
        [
            ("count", counter),
            ("greet", std::any::type_name::<Greeting>()),
            ("in_session", counter),
        ]
    );
    let text = error.to_string();
    assert!(
        text.contains("`provide`") && text.contains(file!()),
        "{text}"
    );
    let mut mended = error.into_builder();
    mended
        .provide(Counter(AtomicU32::new(0)))
        .provide(Greeting("Hi"));
    assert!(mended.seal().is_ok());
}

#[tokio::test]
async fn a_users_own_extractor_reads_the_context() {
    let registry = registry::<Greet>();
    let ctx = ToolCallContext::new("c9").with_extension(User("Ada".to_owned()));
    let output = registry.dispatch("greet", r#"{"mark":"!"}"#, &ctx).await;
    assert_eq!(
        output.expect("ada is signed in").as_json(),
        Some("\"Hello Ada! (c9)\"")
    );
}

#[tokio::test]
async fn a_rejection_with_words_is_told_to_the_model() {
    let error = ask::<Greet>(&registry::<Greet>(), r#"{"mark":"!"}"#)
        .await
        .expect_err("nobody is there");
    assert!(matches!(error, DispatchError::Failed(_)), "{error:?}");
    assert_eq!(error.for_model(), "nobody is signed in");
    let typed = registry::<Greet>()
        .call::<Greet>(GreetArgs { mark: '!' }, &ctx())
        .await
        .expect_err("nobody is there");
    assert!(
        matches!(
            &typed,
            callboard::CallError::Refused(DispatchError::Failed(failure))
                if failure.message() == "nobody is signed in"
        ),
        "{typed:?}"
    );
}

#[tokio::test]
async fn a_composite_extractor_gives_all_its_parts() {
    let registry = registry::<InSession>();
    let ctx = ctx().with_extension(User("Grace".to_owned()));
    for expected in ["\"Grace 0\"", "\"Grace 1\""] {
        let output = registry.dispatch("in_session", "", &ctx).await;
        assert_eq!(
            output.expect("all parts are there").as_json(),
            Some(expected)
        );
    }
}

#[tokio::test]
async fn an_option_is_none_where_the_value_can_not_be_had() {
    // It requires nothing: a registry without the state seals.
    let answer = ask_only::<Perhaps>("").await;
    assert_eq!(answer.expect("neither"), json!("false false"));
    let output = registry::<Perhaps>()
        .dispatch("perhaps", "", &ctx().with_extension(User(String::new())))
        .await;
    assert_eq!(output.expect("both").as_json(), Some("\"true true\""));
}

#[tokio::test]
async fn the_call_itself_can_be_injected() {
    let answer = ask_only::<Itself>("").await;
    assert_eq!(answer.expect("it is"), json!("itself native"));
}

#[test]
fn what_a_tool_requires_is_in_its_descriptor() {
    let requirements = Greet::descriptor().requirements();
    assert_eq!(
        requirements.type_names().collect::<Vec<_>>(),
        [std::any::type_name::<Greeting>()]
    );
}

/// Extractors that refuse with a text.
struct Never;
struct Nobody;

impl<'a> FromToolCall<'a> for Never {
    type Rejection = String;

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, String> {
        Err(format!("never for {}", call.tool()))
    }
}

impl<'a> FromToolCall<'a> for Nobody {
    type Rejection = &'static str;

    fn from_tool_call(_call: &ToolCall<'a>) -> Result<Self, &'static str> {
        Err("nobody is there")
    }
}

#[tool]
async fn takes_never(#[inject] _never: Never) {}

#[tool]
async fn takes_nobody(#[inject] _nobody: Nobody) {}

#[tokio::test]
async fn a_text_as_rejection_is_told_to_the_model() {
    let error = ask_only::<TakesNever>("").await.expect_err("it refuses");
    assert_eq!(error.for_model(), "never for takes_never");
    let error = ask_only::<TakesNobody>("").await.expect_err("it refuses");
    assert_eq!(error.for_model(), "nobody is there");
    assert_eq!(error.kind(), "failed");
}
