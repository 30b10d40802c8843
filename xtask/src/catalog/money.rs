//! From a price as it is written to whole picodollars per token.

use rust_decimal::{Decimal, RoundingStrategy};

/// A price in picodollars per token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Price {
    pub(crate) picodollars: u64,
    /// Whether the written price isn't a whole number of picodollars.
    pub(crate) rounded: bool,
}

/// Reads dollars per token, as in `2.5e-06`.
pub(crate) fn per_token(text: &str) -> Option<Price> {
    scaled(text, Decimal::from(1_000_000_000_000u64))
}

/// Reads dollars per million tokens, as in `2.5`.
pub(crate) fn per_million(text: &str) -> Option<Price> {
    scaled(text, Decimal::from(1_000_000u64))
}

/// Reads any number exactly, with an exponent or without.
pub(crate) fn number(text: &str) -> Option<Decimal> {
    if text.contains(['e', 'E']) {
        Decimal::from_scientific(text).ok()
    } else {
        Decimal::from_str_exact(text).ok()
    }
}

fn scaled(text: &str, factor: Decimal) -> Option<Price> {
    let exact = number(text)?.checked_mul(factor)?;
    let whole = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    Some(Price {
        picodollars: u64::try_from(whole).ok()?,
        rounded: whole != exact,
    })
}

#[cfg(test)]
mod tests {
    use super::{Price, per_million, per_token};

    #[test]
    fn prices_are_read_from_their_text() {
        let exact = |picodollars| {
            Some(Price {
                picodollars,
                rounded: false,
            })
        };
        assert_eq!(per_token("2.5e-06"), exact(2_500_000));
        assert_eq!(per_token("0.0"), exact(0));
        assert_eq!(per_token("0"), exact(0));
        assert_eq!(per_token("5.00003e-06"), exact(5_000_030));
        assert_eq!(per_token("0.00045"), exact(450_000_000));
        assert_eq!(per_million("0.075"), exact(75_000));
        let rounded = Price {
            picodollars: 285_714,
            rounded: true,
        };
        assert_eq!(per_token("2.857142857142857e-07"), Some(rounded));
        assert_eq!(per_token("-1e-06"), None);
        assert_eq!(per_token("cheap"), None);
    }
}
