//! What a call costs, exactly.

use std::fmt;

use super::{Date, ModelEntry, Part, Prices, Rates, ServiceTier, Usage};

impl ModelEntry {
    /// What a call with this usage costs, by the price list without a date.
    ///
    /// - Each part costs its tokens times its own price. Parts don't overlap, so cached tokens
    ///   aren't billed again as input, and reasoning isn't billed again as output.
    /// - Reasoning without a price of its own costs as output; image and video input as input.
    ///   Nothing else is assumed.
    /// - A prompt above a tier's threshold moves the whole call to the tier's prices, the answer
    ///   too. Exactly at the threshold it doesn't. Cached tokens count toward the prompt's size.
    /// - Batch, flex and priority have price lists of their own. What such a list doesn't state
    ///   isn't taken from the standard one.
    ///
    #[cfg_attr(feature = "catalog", doc = "```")]
    #[cfg_attr(not(feature = "catalog"), doc = "```ignore")]
    /// use callboard::catalog::{ModelCatalog, Part, Usage};
    ///
    /// let gpt_4o = ModelCatalog::seed().get("openai", "gpt-4o").unwrap();
    /// let usage = Usage::new()
    ///     .with(Part::Input, 86)
    ///     .with(Part::CacheRead, 1_920)
    ///     .with(Part::Output, 300);
    /// let cost = gpt_4o.cost(&usage)?;
    /// assert_eq!(cost.picodollars(), 86 * 2_500_000 + 1_920 * 1_250_000 + 300 * 10_000_000);
    /// assert_eq!(cost.to_string(), "$0.005615");
    /// # Ok::<(), callboard::catalog::Unpriced>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a part that has tokens has no stated price, with every such part. A stated price of 0
    /// is a price.
    pub fn cost(&self, usage: &Usage) -> Result<Cost, Unpriced> {
        self.cost_from(usage, None)
    }

    /// What a call with this usage costs on a day, by the price list that holds then.
    ///
    /// A dated price list replaces the one before it as a whole, so what it doesn't state isn't
    /// known from that day on.
    ///
    /// # Errors
    ///
    /// As [`cost`](Self::cost).
    pub fn cost_on(&self, usage: &Usage, day: Date) -> Result<Cost, Unpriced> {
        let from = self
            .rates()
            .filter_map(|rate| rate.from)
            .filter(|from| *from <= day)
            .max();
        self.cost_from(usage, from)
    }

    /// What a call of this size costs at most, with the standard service and nothing cached.
    ///
    /// # Errors
    ///
    /// As [`cost`](Self::cost).
    pub fn estimate(&self, prompt_tokens: u64, max_output: u64) -> Result<Cost, Unpriced> {
        let usage = Usage::new()
            .with(Part::Input, prompt_tokens)
            .with(Part::Output, max_output);
        self.cost(&usage)
    }

    fn cost_from(&self, usage: &Usage, from: Option<Date>) -> Result<Cost, Unpriced> {
        let prices = prices(self.rates(), from, usage);
        let mut cost = Cost {
            lines: [None; Part::COUNT],
        };
        let mut unpriced = Vec::new();
        for (line, (part, tokens)) in cost.lines.iter_mut().zip(usage.iter()) {
            match prices.get(part) {
                Some(price) => {
                    *line = Some(CostLine {
                        part,
                        tokens,
                        price,
                    });
                }
                None => unpriced.push(UnpricedPart { part, tokens }),
            }
        }
        if unpriced.is_empty() {
            return Ok(cost);
        }
        Err(Unpriced {
            model: self.key().to_owned(),
            service: usage.service(),
            parts: unpriced,
        })
    }
}

/// The prices of a usage: for each part, that of the highest tier which the prompt reaches and
/// which states one.
fn prices(rates: Rates<'_>, from: Option<Date>, usage: &Usage) -> Prices {
    let prompt = usage.prompt_tokens();
    rates
        .filter(|rate| rate.from == from && rate.service == usage.service())
        .filter(|rate| rate.above == 0 || prompt > u64::from(rate.above))
        .fold(Prices::NOT_STATED, |prices, rate| {
            usage.iter().fold(prices, |prices, (part, _)| {
                // The stand-in of the same row goes before the part's own price in a lower one: a
                // tier that raises output raises reasoning with it.
                let stand_in = || rate.prices.get(part.priced_as()?);
                match rate.prices.get(part).or_else(stand_in) {
                    Some(price) => prices.with(part, Some(price)),
                    None => prices,
                }
            })
        })
}

/// What a call costs: a line for each part that has tokens.
///
/// Amounts are whole picodollars (10⁻¹² USD), and exact. It displays in dollars: `$0.005615`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cost {
    lines: [Option<CostLine>; Part::COUNT],
}

impl Cost {
    /// The lines, in the order of [`Part::ALL`].
    pub fn lines(&self) -> impl Iterator<Item = &CostLine> {
        self.lines.iter().flatten()
    }

    /// The sum of all lines, in picodollars.
    #[must_use]
    pub fn picodollars(&self) -> u128 {
        // Prices are at most `MAX_PRICE`, so that twelve full lines stay below `u128::MAX`.
        self.lines()
            .fold(0, |sum: u128, line| sum.saturating_add(line.picodollars()))
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&dollars(self.picodollars()))
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lines()).finish()
    }
}

/// One part of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CostLine {
    /// The part.
    pub part: Part,
    /// How many tokens.
    pub tokens: u64,
    /// Picodollars per token.
    pub price: u64,
}

impl CostLine {
    /// Tokens times price, in picodollars.
    #[must_use]
    pub const fn picodollars(&self) -> u128 {
        self.tokens as u128 * self.price as u128
    }
}

impl fmt::Display for CostLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, tokens, .. } = self;
        write!(
            f,
            "{part}: {tokens} tokens, {}",
            dollars(self.picodollars())
        )
    }
}

/// An exact amount in dollars, with at least cents.
pub(crate) fn dollars(picodollars: u128) -> String {
    const DOLLAR: u128 = 1_000_000_000_000;
    let mut text = format!("${}.{:012}", picodollars / DOLLAR, picodollars % DOLLAR);
    let zeros = text.len() - text.trim_end_matches('0').len();
    text.truncate(text.len() - zeros.min(10));
    text
}

/// A usage with parts that the catalog states no price for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unpriced {
    /// The model's key.
    pub model: String,
    /// The service that the call was made with.
    pub service: ServiceTier,
    /// Every part that has tokens and no price, in the order of [`Part::ALL`].
    pub parts: Vec<UnpricedPart>,
}

/// Tokens without a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpricedPart {
    /// The part.
    pub part: Part,
    /// How many tokens.
    pub tokens: u64,
}

impl fmt::Display for Unpriced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, service, .. } = self;
        write!(f, "{model}: no {service} price is stated for ")?;
        for (i, UnpricedPart { part, tokens }) in self.parts.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{part} ({tokens} tokens)")?;
        }
        Ok(())
    }
}

impl std::error::Error for Unpriced {}
