//! A model that a route may use, and whether it can serve a call.

use std::fmt;
use std::sync::Arc;

use super::need::Need;
use super::skip::SkipReason;
use crate::catalog::{Cost, ModelEntry, Part, Usage};
use crate::model::ChatModel;

/// A model that a route may use: its name, what is known of it, and its handle.
#[derive(Clone)]
pub struct Candidate {
    name: String,
    entry: Option<ModelEntry>,
    handle: Option<Arc<dyn ChatModel>>,
}

impl Candidate {
    pub(crate) fn new(
        name: String,
        entry: Option<ModelEntry>,
        handle: Option<Arc<dyn ChatModel>>,
    ) -> Self {
        Self {
            name,
            entry,
            handle,
        }
    }

    /// The name that the model is registered under, never an alias.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is known of the model, if anything.
    pub fn entry(&self) -> Option<&ModelEntry> {
        self.entry.as_ref()
    }

    /// What to send a conversation to, if the registry was given it.
    pub fn handle(&self) -> Option<&Arc<dyn ChatModel>> {
        self.handle.as_ref()
    }

    /// Whether the model can serve a call, and what the call costs at most: as text, with the
    /// standard service and nothing cached. There is no estimate where the need states no tokens,
    /// or the catalog no price.
    ///
    /// # Errors
    ///
    /// The first reason why it can't, in the order of [`SkipReason`]'s variants. What the catalog
    /// doesn't state counts as no.
    pub fn check(&self, need: &Need) -> Result<Option<Cost>, SkipReason> {
        let Some(entry) = self.entry() else {
            if need.asks_for_facts() {
                return Err(SkipReason::NotDescribed);
            }
            return Ok(None);
        };
        if let Some(day) = need.on
            && let Some(since) = entry.deprecation_date()
            && entry.deprecated_on(day)
        {
            return Err(SkipReason::Deprecated {
                since,
                successor: entry.successor().map(str::to_owned),
            });
        }
        entry
            .fits(need.prompt_tokens, need.output_tokens)
            .map_err(SkipReason::DoesNotFit)?;
        entry
            .satisfies(&need.capabilities)
            .map_err(SkipReason::Unsatisfied)?;
        if !need.states_tokens() {
            // No tokens are within every budget, and no call has none.
            return match need.budget {
                Some(_) => Err(SkipReason::NoTokens),
                None => Ok(None),
            };
        }
        let usage = Usage::new()
            .with(Part::Input, need.prompt_tokens)
            .with(Part::Output, need.output_tokens);
        let cost = match need.on {
            Some(day) => entry.cost_on(&usage, day),
            None => entry.cost(&usage),
        };
        let Some(budget) = need.budget else {
            return Ok(cost.ok());
        };
        let cost = cost.map_err(SkipReason::Unpriced)?;
        if cost.picodollars() > budget {
            return Err(SkipReason::OverBudget {
                cost: cost.picodollars(),
                budget,
            });
        }
        Ok(Some(cost))
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate")
            .field("name", &self.name)
            .field("entry", &self.entry().map(ModelEntry::key))
            .field("handle", &self.handle)
            .finish()
    }
}
