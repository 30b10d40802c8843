//! The facts of a model that static and loaded entries hold alike.

use std::fmt;

use super::{Capability, Date, Part, ServiceTier, Support};

/// A set of capabilities.
///
/// ```
/// use callboard::catalog::{Capability, CapabilitySet};
///
/// const NEEDED: CapabilitySet =
///     CapabilitySet::of(&[Capability::ToolCalling, Capability::Vision]);
/// assert!(NEEDED.contains(Capability::Vision));
/// assert_eq!(NEEDED.to_string(), "tool_calling, vision");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CapabilitySet(pub(crate) u32);

impl CapabilitySet {
    /// The set with nothing in it.
    pub const EMPTY: Self = Self(0);

    /// The set of these.
    #[must_use]
    pub const fn of(capabilities: &[Capability]) -> Self {
        let mut set = Self::EMPTY;
        let mut i = 0;
        while i < capabilities.len() {
            set = set.with(capabilities[i]);
            i += 1;
        }
        set
    }

    /// This set and one more.
    #[must_use]
    pub const fn with(self, capability: Capability) -> Self {
        Self(self.0 | 1 << capability as u32)
    }

    /// What is in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// What is in both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether this one is in the set.
    #[must_use]
    pub const fn contains(self, capability: Capability) -> bool {
        self.0 & 1 << capability as u32 != 0
    }

    /// Whether there is nothing in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in the set, in declaration order.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL
            .iter()
            .copied()
            .filter(move |capability| self.contains(*capability))
    }
}

impl FromIterator<Capability> for CapabilitySet {
    fn from_iter<I: IntoIterator<Item = Capability>>(capabilities: I) -> Self {
        capabilities.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Display for CapabilitySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, capability) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{capability}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for CapabilitySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// What is said of each capability: yes, no, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capabilities {
    pub(crate) yes: CapabilitySet,
    pub(crate) no: CapabilitySet,
}

impl Capabilities {
    /// Says nothing of any capability.
    pub const NOT_STATED: Self = Self {
        yes: CapabilitySet::EMPTY,
        no: CapabilitySet::EMPTY,
    };

    /// What is said of this one.
    #[must_use]
    pub const fn get(self, capability: Capability) -> Support {
        if self.yes.contains(capability) {
            Support::Yes
        } else if self.no.contains(capability) {
            Support::No
        } else {
            Support::NotStated
        }
    }

    /// The same, but with `said` of this one.
    #[must_use]
    pub const fn with(self, capability: Capability, said: Support) -> Self {
        let one = CapabilitySet::EMPTY.with(capability);
        let (mut yes, mut no) = (self.yes.without(one), self.no.without(one));
        match said {
            Support::Yes => yes = yes.union(one),
            Support::No => no = no.union(one),
            Support::NotStated => {}
        }
        Self { yes, no }
    }

    /// Those that the model is said to have.
    #[must_use]
    pub const fn yes(self) -> CapabilitySet {
        self.yes
    }

    /// Those that the model is said not to have.
    #[must_use]
    pub const fn no(self) -> CapabilitySet {
        self.no
    }
}

/// The token limits of a model, each `None` where the source states none.
///
/// `input` and `output` are separate budgets, so `output` may be the larger. Only `context` bounds
/// both: where it is stated, neither may exceed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most tokens of prompt and answer together.
    pub context: Option<u32>,
    /// The most tokens of the prompt.
    pub input: Option<u32>,
    /// The most tokens of the answer.
    pub output: Option<u32>,
}

impl Limits {
    /// States nothing.
    pub const NOT_STATED: Self = Self {
        context: None,
        input: None,
        output: None,
    };
}

/// Prices in picodollars (10⁻¹² USD) per token, `None` where not stated.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prices(pub(crate) [u64; Part::COUNT]);

/// Stands for a price that isn't stated: no valid price comes near it.
pub(crate) const UNSTATED: u64 = u64::MAX;

impl Prices {
    /// States nothing.
    pub const NOT_STATED: Self = Self([UNSTATED; Part::COUNT]);

    /// The price of this part, in picodollars per token.
    #[must_use]
    pub const fn get(&self, part: Part) -> Option<u64> {
        match self.0[part as usize] {
            UNSTATED => None,
            price => Some(price),
        }
    }

    /// The same prices with this one set, in picodollars per token.
    #[must_use]
    pub const fn with(mut self, part: Part, price: Option<u64>) -> Self {
        self.0[part as usize] = match price {
            Some(price) => price,
            None => UNSTATED,
        };
        self
    }

    /// Whether no price is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NOT_STATED
    }

    /// The stated prices, in the order of [`Part::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Part, u64)> {
        Part::ALL
            .iter()
            .filter_map(|part| Some((*part, self.get(*part)?)))
    }
}

impl Default for Prices {
    fn default() -> Self {
        Self::NOT_STATED
    }
}

impl fmt::Debug for Prices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.iter().map(|(part, price)| (part.name(), price)))
            .finish()
    }
}

/// One row of a model's price list.
///
/// A row holds for one service tier, from a day on, for prompts above a size. A row with a
/// threshold changes the prices that it states; the others continue from the row below it. When a
/// prompt is above the threshold, all of the call is billed at the row's prices, not only what
/// exceeds it: that is how every provider in the sources bills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    /// The first day on which the row holds; `None` for today's price list.
    pub from: Option<Date>,
    /// The service tier that it is for.
    pub service: ServiceTier,
    /// Holds for prompts of more tokens than this; 0 for every prompt.
    pub above: u32,
    /// The prices that the row states.
    pub prices: Prices,
}
