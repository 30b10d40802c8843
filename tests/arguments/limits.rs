//! Arguments that are too much, or no text at all.

use std::time::{Duration, Instant};

use callboard::{DispatchError, Registry, tool};
use serde_json::{Value, json};

use crate::common::{ask, ctx, refusal, sealed};

#[tool]
fn echo(text: Value) -> Value {
    text
}

#[tool]
fn length(text: String) -> usize {
    text.len()
}

fn registry() -> Registry {
    sealed(|reg| {
        reg.register_tool::<Echo>()?.register_tool::<Length>()?;
        Ok(())
    })
}

/// The refusal of `text`, promptly; the registry then serves the next call.
async fn refused_promptly(name: &str, bytes: &[u8]) -> (String, String) {
    let registry = registry();
    let begun = Instant::now();
    let error = registry
        .dispatch_bytes(name, bytes, &ctx())
        .await
        .expect_err("it is refused");
    assert!(begun.elapsed() < Duration::from_secs(5));
    let shown = error.for_model();
    assert!(shown.chars().count() < 1000, "{} bytes", shown.len());
    assert!(error.to_string().chars().count() < 1000);
    let next = ask::<Length>(&registry, r#"{"text":"next"}"#).await;
    assert_eq!(next.expect("the registry serves"), json!(4));
    refusal(error)
}

#[tokio::test]
async fn two_hundred_levels_are_refused() {
    let text = format!(r#"{{"text":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let (path, message) = refused_promptly("echo", text.as_bytes()).await;
    assert!(path.starts_with("text[0][0]"), "{path}");
    assert!(message.starts_with("recursion limit exceeded"), "{message}");
    let text = format!(
        r#"{{"text":{}1{}}}"#,
        r#"{"a":"#.repeat(200),
        "}".repeat(200)
    );
    let (_, message) = refused_promptly("echo", text.as_bytes()).await;
    assert!(message.starts_with("recursion limit exceeded"), "{message}");
}

#[tokio::test]
async fn a_hundred_levels_are_taken() {
    let inner = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let answer = ask::<Echo>(&registry(), &format!(r#"{{"text":{inner}}}"#)).await;
    assert_eq!(answer.expect("it is read").to_string(), inner);
}

#[tokio::test]
async fn a_million_opening_brackets_overflow_no_stack() {
    let mut text = String::from(r#"{"text":"#);
    text.push_str(&"[".repeat(1_000_000));
    let (_, message) = refused_promptly("echo", text.as_bytes()).await;
    assert!(message.starts_with("recursion limit exceeded"), "{message}");
    let (_, message) = refused_promptly("echo", &[b'['; 1_000_000]).await;
    assert!(message.contains("recursion limit exceeded"), "{message}");
}

#[tokio::test]
async fn sixty_four_mebibytes_are_refused_by_their_length() {
    let text = format!(r#"{{"text":"{}"}}"#, "x".repeat(64 << 20));
    let (path, message) = refused_promptly("length", text.as_bytes()).await;
    assert_eq!(path, "");
    assert_eq!(
        message,
        format!(
            "the arguments are {} bytes long, and 1048576 is the most",
            text.len()
        )
    );
    let blank = " ".repeat(64 << 20);
    let (_, message) = refused_promptly("length", blank.as_bytes()).await;
    assert!(message.ends_with("1048576 is the most"), "{message}");
}

#[tokio::test]
async fn a_host_may_allow_more_and_less() {
    let mut reg = registry().to_builder();
    reg.set_max_argument_bytes(1 << 22);
    let wide = reg.seal().expect("it seals");
    let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(1 << 21));
    let answer = ask::<Length>(&wide, &long).await;
    assert_eq!(answer.expect("it is allowed"), json!(1 << 21));
    let mut reg = wide.to_builder();
    reg.set_max_argument_bytes(13);
    let narrow = reg.seal().expect("it seals");
    let answer = ask::<Length>(&narrow, r#"{"text":"ab"}"#).await;
    assert_eq!(answer.expect("13 bytes"), json!(2));
    let error = ask::<Length>(&narrow, r#"{"text":"abc"}"#).await;
    let (_, message) = refusal(error.expect_err("14 bytes"));
    assert_eq!(
        message,
        "the arguments are 14 bytes long, and 13 is the most"
    );
}

#[tokio::test]
async fn a_lone_surrogate_is_refused() {
    for text in [
        r#"{"text":"\ud800"}"#,
        r#"{"text":"\udc00x"}"#,
        r#"{"text":"\ud800\u0041"}"#,
    ] {
        let (path, message) = refused_promptly("length", text.as_bytes()).await;
        assert_eq!(path, "text", "{text}");
        assert!(
            message.contains("surrogate") || message.contains("hex escape"),
            "{message}"
        );
    }
    let answer = ask::<Length>(&registry(), r#"{"text":"\ud83d\ude00"}"#).await;
    assert_eq!(answer.expect("a pair is one character"), json!(4));
}

#[tokio::test]
async fn bytes_that_are_no_text_are_refused() {
    let (path, message) = refused_promptly("length", b"{\"text\":\"\xff\"}").await;
    assert_eq!(path, "");
    assert!(message.starts_with("not UTF-8: "), "{message}");
    // Cut off in the middle of a character.
    let cut = "{\"text\":\"é".as_bytes();
    let (_, message) = refused_promptly("length", &cut[..cut.len() - 1]).await;
    assert!(message.starts_with("not UTF-8: "), "{message}");
    let answer = registry()
        .dispatch_bytes("length", "{\"text\":\"é\"}".as_bytes(), &ctx())
        .await;
    assert_eq!(answer.expect("good bytes").as_json(), Some("2"));
}

#[tokio::test]
async fn bytes_that_are_no_text_tell_nothing_of_a_tool_that_is_not_there() {
    let error = registry()
        .dispatch_bytes("lengths", b"\xff", &ctx())
        .await
        .expect_err("no such tool");
    assert!(
        matches!(&error, DispatchError::UnknownTool { closest, .. } if closest == &["length"]),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_error_repeats_little_of_a_long_text() {
    let long = "y".repeat(1 << 19);
    for text in [
        format!(r#"{{"text":1,"{long}":2}}"#),
        format!(r#"{{"text":["{long}"]}}"#),
        format!(r#"{{"text":{{"{long}":1}}}}"#),
        format!(r#"{{"text":"{}\ud800"}}"#, "é".repeat(1000)),
        long.clone(),
    ] {
        let (path, message) = refused_promptly("length", text.as_bytes()).await;
        assert!(path.chars().count() <= 401, "{}", path.len());
        assert!(message.chars().count() <= 401, "{}", message.len());
    }
    let key = &long[..1 << 18];
    let text = format!(r#"{{"text":{{"{key}":1,"{key}":2}}}}"#);
    let (path, message) = refused_promptly("echo", text.as_bytes()).await;
    assert!(path.starts_with("text.yyy"), "{path}");
    assert!(message.starts_with("duplicate field `yyy"), "{message}");
    assert!(path.chars().count() <= 401 && message.chars().count() <= 401);
}
