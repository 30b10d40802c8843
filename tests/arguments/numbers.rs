//! JSON has one kind of number, and Rust has many.

use std::collections::BTreeMap;

use callboard::schemars::JsonSchema;
use callboard::serde::Deserialize;
use callboard::tool;
use serde_json::{Value, json};

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
fn narrow(n: f32) -> f32 {
    n
}

#[tool]
fn wide(signed: i128, unsigned: u128) -> String {
    format!("{signed} {unsigned}")
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Step {
    Wait { seconds: u32, note: Value },
    Stop,
}

#[derive(Deserialize, JsonSchema)]
struct Page {
    limit: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Key {
    Number(i64),
    Many(Vec<i64>),
}

/// What serde buffers, beside what it doesn't.
#[tool]
fn buffered(steps: Vec<Step>, page: Option<Page>, key: Option<Key>, free: Value) -> String {
    let mut told = String::new();
    for step in steps {
        match step {
            Step::Wait { seconds, note } => told.push_str(&format!("wait {seconds} {note}; ")),
            Step::Stop => told.push_str("stop; "),
        }
    }
    if let Some(page) = page {
        told.push_str(&format!("page {} {:?}; ", page.limit, page.rest));
    }
    match key {
        None => {}
        Some(Key::Number(number)) => told.push_str(&format!("{number}; ")),
        Some(Key::Many(numbers)) => told.push_str(&format!("{numbers:?}; ")),
    }
    format!("{told}{free}")
}

#[tool(coerce_strings)]
fn lenient(n: i64, wide: Option<u128>, ratio: f64, on: bool, text: String, free: Value) -> String {
    format!("{n} {wide:?} {ratio} {on} {text} {free}")
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
        ("-0", "0"),
        ("-0.0", "0"),
        ("1e2", "100"),
        ("9.007199254740993e15", "9007199254740993"),
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
        (
            "30.5",
            "invalid type: number `30.5`, expected a whole number",
        ),
        (
            "\"30\"",
            "invalid type: text \"30\", expected a whole number",
        ),
        ("null", "invalid type: null, expected a whole number"),
        ("true", "invalid type: `true`, expected a whole number"),
        ("[30]", "invalid type: a list, expected a whole number"),
        ("{}", "invalid type: an object, expected a whole number"),
        (
            "9007199254740990.5",
            "invalid type: number `900719925474099",
        ),
        (
            "9223372036854775808",
            "invalid value: number `9223372036854775808`, expected a whole number from -9223372036854775808 to 9223372036854775807",
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
        (
            "256",
            "invalid value: number `256`, expected a whole number from 0 to 255",
        ),
        (
            "-1",
            "invalid value: number `-1`, expected a whole number from 0 to 255",
        ),
        (
            "256.0",
            "invalid value: number `256`, expected a whole number from 0 to 255",
        ),
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

#[tokio::test]
async fn numbers_that_were_not_wrong_stay_as_they_were_written() {
    let answer = ask_only::<Several>(
        r#"{"n":30.0,"ratio":-0.0,"list":[],"text":"2.0","any":[1.0,-0.0,1e2,{"x":2.0}]}"#,
    );
    assert_eq!(
        answer.await.expect("30 is whole"),
        json!(r#"30 -0 [] 2.0 [1.0,-0.0,100.0,{"x":2.0}]"#)
    );
}

#[tokio::test]
async fn a_whole_float_is_an_integer_in_as_many_places_as_there_are() {
    let list = vec!["3.0"; 5_000].join(",");
    let answer = ask_only::<Several>(&format!(
        r#"{{"n":1.0,"ratio":0.5,"list":[{list}],"text":"","any":null}}"#
    ))
    .await
    .expect("each is whole");
    assert_eq!(
        answer.as_str().map(|text| text.matches('3').count()),
        Some(5_000)
    );
}

#[tokio::test]
async fn integers_of_128_bits_keep_each_digit() {
    for (signed, unsigned, read) in [
        ("1", "2", "1 2"),
        ("-5.0", "3e0", "-5 3"),
        (
            "-170141183460469231731687303715884105728",
            "340282366920938463463374607431768211455",
            "-170141183460469231731687303715884105728 340282366920938463463374607431768211455",
        ),
        (
            "-170141183460469231731687303715884105728.0",
            "18446744073709551616.00",
            "-170141183460469231731687303715884105728 18446744073709551616",
        ),
    ] {
        let text = format!(r#"{{"signed":{signed},"unsigned":{unsigned}}}"#);
        let answer = ask_only::<Wide>(&text).await;
        assert_eq!(answer.expect("whole"), json!(read), "{text}");
    }
    let text = r#"{"signed":0.5,"unsigned":340282366920938463463374607431768211456}"#;
    let (path, _) = refusal(ask_only::<Wide>(text).await.expect_err("no whole number"));
    assert_eq!(path, "signed");
}

#[tokio::test]
async fn a_whole_float_is_an_integer_where_serde_buffers_it() {
    let answer = ask_only::<Buffered>(
        r#"{
            "steps": [
                {"kind":"wait","seconds":1.0,"note":null},
                {"kind":"stop"},
                {"kind":"wait","seconds":2e0,"note":"3.0"}
            ],
            "page": {"limit":9.0,"more":"2.0"},
            "key": [4.0, 5],
            "free": [6.0]
        }"#,
    );
    assert_eq!(
        answer.await.expect("each is whole"),
        json!(r#"wait 1 null; stop; wait 2 "3.0"; page 9 {"more": String("2.0")}; [4, 5]; [6.0]"#)
    );
    let answer = ask_only::<Buffered>(r#"{"steps":[],"key":-0.0,"free":7.0}"#);
    assert_eq!(answer.await.expect("whole"), json!("0; 7.0"));
    let error =
        ask_only::<Buffered>(r#"{"steps":[{"kind":"wait","seconds":0.5,"note":1.0}],"free":7.0}"#);
    let (path, message) = refusal(error.await.expect_err("half a second"));
    assert_eq!(path, "steps[0]");
    assert_eq!(
        message,
        "invalid type: number `0.5`, expected a whole number from 0 to 4294967295"
    );
}

#[tokio::test]
async fn a_text_is_a_scalar_where_the_tool_opted_in() {
    let answer = ask_only::<Lenient>(
        r#"{"n":" 30.0 ","wide":"340282366920938463463374607431768211455","ratio":"2.50","on":"true","text":"7","free":"8"}"#,
    );
    assert_eq!(
        answer.await.expect("each says a scalar"),
        json!(r#"30 Some(340282366920938463463374607431768211455) 2.5 true 7 "8""#)
    );
    for (n, on) in [
        ("\"30.5\"", "true"),
        ("\"x\"", "true"),
        ("\"\"", "true"),
        ("1", "\"yes\""),
        ("1", "\"1\""),
    ] {
        let text = format!(r#"{{"n":{n},"ratio":1,"on":{on},"text":"","free":0}}"#);
        let (path, message) = refusal(ask_only::<Lenient>(&text).await.expect_err("no scalar"));
        assert_eq!(path, if on == "true" { "n" } else { "on" });
        assert!(message.starts_with("invalid type: text \""), "{message}");
    }
}

#[tokio::test]
async fn a_number_beyond_the_widest_range_is_told_with_its_digits() {
    for (written, shown) in [
        ("18446744073709551616", "18446744073709551616"),
        ("18446744073709551616.0", "18446744073709551616"),
        ("1e20", "100000000000000000000"),
    ] {
        let error = ask_only::<Unsigned>(&format!(r#"{{"n":{written}}}"#)).await;
        let (_, message) = refusal(error.expect_err(written));
        assert_eq!(
            message,
            format!(
                "invalid value: number `{shown}`, expected a whole number from 0 to 18446744073709551615"
            )
        );
    }
}

#[tokio::test]
async fn what_is_too_large_for_a_float_is_not_made_infinity() {
    for (number, answer) in [("3.4028234663852886e38", 3.402_823_5e38), ("-1", -1.0)] {
        let given = ask_only::<Narrow>(&format!(r#"{{"n":{number}}}"#)).await;
        assert_eq!(given.expect(number).as_f64(), Some(answer), "{number}");
    }
    for number in ["1e39", "-1e39", "3.5e38"] {
        let error = ask_only::<Narrow>(&format!(r#"{{"n":{number}}}"#)).await;
        let (path, message) = refusal(error.expect_err(number));
        assert_eq!(path, "n");
        assert!(message.contains("at most 3.4e38 in size"), "{message}");
    }
}
