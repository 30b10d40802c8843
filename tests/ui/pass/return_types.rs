#[path = "../common.rs"]
mod common;

use callboard::{ToolFailure, tool};

#[derive(Debug, thiserror::Error)]
enum MyError {
    #[error("so it is")]
    So,
}

type Fallible<T> = Result<T, MyError>;
type Done = Result<(), MyError>;

mod named {
    /// An alias with the name of another type.
    pub type Option<T> = std::result::Result<T, super::MyError>;
}

#[tool]
async fn plain(fail: bool) -> Result<u32, MyError> {
    if fail { Err(MyError::So) } else { Ok(1) }
}

#[tool]
async fn alias() -> Fallible<u32> {
    Ok(2)
}

#[tool]
async fn alias_without_parameter() -> Done {
    Ok(())
}

#[tool]
async fn alias_called_option() -> named::Option<u32> {
    Ok(3)
}

#[tool]
async fn anyhow_result() -> anyhow::Result<u32> {
    Ok(4)
}

#[tool]
async fn io_result() -> std::io::Result<u32> {
    Ok(5)
}

#[tool]
async fn boxed() -> Result<u32, Box<dyn std::error::Error + Send + Sync>> {
    Ok(6)
}

#[tool]
async fn text() -> Result<u32, String> {
    Ok(7)
}

#[tool]
async fn static_text() -> Result<&'static str, &'static str> {
    Ok("8")
}

#[tool]
async fn failure() -> Result<u32, ToolFailure> {
    Ok(9)
}

#[tool]
async fn nothing() {}

#[tool]
async fn unit() -> () {}

#[tool]
fn maybe() -> Option<u32> {
    None
}

#[tool]
async fn result_of_option() -> Result<Option<u32>, MyError> {
    Ok(Some(10))
}

#[tool]
fn tuple() -> (u32, String) {
    (11, "b".to_owned())
}

fn main() {
    let registry = common::sealed();
    for (name, output) in [
        ("alias", "2"),
        ("alias_without_parameter", "null"),
        ("alias_called_option", "3"),
        ("anyhow_result", "4"),
        ("io_result", "5"),
        ("boxed", "6"),
        ("text", "7"),
        ("static_text", r#""8""#),
        ("failure", "9"),
        ("nothing", "null"),
        ("unit", "null"),
        ("maybe", "null"),
        ("result_of_option", "10"),
        ("tuple", r#"[11,"b"]"#),
    ] {
        assert_eq!(common::dispatch(&registry, name, "{}"), output, "{name}");
    }
    assert_eq!(
        common::dispatch(&registry, "plain", r#"{"fail":false}"#),
        "1"
    );
    let call = callboard::ToolCallContext::new("1");
    let failed = common::block_on(registry.dispatch("plain", r#"{"fail":true}"#, &call));
    assert_eq!(failed.expect_err("it fails").for_model(), "so it is");
}
