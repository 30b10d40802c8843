//! What a tool may return, and how its errors come out of both doors.

use std::error::Error;
use std::fmt;

use callboard::{
    CallError, Content, DispatchError, Tool, ToolCallContext, ToolFailure, ToolOutput, tool,
};
use serde_json::{Value, json};

use crate::common::{ask_only, ctx, only};

#[derive(Debug, PartialEq)]
enum PlainError {
    Missing(u8),
}

impl fmt::Display for PlainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Missing(n) = self;
        write!(f, "number {n} is missing")
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the disk of {host} is full")]
struct DiskFull {
    host: &'static str,
}

type Fallible<T> = Result<T, PlainError>;

#[tool]
fn own_enum(n: u8) -> Result<u8, PlainError> {
    Err(PlainError::Missing(n))
}

#[tool]
async fn aliased(n: u8) -> Fallible<u8> {
    if n == 0 {
        Err(PlainError::Missing(n))
    } else {
        Ok(n)
    }
}

#[tool]
async fn with_thiserror() -> Result<(), DiskFull> {
    Err(DiskFull { host: "db" })
}

#[tool]
async fn boxed_error() -> Result<(), Box<dyn Error + Send + Sync>> {
    Err(Box::new(DiskFull { host: "box" }))
}

#[tool]
async fn with_anyhow() -> anyhow::Result<u8> {
    Err(anyhow::anyhow!("root").context("outer"))
}

#[tool]
fn io_result() -> std::io::Result<String> {
    Err(std::io::Error::other("no such disk"))
}

#[tool]
fn text_error() -> Result<u8, String> {
    Err("in words".to_owned())
}

#[tool]
fn own_failure() -> Result<u8, ToolFailure> {
    Err(ToolFailure::new("what the model reads").with_source(DiskFull { host: "secret" }))
}

#[tool]
fn question_mark() -> Result<u8, ToolFailure> {
    Ok("300".parse::<u8>()?)
}

#[tool]
fn unit() {}

#[tool]
fn maybe(n: u8) -> Option<u8> {
    n.checked_sub(1)
}

#[tool]
fn maybe_fallible(n: u8) -> Result<Option<u8>, PlainError> {
    match n {
        0 => Ok(None),
        1 => Ok(Some(1)),
        n => Err(PlainError::Missing(n)),
    }
}

#[tool]
async fn one_piece() -> Content {
    Content::image([1_u8, 2], "image/png")
}

#[tool]
async fn pieces(fail: bool) -> Result<Vec<Content>, String> {
    if fail {
        return Err("nothing to show".to_owned());
    }
    Ok(vec![
        Content::text("See:"),
        Content::audio([0_u8], "audio/wav"),
        Content::resource_link("file:///a", "a"),
    ])
}

#[tool]
async fn whole_output() -> Result<ToolOutput, serde_json::Error> {
    ToolOutput::json_of(&json!({ "raw": true }))
}

#[tool]
fn unwritable() -> std::collections::BTreeMap<(u8, u8), u8> {
    [((1, 2), 3)].into()
}

/// Both doors, with the message of the error: what a model is told through one, and what the
/// tool's own error displays through the other.
async fn failures<T: Tool>(args: T::Args) -> (String, String)
where
    T::Output: fmt::Debug,
    T::Error: fmt::Display + fmt::Debug,
    T::Args: callboard::serde::Serialize,
{
    let registry = only::<T>();
    let json = serde_json::to_string(&args).expect("arguments are JSON");
    let dispatched = registry
        .dispatch(T::descriptor().name(), &json, &ctx())
        .await
        .expect_err("it fails");
    assert!(
        matches!(dispatched, DispatchError::Failed(_)),
        "{dispatched:?}"
    );
    let called = registry.call::<T>(args, &ctx()).await;
    let CallError::Failed(error) = called.expect_err("it fails") else {
        panic!("the tool's own error was lost");
    };
    (dispatched.for_model(), error.to_string())
}

fn same(text: &str) -> (String, String) {
    (text.to_owned(), text.to_owned())
}

#[tokio::test]
async fn each_type_of_error_keeps_its_words_through_both_doors() {
    assert_eq!(
        failures::<OwnEnum>(OwnEnumArgs { n: 3 }).await,
        same("number 3 is missing")
    );
    assert_eq!(
        failures::<Aliased>(AliasedArgs { n: 0 }).await,
        same("number 0 is missing")
    );
    assert_eq!(
        failures::<WithThiserror>(WithThiserrorArgs {}).await,
        same("the disk of db is full")
    );
    assert_eq!(
        failures::<BoxedError>(BoxedErrorArgs {}).await,
        same("the disk of box is full")
    );
    assert_eq!(
        failures::<WithAnyhow>(WithAnyhowArgs {}).await,
        same("outer")
    );
    assert_eq!(
        failures::<IoResult>(IoResultArgs {}).await,
        same("no such disk")
    );
    assert_eq!(
        failures::<TextError>(TextErrorArgs {}).await,
        same("in words")
    );
    assert_eq!(
        failures::<MaybeFallible>(MaybeFallibleArgs { n: 9 }).await,
        same("number 9 is missing")
    );
}

#[tokio::test]
async fn the_typed_door_gives_the_tools_own_error() {
    let called = only::<Aliased>()
        .call::<Aliased>(AliasedArgs { n: 0 }, &ctx())
        .await;
    let error = called.expect_err("0 fails");
    assert_eq!(error.into_failed(), Some(PlainError::Missing(0)));
}

#[tokio::test]
async fn a_failure_tells_the_model_its_message_and_the_host_its_source() {
    let error = ask_only::<OwnFailure>("").await.expect_err("it fails");
    assert_eq!(error.for_model(), "what the model reads");
    assert!(!error.for_model().contains("secret"));
    let source = error.source().expect("the source is kept");
    assert_eq!(source.to_string(), "the disk of secret is full");
    assert!(source.downcast_ref::<DiskFull>().is_some());
    let error = ask_only::<QuestionMark>("").await.expect_err("it fails");
    assert_eq!(error.for_model(), "number too large to fit in target type");
}

#[tokio::test]
async fn an_output_without_a_result_can_not_fail() {
    let registry = only::<Unit>();
    let called: Result<(), CallError<std::convert::Infallible>> =
        registry.call::<Unit>(UnitArgs {}, &ctx()).await;
    assert!(called.is_ok());
}

#[tokio::test]
async fn nothing_and_options_are_written_as_json() {
    assert_eq!(ask_only::<Unit>("").await.expect("unit"), Value::Null);
    assert_eq!(
        ask_only::<Maybe>(r#"{"n":0}"#).await.expect("none"),
        Value::Null
    );
    assert_eq!(
        ask_only::<Maybe>(r#"{"n":3}"#).await.expect("some"),
        json!(2)
    );
    assert_eq!(
        ask_only::<MaybeFallible>(r#"{"n":0}"#).await.expect("none"),
        Value::Null
    );
    assert_eq!(
        ask_only::<MaybeFallible>(r#"{"n":1}"#).await.expect("some"),
        json!(1)
    );
    assert_eq!(
        ask_only::<Aliased>(r#"{"n":4}"#).await.expect("an alias"),
        json!(4)
    );
}

/// The output of a tool through the JSON door.
async fn output_of<T: Tool>(arguments: &str) -> Result<ToolOutput, DispatchError> {
    only::<T>()
        .dispatch(
            T::descriptor().name(),
            arguments,
            &ToolCallContext::new("c"),
        )
        .await
}

#[tokio::test]
async fn content_stays_content() {
    let output = output_of::<OnePiece>("").await.expect("a picture");
    assert_eq!(output.as_json(), None);
    assert_eq!(
        output.as_content(),
        Some(&[Content::image([1_u8, 2], "image/png")][..])
    );
    let output = output_of::<Pieces>(r#"{"fail":false}"#)
        .await
        .expect("three pieces");
    assert_eq!(output.as_content().map(<[Content]>::len), Some(3));
    assert_eq!(
        output.to_text(),
        "See:\n[audio/wav, 1 bytes]\n[a: file:///a]"
    );
    let error = output_of::<Pieces>(r#"{"fail":true}"#)
        .await
        .expect_err("it fails");
    assert_eq!(error.for_model(), "nothing to show");
}

#[tokio::test]
async fn a_tool_may_make_its_whole_output() {
    let output = output_of::<WholeOutput>("").await.expect("an output");
    assert_eq!(output.as_json(), Some(r#"{"raw":true}"#));
}

#[tokio::test]
async fn an_output_that_json_has_no_form_for_is_an_error() {
    let error = output_of::<Unwritable>("").await.expect_err("no such keys");
    assert!(
        matches!(&error, DispatchError::Unencodable { tool, message }
            if tool == "unwritable" && message.contains("key must be a string")),
        "{error:?}"
    );
    assert_eq!(error.for_model(), "The tool failed with an internal error.");
}
