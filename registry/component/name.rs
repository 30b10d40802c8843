//! What a name may be, and which names are near a wrong one.

use std::fmt;

/// The most characters a name may have: what every provider can carry.
pub const MAX_NAME_LEN: usize = 64;

/// Checks a name against the rule `[a-zA-Z0-9_.-]{1,64}`.
///
/// The attributes check it while they expand; this is for names that arrive at run time.
///
/// ```
/// use callboard::{check_name, NameError};
///
/// assert_eq!(check_name("orders.find-v2"), Ok(()));
/// assert_eq!(
///     check_name("../x"),
///     Err(NameError::Character { name: "../x".into(), character: '/', position: 2 })
/// );
/// ```
pub fn check_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    for (position, character) in name.chars().enumerate().take(MAX_NAME_LEN + 1) {
        if !(character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-')) {
            return Err(NameError::Character {
                name: shorten(name),
                character,
                position,
            });
        }
    }
    if name.len() > MAX_NAME_LEN {
        return Err(NameError::TooLong {
            name: shorten(name),
            length: name.chars().count(),
        });
    }
    Ok(())
}

/// A name from outside can be of any length; an error message should not be.
pub(crate) fn shorten(name: &str) -> String {
    const SHOWN: usize = 80;
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Why a text can't be a component's name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// The name has no characters.
    Empty,
    /// The name has more than [`MAX_NAME_LEN`] characters.
    TooLong {
        /// The name, shortened when it is very long.
        name: String,
        /// How many characters it has.
        length: usize,
    },
    /// The name has a character other than `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`.
    Character {
        /// The name, shortened when it is very long.
        name: String,
        /// The first character that can't be used.
        character: char,
        /// Where it stands, counted in characters from 0.
        position: usize,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a name is empty")?,
            Self::TooLong { name, length } => write!(
                f,
                "the name {name:?} has {length} characters, and {MAX_NAME_LEN} is the most"
            )?,
            Self::Character {
                name,
                character,
                position,
            } => write!(
                f,
                "the name {name:?} has {character:?} at position {position}"
            )?,
        }
        f.write_str("; a name is 1 to 64 of a-z, A-Z, 0-9, `_`, `.` and `-`")
    }
}

impl std::error::Error for NameError {}

/// The names of `known` that someone who wrote `wanted` may have meant, nearest first, three at
/// most.
///
/// Cost is bounded whatever `wanted` is: a text longer than a name can be has no neighbours.
pub(crate) fn closest_names<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    const MOST: usize = 3;
    if wanted.len() > MAX_NAME_LEN {
        return Vec::new();
    }
    let wanted_folded = wanted.to_ascii_lowercase();
    let allowed = (wanted_folded.len() / 3).clamp(1, 4);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|name| name.len().abs_diff(wanted_folded.len()) <= allowed)
        .map(|name| (distance(&wanted_folded, &name.to_ascii_lowercase()), name))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort();
    near.truncate(MOST);
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// The Levenshtein distance of two texts, in bytes.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_the_edges_of_the_rule() {
        assert_eq!(check_name("a"), Ok(()));
        assert_eq!(check_name(&"a".repeat(64)), Ok(()));
        assert_eq!(check_name(""), Err(NameError::Empty));
        assert!(matches!(
            check_name(&"a".repeat(65)),
            Err(NameError::TooLong { length: 65, .. })
        ));
        assert!(matches!(
            check_name("naïve"),
            Err(NameError::Character {
                character: 'ï',
                position: 2,
                ..
            })
        ));
        assert!(check_name("two words").is_err());
    }

    #[test]
    fn a_huge_name_makes_a_short_message() {
        let message = check_name(&"x".repeat(1 << 20)).unwrap_err().to_string();
        assert!(message.len() < 300, "{message}");
    }

    #[test]
    fn a_typo_finds_its_neighbour() {
        let known = ["find_orders", "find_order", "cancel_order"];
        assert_eq!(
            closest_names("find_ordres", known),
            ["find_order", "find_orders"]
        );
        assert!(closest_names("weather", known).is_empty());
    }
}
