//! Arithmetic, by a calculator that knows units.

use callboard::{ToolCallContext, ToolFailure, tool};
use schemars::JsonSchema;
use serde::Serialize;

/// Enough for a formula; deeply nested brackets need stack.
const MOST_CHARS: usize = 200;
const MOST_CHARS_SHOWN: usize = 2_000;

/// What an expression comes to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Value {
    /// The value, with its unit; `approx.` stands before one that isn't exact.
    result: String,
    /// The value has more digits than are shown.
    truncated: bool,
}

struct StopWith<'a>(&'a ToolCallContext);

impl fend_core::Interrupt for StopWith<'_> {
    fn should_interrupt(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Calculate an expression, exactly where that is possible, and convert units.
///
/// For example `2^64 - 1`, `17.5% of 240` or `26.2 miles to km`.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "5s",
    tags("math"),
    blocking
)]
fn calculate(
    #[inject] context: &ToolCallContext,
    /// The expression.
    #[schemars(length(max = 200))]
    expression: String,
) -> Result<Value, ToolFailure> {
    if expression.chars().count() > MOST_CHARS {
        return Err(ToolFailure::new(format!(
            "the expression has more than {MOST_CHARS} characters; calculate it in parts"
        )));
    }
    let mut calculator = fend_core::Context::new();
    calculator.disable_rng();
    let result =
        fend_core::evaluate_with_interrupt(&expression, &mut calculator, &StopWith(context))
            .map_err(ToolFailure::new)?;
    let result = result.get_main_result();
    let shown: String = result.chars().take(MOST_CHARS_SHOWN).collect();
    Ok(Value {
        truncated: shown.len() < result.len(),
        result: shown,
    })
}
