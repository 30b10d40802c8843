//! What is checked of models while the program compiles: a gate that isn't passed is a text, which
//! generated code panics with in a constant, at the word that the user wrote.

use super::ModelDescriptor;
use crate::catalog::{Capability, Date, DeclaredModel, ModelEntry, Support, equal};

/// Passed, or why not.
pub type Gate = Result<(), GateText>;

/// A message that is put together in a constant.
#[derive(Clone, Copy)]
pub struct GateText {
    bytes: [u8; Self::MOST],
    len: usize,
}

impl GateText {
    /// Names and keys are bounded, so no message comes near it.
    const MOST: usize = 2048;

    const fn new(text: &str) -> Self {
        Self {
            bytes: [0; Self::MOST],
            len: 0,
        }
        .and(text)
    }

    const fn and(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if text.len() > Self::MOST - self.len {
            return self;
        }
        let mut i = 0;
        while i < text.len() {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    const fn and_number(self, number: u64) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let before = if number >= 10 {
            self.and_number(number / 10)
        } else {
            self
        };
        before.and(DIGITS[(number % 10) as usize])
    }

    const fn and_date(self, date: Date) -> Self {
        const fn two_digits(text: GateText, number: u8) -> GateText {
            let text = if number < 10 {
                text.and("-0")
            } else {
                text.and("-")
            };
            text.and_number(number as u64)
        }
        let text = self.and_number(date.year() as u64);
        two_digits(two_digits(text, date.month()), date.day())
    }

    /// `the model `name` (provider/id)`.
    const fn and_model(self, model: &ModelDescriptor) -> Self {
        self.and("the model `")
            .and(model.name())
            .and("` (")
            .and(model.entry().key())
            .and(")")
    }

    pub const fn as_str(&self) -> &str {
        // Whole texts one after the other.
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "a gate was not passed",
        }
    }
}

/// Stands for a model whose key is not in the catalog, which is an error of its own: every other
/// gate lets it pass.
pub static UNKNOWN_MODEL: ModelEntry = ModelEntry::declared(&DeclaredModel::UNKNOWN);

const fn is_unknown(entry: &ModelEntry) -> bool {
    entry.key().is_empty()
}

/// The entry with this key of the catalog that is compiled in.
#[cfg(feature = "catalog")]
pub const fn catalogued(key: &str) -> Result<&'static ModelEntry, GateText> {
    if let Some(entry) = crate::catalog::find(key) {
        return Ok(entry);
    }
    let text = GateText::new("the catalog has no model `")
        .and(key)
        .and("`");
    Err(match crate::catalog::nearest(key) {
        Some(nearest) => text.and("; is it `").and(nearest.key()).and("`?"),
        None => text.and("."),
    }
    .and(
        " A model that is in no catalog states its facts itself: `#[model(provider = \"…\", id = \"…\", context = …)]`",
    ))
}

#[cfg(not(feature = "catalog"))]
pub const fn catalogued(_key: &str) -> Result<&'static ModelEntry, GateText> {
    Err(GateText::new(
        "the catalog is not compiled in: switch on callboard's feature `catalog`, or state the facts with `#[model(provider = \"…\", id = \"…\", context = …)]`",
    ))
}

/// Whether the model isn't deprecated on a day: that of the catalog's newest source where none is
/// given.
pub const fn not_deprecated(entry: &ModelEntry, day: Option<Date>) -> Gate {
    let (day, given) = match day {
        Some(day) => (Some(day), true),
        #[cfg(feature = "catalog")]
        None => (crate::catalog::ModelCatalog::seed().newest_source(), false),
        #[cfg(not(feature = "catalog"))]
        None => (None, false),
    };
    let (Some(day), Some(deprecation)) = (day, entry.deprecation_date()) else {
        return Ok(());
    };
    if !day.is_on_or_after(deprecation) {
        return Ok(());
    }
    let text = GateText::new("`")
        .and(entry.key())
        .and("` is deprecated from ")
        .and_date(deprecation)
        .and(if given {
            " on, and so on "
        } else {
            " on, and the catalog is of "
        })
        .and_date(day);
    Err(match entry.successor() {
        Some(successor) => text.and("; its successor is `").and(successor).and("`"),
        None => text.and(": choose another model, or take `deny_deprecated` away"),
    })
}

/// Whether the route's model is said to have this capability.
pub const fn has_capability(route: &str, model: &ModelDescriptor, capability: Capability) -> Gate {
    let entry = model.entry();
    let said = match entry.capability(capability) {
        Support::Yes => return Ok(()),
        _ if is_unknown(entry) => return Ok(()),
        _ if entry.is_declared() => "its `#[model]` doesn't list it in `supports(…)`",
        Support::No => "the catalog says that it doesn't have it",
        Support::NotStated => "the catalog doesn't say whether it has it",
    };
    Err(GateText::new("route `")
        .and(route)
        .and("` requires `")
        .and(capability.name())
        .and("`, and ")
        .and_model(model)
        .and(" can't be taken to have it: ")
        .and(said))
}

/// Whether the route's model takes prompts of this many tokens.
pub const fn has_window(route: &str, model: &ModelDescriptor, tokens: u64) -> Gate {
    let entry = model.entry();
    let stated = entry.prompt_limit();
    if is_unknown(entry) || matches!(stated, Some(stated) if stated >= tokens) {
        return Ok(());
    }
    let text = GateText::new("route `")
        .and(route)
        .and("` needs a window of ")
        .and_number(tokens)
        .and(" tokens, and ")
        .and_model(model);
    Err(match stated {
        Some(stated) => text
            .and(" takes prompts of ")
            .and_number(stated)
            .and(" at most"),
        None if entry.is_declared() => text.and(" states none: give its `#[model]` a `context`"),
        None => text.and(" has none that the catalog states"),
    })
}

/// Whether a fallback is another model than one that comes before it.
pub const fn distinct(route: &str, earlier: &ModelDescriptor, later: &ModelDescriptor) -> Gate {
    // Types may have several names.
    if !equal(earlier.name(), later.name()) {
        return Ok(());
    }
    Err(GateText::new("route `")
        .and(route)
        .and("` tries ")
        .and_model(later)
        .and(" twice: a fallback is another model than the target and the other fallbacks"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_put_together() {
        let date = Date::new(2027, 1, 31).unwrap_or_else(|| unreachable!());
        let text = GateText::new("a")
            .and_number(0)
            .and_number(1_050)
            .and_date(date);
        assert_eq!(text.as_str(), "a010502027-01-31");
    }

    #[test]
    fn a_text_that_is_too_long_loses_its_last_pieces() {
        let text = GateText::new("a").and(&"b".repeat(GateText::MOST)).and("c");
        assert_eq!(text.as_str(), "ac");
    }
}
