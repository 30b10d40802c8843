//! What one call needs of a model.

use crate::catalog::{Capability, CapabilitySet, Date};

/// What one call needs of a model, beyond what its route requires of every model.
///
/// What is left as it is by [`Default`] is not asked for.
///
/// ```
/// use callboard::Need;
/// use callboard::catalog::{Capability, Date};
///
/// let need = Need::default()
///     .prompt_tokens(12_000)
///     .output_tokens(1_000)
///     .capabilities([Capability::Vision])
///     .budget(50_000_000_000) // 5 cents
///     .on(Date::new(2026, 11, 30).ok_or("no such day")?);
/// assert_eq!(need.output_tokens, 1_000);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Need {
    /// The size of the prompt, in tokens.
    pub prompt_tokens: u64,
    /// The most tokens that the answer may have.
    pub output_tokens: u64,
    /// What the model must be said to be able to do.
    pub capabilities: CapabilitySet,
    /// The most that the call may cost, in picodollars (10⁻¹² USD).
    ///
    /// It is held against the cost of `prompt_tokens` and `output_tokens` as text, with the
    /// standard service and nothing cached; without tokens no model is within it.
    pub budget: Option<u128>,
    /// The day of the call. It picks the price list, and a model that is deprecated on it is
    /// skipped. Without a day, prices are those without a date, and deprecation isn't looked at:
    /// no clock is read.
    pub on: Option<Date>,
}

impl Need {
    /// Sets the size of the prompt.
    #[must_use]
    pub const fn prompt_tokens(mut self, tokens: u64) -> Self {
        self.prompt_tokens = tokens;
        self
    }

    /// Sets the most tokens that the answer may have.
    #[must_use]
    pub const fn output_tokens(mut self, tokens: u64) -> Self {
        self.output_tokens = tokens;
        self
    }

    /// Needs these capabilities too.
    #[must_use]
    pub fn capabilities(mut self, capabilities: impl IntoIterator<Item = Capability>) -> Self {
        self.capabilities = capabilities
            .into_iter()
            .fold(self.capabilities, CapabilitySet::with);
        self
    }

    /// Sets the most that the call may cost, in picodollars.
    #[must_use]
    pub const fn budget(mut self, picodollars: u128) -> Self {
        self.budget = Some(picodollars);
        self
    }

    /// Sets the day of the call.
    #[must_use]
    pub const fn on(mut self, day: Date) -> Self {
        self.on = Some(day);
        self
    }

    pub(super) const fn states_tokens(&self) -> bool {
        self.prompt_tokens > 0 || self.output_tokens > 0
    }

    /// Whether only a model of which something is known can be said to serve.
    pub(super) const fn asks_for_facts(&self) -> bool {
        self.states_tokens() || !self.capabilities.is_empty() || self.budget.is_some()
    }
}
