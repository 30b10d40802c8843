//! The models that this program would use, and the kinds of work that it has for them.
//!
//! Facts only: the workbench replays what was recorded, and talks to nobody.

use callboard::{model, router};

/// Everyday work, with tools.
#[model(catalog = "openai/gpt-4o", tags("openai"))]
pub(crate) struct Gpt4o;

/// Long prompts, and pictures.
#[model(catalog = "anthropic/claude-sonnet-4-6", tags("anthropic"))]
pub(crate) struct Sonnet;

/// Much text for little money.
#[model(catalog = "gemini/gemini-3.1-flash-lite", tags("google"))]
pub(crate) struct FlashLite;

/// Runs in the house, and is in no catalog.
#[model(
    provider = "house",
    id = "coder-14b",
    context = 32_000,
    output = 8_000,
    supports(streaming, tool_calling),
    prices(input = 0, output = 0)
)]
pub(crate) struct Coder;

/// What the workbench asks models for.
#[router]
pub(crate) enum Work {
    /// Answers with the tools of the board.
    #[route(requires(tool_calling), model = Coder, fallbacks(Gpt4o, Sonnet))]
    Chat,
    /// Reads a whole repository at once.
    #[route(requires(tool_calling), model = Sonnet, min_context = 500_000, fallbacks(FlashLite))]
    Survey,
    /// Looks at a screenshot.
    #[route(requires(tool_calling, vision), model = Gpt4o, fallbacks(Sonnet))]
    Look,
}
