#[path = "../common.rs"]
mod common;

use callboard::{FromToolCall, Requirements, State, ToolCall, ToolCallContext, ToolFailure, tool};

struct Database {
    rows: u32,
}

/// An extractor of the application's own.
struct User(String);

impl FromToolCall<'_> for User {
    type Rejection = ToolFailure;

    fn requires(requirements: &mut Requirements) {
        requirements.state::<Database>();
    }

    fn from_tool_call(call: &ToolCall<'_>) -> Result<Self, ToolFailure> {
        Ok(Self(format!("user of {}", call.tool())))
    }
}

type Db<'a> = State<'a, Database>;

#[tool]
async fn count(
    /// What a reader of the code wants to know; a model never sees it.
    #[inject]
    State(Database { rows }): State<'_, Database>,
    #[inject] db: Db<'_>,
    #[inject] _: &ToolCallContext,
    #[inject] ToolFields { name }: ToolFields,
    #[inject] missing: Option<State<'_, u8>>,
    #[inject] user: User,
    mut by: u32,
) -> String {
    by += 1;
    format!(
        "{rows} {} {name} {} {} {by}",
        db.rows,
        missing.is_none(),
        user.0
    )
}

struct ToolFields {
    name: String,
}

impl<'a> FromToolCall<'a> for ToolFields {
    type Rejection = std::convert::Infallible;

    fn from_tool_call(call: &ToolCall<'a>) -> Result<Self, Self::Rejection> {
        Ok(Self {
            name: call.tool().to_owned(),
        })
    }
}

#[tool(blocking)]
fn on_another_thread(
    #[inject] State(database): State<'_, Database>,
    #[inject] call: ToolCall<'_>,
) -> String {
    format!("{} {}", database.rows, call.tool())
}

fn main() {
    let missing = common::collect()
        .seal()
        .expect_err("there is no database")
        .to_string();
    assert!(missing.contains("Database"), "{missing}");
    assert!(!missing.contains("u8"), "{missing}");

    let mut builder = common::collect();
    builder.provide(Database { rows: 3 });
    let registry = builder.seal().expect("nothing is missing");
    assert_eq!(
        common::dispatch(&registry, "count", r#"{"by":1}"#),
        r#""3 3 count true user of count 2""#
    );
    assert_eq!(
        common::dispatch(&registry, "on_another_thread", "{}"),
        r#""3 on_another_thread""#
    );
    let schema = registry
        .tool("count")
        .expect("it is declared")
        .input_schema();
    assert_eq!(schema["required"], callboard::serde_json::json!(["by"]));
}
