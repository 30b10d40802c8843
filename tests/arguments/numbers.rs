//! JSON has one kind of number, and Rust has many.

use callboard::tool;
use serde_json::json;

use crate::common::{ask_only, refusal};

#[tool]
fn integer(n: i64) -> String {
    n.to_string()
}

#[tool]
fn unsigned(n: u64) -> String {
    n.to_string()
}

#[tool]
fn byte(n: u8) -> u8 {
    n
}

#[tool]
fn float(n: f64) -> f64 {
    n
}

#[tool]
fn several(n: i64, ratio: f64, list: Vec<i64>, text: String, any: serde_json::Value) -> String {
    format!("{n} {ratio} {list:?} {text} {any}")
}

#[tokio::test]
async fn a_whole_float_is_an_integer() {
    for (written, read) in [
        ("30.0", "30"),
        ("-4.00", "-4"),
        ("3e1", "30"),
        ("1.5e1", "15"),
        ("-0.0", "0"),
        ("9007199254740993.0", "9007199254740993"),
    ] {
        let answer = ask_only::<Integer>(&format!(r#"{{"n": {written}}}"#)).await;
        assert_eq!(answer.expect(written), json!(read), "{written}");
    }
    let answer = ask_only::<Several>(
        r#"{"n":1.0,"ratio":2.0,"list":[3.0,4e0],"text":"5.0","any":{"six":6.5}}"#,
    );
    assert_eq!(
        answer.await.expect("each is whole"),
        json!(r#"1 2 [3, 4] 5.0 {"six":6.5}"#)
    );
}

#[tokio::test]
async fn what_is_no_integer_is_refused_with_its_path() {
    for (written, words) in [
        ("30.5", "invalid type: floating point `30.5`, expected i64"),
        ("\"30\"", "invalid type: string \"30\", expected i64"),
        ("null", "invalid type: null, expected i64"),
        ("true", "invalid type: boolean `true`, expected i64"),
        ("[30]", "invalid type: sequence, expected i64"),
        ("{}", "invalid type: map, expected i64"),
        ("9007199254740990.5", "invalid type: floating point"),
        (
            "9223372036854775808",
            "invalid value: integer `9223372036854775808`, expected i64",
        ),
        ("1e400", "number out of range"),
        ("-1e400", "number out of range"),
    ] {
        let error = ask_only::<Integer>(&format!(r#"{{"n": {written}}}"#)).await;
        let (path, message) = refusal(error.expect_err(written));
        assert_eq!(path, "n", "{written}: {message}");
        assert!(message.starts_with(words), "{written}: {message}");
    }
}

#[tokio::test]
async fn the_ends_of_each_range_arrive_exactly() {
    for n in [
        i64::MIN,
        i64::MAX,
        9_007_199_254_740_993,
        -9_007_199_254_740_993,
    ] {
        let answer = ask_only::<Integer>(&format!(r#"{{"n":{n}}}"#)).await;
        assert_eq!(answer.expect("it is in range"), json!(n.to_string()));
    }
    for n in [u64::MAX, u64::MAX - 1, 9_007_199_254_740_993] {
        let answer = ask_only::<Unsigned>(&format!(r#"{{"n":{n}}}"#)).await;
        assert_eq!(answer.expect("it is in range"), json!(n.to_string()));
    }
    let answer = ask_only::<Float>(r#"{"n":0.1}"#).await;
    assert_eq!(answer.expect("a float"), json!(0.1));
}

#[tokio::test]
async fn a_number_beyond_its_range_is_refused() {
    for (written, words) in [
        ("256", "invalid value: integer `256`, expected u8"),
        ("-1", "invalid value: integer `-1`, expected u8"),
        ("256.0", "invalid value: integer `256`, expected u8"),
    ] {
        let error = ask_only::<Byte>(&format!(r#"{{"n":{written}}}"#)).await;
        assert_eq!(
            refusal(error.expect_err(written)),
            ("n".to_owned(), words.to_owned())
        );
    }
}

#[tokio::test]
async fn what_json_does_not_write_is_no_number() {
    for written in [
        "030", "03e1", "30.", ".5", "+1", "0x1e", "NaN", "Infinity", "1_000", "--1",
    ] {
        let error = ask_only::<Integer>(&format!(r#"{{"n":{written}}}"#)).await;
        let (_, message) = refusal(error.expect_err(written));
        assert!(message.contains("line 1"), "{written}: {message}");
    }
}
