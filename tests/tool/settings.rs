//! The settings in the brackets, and what holds where nothing is said.

use std::time::Duration;

use callboard::{DispatchError, Risk, Tool, ToolIoMode, ToolPolicy, tool};
use serde_json::json;

use crate::common::{ask_only, only, refusal};

#[tool]
fn says_nothing() {}

#[tool(read_only)]
fn reads() {}

#[tool(read_only, open_world = false, idempotent = false, risk = "low")]
fn reads_at_home() {}

#[tool(
    destructive = false,
    idempotent,
    open_world = false,
    risk = "high",
    requires_approval,
    timeout = "250ms"
)]
fn says_everything() {}

#[tool(timeout = "none")]
fn takes_its_time() {}

#[tool(read_only = false)]
fn writes_by_its_word() {}

#[tool(coerce_strings)]
fn lenient(n: u32, flag: bool, ratio: f64, text: String, list: Vec<i64>) -> String {
    format!("{n} {flag} {ratio} {text} {list:?}")
}

#[tool]
fn strict(n: u32, flag: bool) -> String {
    format!("{n} {flag}")
}

#[test]
fn a_tool_that_says_nothing_is_taken_for_the_worse() {
    let policy = SaysNothing::descriptor().policy();
    assert_eq!(*policy, ToolPolicy::unstated());
    assert!(!policy.read_only && policy.destructive && !policy.idempotent && policy.open_world);
    assert_eq!(policy.risk, Risk::Medium);
    assert!(!policy.requires_approval);
    assert_eq!(policy.timeout, Some(Duration::from_secs(30)));
    assert_eq!(*WritesByItsWord::descriptor().policy(), *policy);
    let registry = only::<SaysNothing>();
    let row = registry.tool("says_nothing").expect("it is there");
    assert_eq!(row.policy(), policy);
    assert_eq!(row.io_mode(), ToolIoMode::Unary);
}

#[test]
fn a_tool_that_only_reads_destroys_nothing_and_may_be_repeated() {
    let policy = Reads::descriptor().policy();
    assert_eq!(*policy, ToolPolicy::read_only());
    assert!(policy.read_only && !policy.destructive && policy.idempotent && policy.open_world);
    assert_eq!(policy.risk, Risk::Medium);
}

#[test]
fn each_setting_is_what_was_written() {
    let policy = SaysEverything::descriptor().policy();
    assert!(!policy.read_only && !policy.destructive && policy.idempotent && !policy.open_world);
    assert_eq!(policy.risk, Risk::High);
    assert!(policy.requires_approval);
    assert_eq!(policy.timeout, Some(Duration::from_millis(250)));
    let policy = ReadsAtHome::descriptor().policy();
    assert!(policy.read_only && !policy.open_world && !policy.idempotent);
    assert_eq!(policy.risk, Risk::Low);
    assert_eq!(TakesItsTime::descriptor().policy().timeout, None);
}

#[tokio::test]
async fn a_tool_that_opts_in_takes_numbers_and_booleans_in_quotes() {
    assert!(Lenient::descriptor().coerces_strings());
    let answer = ask_only::<Lenient>(
        r#"{"n":"30","flag":"true","ratio":"2.5","text":"30","list":["1",2," 3 "]}"#,
    );
    assert_eq!(
        answer.await.expect("quotes are taken off"),
        json!("30 true 2.5 30 [1, 2, 3]")
    );
    let answer = ask_only::<Lenient>(r#"{"n":"30.0","flag":false,"ratio":1,"text":"","list":[]}"#);
    assert_eq!(
        answer.await.expect("a whole number in quotes"),
        json!("30 false 1  []")
    );
    for (wrong, place) in [
        (
            r#"{"n":"thirty","flag":true,"ratio":1,"text":"","list":[]}"#,
            "n",
        ),
        (
            r#"{"n":"30.5","flag":true,"ratio":1,"text":"","list":[]}"#,
            "n",
        ),
        (
            r#"{"n":"-1","flag":true,"ratio":1,"text":"","list":[]}"#,
            "n",
        ),
        (
            r#"{"n":1,"flag":"yes","ratio":1,"text":"","list":[]}"#,
            "flag",
        ),
        (
            r#"{"n":1,"flag":true,"ratio":1,"text":2,"list":[]}"#,
            "text",
        ),
        (
            r#"{"n":1,"flag":true,"ratio":1,"text":"","list":["1","x"]}"#,
            "list[1]",
        ),
    ] {
        let (path, message) = refusal(ask_only::<Lenient>(wrong).await.expect_err(wrong));
        assert_eq!(path, place, "{wrong}: {message}");
    }
}

#[tokio::test]
async fn a_tool_that_does_not_opt_in_refuses_quotes() {
    assert!(!Strict::descriptor().coerces_strings());
    let error = ask_only::<Strict>(r#"{"n":"30","flag":true}"#)
        .await
        .expect_err("a string");
    let (path, message) = refusal(error);
    assert_eq!(path, "n");
    assert_eq!(
        message,
        "invalid type: text \"30\", expected a whole number from 0 to 4294967295"
    );
    let error = ask_only::<Strict>(r#"{"n":30,"flag":"true"}"#)
        .await
        .expect_err("a string");
    assert!(matches!(
        error,
        DispatchError::InvalidArguments { path, .. } if path == "flag"
    ));
}
