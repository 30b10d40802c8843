//! One model: what the catalog says of it, and the questions it answers by itself.

use std::fmt;

use super::document::{Head, Packed, unpack_rate};
#[cfg(feature = "catalog")]
use super::seed;
use super::{
    Capabilities, Capability, CapabilitySet, Date, DeclaredModel, Limits, Mode, ModelRecord, Part,
    Prices, Rate, ServiceTier, Support,
};

/// What a catalog says of one model.
///
/// The same type serves the tables that are compiled in and a catalog that is loaded. Everything
/// that a compile-time gate asks is a `const fn`.
///
/// Limits are in tokens, prices in picodollars (10⁻¹² USD) per token. What the source doesn't
/// state is `None` or [`Support::NotStated`], never 0 or no.
///
#[cfg_attr(feature = "catalog", doc = "```")]
#[cfg_attr(not(feature = "catalog"), doc = "```ignore")]
/// use callboard::catalog::{self, Capability, ModelEntry, Part};
///
/// const GPT_4O: &ModelEntry = match catalog::find("openai/gpt-4o") {
///     Some(entry) => entry,
///     None => panic!("openai/gpt-4o is not in the catalog"),
/// };
/// const _: () = assert!(GPT_4O.capability(Capability::Vision).is_yes());
///
/// assert_eq!(GPT_4O.price(Part::Input), Some(2_500_000)); // $2.50 per million
/// assert_eq!(GPT_4O.output_limit(), Some(16_384));
/// ```
#[derive(Clone)]
pub struct ModelEntry(Repr);

#[derive(Clone)]
enum Repr {
    /// A row of the tables that are compiled in.
    #[cfg(feature = "catalog")]
    Row(u32),
    Loaded(Box<Loaded>),
    Declared(&'static DeclaredModel),
}

#[derive(Clone)]
struct Loaded {
    text: String,
    head: Head,
    rates: Vec<u8>,
}

/// A piece of a text. Places come from packing, so that none is out of range.
pub(super) const fn piece(text: &str, start: usize, end: usize) -> &str {
    match text.split_at_checked(end) {
        Some((head, _)) => match head.split_at_checked(start) {
            Some((_, piece)) => piece,
            None => "",
        },
        None => "",
    }
}

impl ModelEntry {
    /// All text of the entry, in which its names are pieces.
    pub(super) const fn text(&self) -> &str {
        match &self.0 {
            #[cfg(feature = "catalog")]
            Repr::Row(row) => seed::text(*row),
            Repr::Loaded(loaded) => loaded.text.as_str(),
            Repr::Declared(declared) => declared.text(),
        }
    }

    const fn head(&self) -> Head {
        match &self.0 {
            #[cfg(feature = "catalog")]
            Repr::Row(row) => seed::head(*row),
            Repr::Loaded(loaded) => loaded.head,
            Repr::Declared(declared) => declared.head(),
        }
    }

    const fn packed_rates(&self) -> &[u8] {
        match &self.0 {
            #[cfg(feature = "catalog")]
            Repr::Row(row) => seed::rates(*row),
            Repr::Loaded(loaded) => loaded.rates.as_slice(),
            Repr::Declared(declared) => declared.rates(),
        }
    }

    pub(super) const fn provider_end(&self) -> usize {
        self.head().provider_end()
    }

    /// `provider/model-id`: unique in a catalog, and what `catalog::find` takes.
    #[must_use]
    pub const fn key(&self) -> &str {
        piece(self.text(), 0, self.head().key_end())
    }

    /// The provider: who is called, such as `openai`, `azure` or `bedrock`.
    #[must_use]
    pub const fn provider(&self) -> &str {
        piece(self.text(), 0, self.head().provider_end())
    }

    /// The model's id at the provider: what a request names. It may contain slashes.
    #[must_use]
    pub const fn id(&self) -> &str {
        piece(
            self.text(),
            self.head().provider_end() + 1,
            self.head().key_end(),
        )
    }

    /// Other ids of the model at the provider, sorted.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.text()
            .get(self.head().source_end()..)
            .unwrap_or_default()
            .split('\n')
            .filter_map(|key| key.get(self.head().provider_end() + 1..))
    }

    /// What the model does.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.head().mode()
    }

    /// The token limits as the source states them.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.head().limits()
    }

    /// The most tokens of prompt and answer together, if stated.
    #[must_use]
    pub const fn context_limit(&self) -> Option<u64> {
        widened(self.head().limits().context)
    }

    /// The most tokens of the answer, if stated.
    #[must_use]
    pub const fn output_limit(&self) -> Option<u64> {
        widened(self.head().limits().output)
    }

    /// The most tokens of the prompt, if stated: the input limit, or else the context limit.
    ///
    /// This is the window that a route's `min_context` is held against.
    #[must_use]
    pub const fn prompt_limit(&self) -> Option<u64> {
        match self.head().limits().input {
            Some(input) => Some(input as u64),
            None => widened(self.head().limits().context),
        }
    }

    /// What is said of a capability.
    #[must_use]
    pub const fn capability(&self, capability: Capability) -> Support {
        self.capabilities().get(capability)
    }

    /// What is said of all capabilities.
    #[must_use]
    pub const fn capabilities(&self) -> Capabilities {
        self.head().capabilities()
    }

    /// The price list: every stated row, sorted by `from`, `service` and `above`.
    #[must_use]
    pub const fn rates(&self) -> Rates<'_> {
        Rates(self.packed_rates())
    }

    /// The stated price of a part in picodollars per token, for a call of the standard service
    /// that is in no tier.
    #[must_use]
    pub const fn price(&self, part: Part) -> Option<u64> {
        match unpack_rate(self.packed_rates()) {
            Some((rate, _))
                if rate.from.is_none()
                    && rate.above == 0
                    && matches!(rate.service, ServiceTier::Standard) =>
            {
                rate.prices.get(part)
            }
            _ => None,
        }
    }

    /// All prices of the standard service outside tiers.
    #[must_use]
    pub fn prices(&self) -> Prices {
        Part::ALL.iter().fold(Prices::NOT_STATED, |prices, part| {
            prices.with(*part, self.price(*part))
        })
    }

    /// The first day on which the model is deprecated, if stated.
    #[must_use]
    pub const fn deprecation_date(&self) -> Option<Date> {
        self.head().deprecation_date()
    }

    /// Whether the model is deprecated on this day: on its deprecation date or later.
    ///
    /// A model without a stated date isn't. No clock is read.
    #[must_use]
    pub const fn deprecated_on(&self, day: Date) -> bool {
        match self.head().deprecation_date() {
            Some(deprecation) => day.is_on_or_after(deprecation),
            None => false,
        }
    }

    /// The `provider/model-id` to move to, if stated. It need not be in the catalog.
    #[must_use]
    pub const fn successor(&self) -> Option<&str> {
        let (start, end) = (self.head().key_end(), self.head().successor_end());
        if start == end {
            return None;
        }
        Some(piece(self.text(), start, end))
    }

    /// Where the facts come from: a web address, or the name of a source in the catalog's
    /// [provenance](super::ModelCatalog::provenance).
    #[must_use]
    pub const fn source(&self) -> &str {
        piece(
            self.text(),
            self.head().successor_end(),
            self.head().source_end(),
        )
    }

    /// Whether a call of this many tokens is within the stated limits.
    ///
    /// The prompt is held against the input limit, the answer against the output limit, and both
    /// together against the context limit, where each is stated. A prompt or an answer that no
    /// stated limit bounds does not fit, since nothing says that it does.
    ///
    /// # Errors
    ///
    /// The first limit that is exceeded or missing, with its numbers.
    pub const fn fits(&self, prompt: u64, output: u64) -> Result<(), DoesNotFit> {
        let context = self.context_limit();
        let checks = [
            (
                LimitKind::Input,
                widened(self.head().limits().input),
                prompt,
            ),
            (
                LimitKind::Output,
                widened(self.head().limits().output),
                output,
            ),
            (LimitKind::Context, context, prompt.saturating_add(output)),
        ];
        let mut i = 0;
        while i < checks.len() {
            let (limit, stated, needed) = checks[i];
            match stated {
                Some(stated) if needed > stated => {
                    return Err(DoesNotFit {
                        limit,
                        stated: Some(stated),
                        needed,
                    });
                }
                None if needed > 0 && context.is_none() && !matches!(limit, LimitKind::Context) => {
                    return Err(DoesNotFit {
                        limit,
                        stated: None,
                        needed,
                    });
                }
                _ => {}
            }
            i += 1;
        }
        Ok(())
    }

    /// Whether the model is said to have all of these capabilities.
    ///
    /// # Errors
    ///
    /// Those that it is said not to have, and those that nothing is said of.
    pub const fn satisfies(&self, needed: &CapabilitySet) -> Result<(), Unsatisfied> {
        let missing = needed.without(self.capabilities().yes);
        if missing.is_empty() {
            return Ok(());
        }
        Err(Unsatisfied {
            no: missing.intersection(self.capabilities().no),
            not_stated: missing.without(self.capabilities().no),
        })
    }

    /// The entry as a record of a snapshot.
    #[must_use]
    pub fn to_record(&self) -> ModelRecord {
        ModelRecord {
            provider: self.provider().to_owned(),
            id: self.id().to_owned(),
            aliases: self.aliases().map(str::to_owned).collect(),
            mode: self.mode(),
            limits: self.limits(),
            rates: self.rates().collect(),
            capabilities: self.capabilities(),
            deprecation_date: self.deprecation_date(),
            successor: self.successor().map(str::to_owned),
            source: self.source().to_owned(),
        }
    }

    pub(super) fn from_packed(packed: Packed) -> Self {
        Self(Repr::Loaded(Box::new(Loaded {
            text: packed.text,
            head: packed.head,
            rates: packed.rates,
        })))
    }

    /// A model that states its facts in the program.
    #[doc(hidden)]
    #[must_use]
    pub const fn declared(declared: &'static DeclaredModel) -> Self {
        Self(Repr::Declared(declared))
    }

    /// Whether the facts are those that `#[model(provider = …)]` states in the program, and not a
    /// catalog's. Its [`source`](Self::source) is then the file that it stands in.
    #[must_use]
    pub const fn is_declared(&self) -> bool {
        matches!(self.0, Repr::Declared(_))
    }

    /// A row of the tables that are compiled in.
    #[cfg(feature = "catalog")]
    pub(super) const fn row(row: u32) -> Self {
        Self(Repr::Row(row))
    }
}

impl PartialEq for ModelEntry {
    fn eq(&self, other: &Self) -> bool {
        self.head() == other.head()
            && self.text() == other.text()
            && self.packed_rates() == other.packed_rates()
    }
}

impl Eq for ModelEntry {}

/// The rows of a price list, sorted by `from`, `service` and `above`.
#[derive(Clone, Debug)]
pub struct Rates<'a>(&'a [u8]);

impl Iterator for Rates<'_> {
    type Item = Rate;

    fn next(&mut self) -> Option<Rate> {
        let (rate, rest) = unpack_rate(self.0)?;
        self.0 = rest;
        Some(rate)
    }
}

impl std::iter::FusedIterator for Rates<'_> {}

impl fmt::Debug for ModelEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelEntry")
            .field("key", &self.key())
            .field("aliases", &self.aliases().collect::<Vec<_>>())
            .field("mode", &self.mode())
            .field("limits", &self.limits())
            .field("rates", &self.rates().collect::<Vec<_>>())
            .field("capabilities", &self.capabilities())
            .field("deprecation_date", &self.deprecation_date())
            .field("successor", &self.successor())
            .field("source", &self.source())
            .finish()
    }
}

const fn widened(limit: Option<u32>) -> Option<u64> {
    match limit {
        Some(limit) => Some(limit as u64),
        None => None,
    }
}

/// Which limit a call is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// Tokens of the prompt.
    Input,
    /// Tokens of the answer.
    Output,
    /// Tokens of prompt and answer together.
    Context,
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Context => "context",
        })
    }
}

/// Why a call doesn't fit a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoesNotFit {
    /// The limit.
    pub limit: LimitKind,
    /// How many tokens it allows; `None` if the source states no limit that bounds this.
    pub stated: Option<u64>,
    /// How many the call needs.
    pub needed: u64,
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, needed, .. } = self;
        match self.stated {
            Some(stated) => write!(f, "needs {needed} tokens of {limit}; the limit is {stated}"),
            None => write!(f, "needs {needed} tokens of {limit}; no limit is stated"),
        }
    }
}

impl std::error::Error for DoesNotFit {}

/// Which needed capabilities a model isn't said to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unsatisfied {
    /// The source says that it doesn't have these.
    pub no: CapabilitySet,
    /// The source says nothing of these.
    pub not_stated: CapabilitySet,
}

impl fmt::Display for Unsatisfied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.no.is_empty() {
            write!(f, "does not support {}", self.no)?;
        }
        if !self.no.is_empty() && !self.not_stated.is_empty() {
            f.write_str("; ")?;
        }
        if !self.not_stated.is_empty() {
            write!(f, "not stated to support {}", self.not_stated)?;
        }
        Ok(())
    }
}

impl std::error::Error for Unsatisfied {}
