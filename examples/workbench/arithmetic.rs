//! Arithmetic, by a calculator that knows units.

use std::panic::resume_unwind;
use std::thread;

use callboard::{ToolCallContext, ToolFailure, tool};
use fend_core::FendResult;
use schemars::JsonSchema;
use serde::Serialize;

/// Enough for a formula.
const MOST_CHARS: usize = 200;
/// What the most brackets that fit need, many times over: the calculator descends into each.
const STACK: usize = 64 << 20;
const MOST_CHARS_SHOWN: usize = 2_000;

/// What an expression comes to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Value {
    /// The value, with its unit; `approx.` stands before one that isn't exact.
    result: String,
    /// The value has more digits than are shown.
    truncated: bool,
}

/// What numbers, units and operators are written with. A function of one's own, which could call
/// itself without end, needs one of `:`, `=`, `\\` and `λ`, and they are not here.
fn is_arithmetic(c: char) -> bool {
    c.is_ascii_alphanumeric() || " +-*/^%!().,;_'\"&|<>°µ×÷√π²³$€£¥".contains(c)
}

struct StopWith<'a>(&'a ToolCallContext);

impl fend_core::Interrupt for StopWith<'_> {
    fn should_interrupt(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Calculate, or convert units.
///
/// Exact where that is possible. For example `2^64 - 1`, `17.5% of 240` or `26.2 miles to km`.
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
    if let Some(other) = expression.chars().find(|c| !is_arithmetic(*c)) {
        return Err(ToolFailure::new(format!(
            "{other:?} is not used in arithmetic"
        )));
    }
    let result = thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || evaluate(&expression, context))?
            .join()
            .unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    let result = result.get_main_result();
    if result.is_empty() {
        return Err(ToolFailure::new("the expression has no value"));
    }
    let shown: String = result.chars().take(MOST_CHARS_SHOWN).collect();
    Ok(Value {
        truncated: shown.len() < result.len(),
        result: shown,
    })
}

fn evaluate(expression: &str, context: &ToolCallContext) -> Result<FendResult, ToolFailure> {
    let mut calculator = fend_core::Context::new();
    calculator.disable_rng();
    fend_core::evaluate_with_interrupt(expression, &mut calculator, &StopWith(context))
        .map_err(ToolFailure::new)
}
