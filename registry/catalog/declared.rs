//! A model that is in no catalog, and that states its facts in the program.

use super::document::{Head, MAX_RATE_BYTES, pack_prices};
use super::{Capabilities, Limits, Prices};

/// What `#[model(provider = …)]` states, in the form of an entry.
#[derive(Debug)]
pub struct DeclaredModel {
    text: &'static str,
    head: Head,
    rates: [u8; MAX_RATE_BYTES],
    rates_len: usize,
}

impl DeclaredModel {
    /// Stands for a model of which nothing is known, not even its name.
    pub(crate) const UNKNOWN: Self = Self {
        text: "",
        head: Head::of_declared(0, 0, 0, Limits::NOT_STATED, Capabilities::NOT_STATED),
        rates: [0; MAX_RATE_BYTES],
        rates_len: 0,
    };

    /// `text` is the key and the source, end to end; the first two numbers say where its provider
    /// and its key end.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(
        text: &'static str,
        provider_end: u16,
        key_end: u16,
        limits: Limits,
        capabilities: Capabilities,
        prices: &Prices,
    ) -> Self {
        let (rates, rates_len) = pack_prices(prices);
        Self {
            text,
            // A longer path than a word holds is cut.
            head: Head::of_declared(provider_end, key_end, text.len(), limits, capabilities),
            rates,
            rates_len,
        }
    }

    pub(super) const fn text(&self) -> &'static str {
        self.text
    }

    pub(super) const fn head(&self) -> Head {
        self.head
    }

    pub(super) const fn rates(&self) -> &[u8] {
        match self.rates.split_at_checked(self.rates_len) {
            Some((rates, _)) => rates,
            None => &[],
        }
    }
}
