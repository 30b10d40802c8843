//! Names of components: the rule, and their form as an identifier.

use proc_macro2::{Ident, Span};

const MAX_LEN: usize = 64;

/// A component's name and the place that it was written at.
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// What is wrong with a name, if anything. The rule is callboard's `check_name`; a test holds the
/// two together.
pub(crate) fn problem(name: &str) -> Option<String> {
    let problem = if name.is_empty() {
        "a name is empty".to_owned()
    } else if let Some(bad) = name
        .chars()
        .find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))
    {
        format!("the name {name:?} has {bad:?}")
    } else if name.len() > MAX_LEN {
        format!(
            "the name {name:?} has {} characters, and {MAX_LEN} is the most",
            name.len()
        )
    } else {
        return None;
    };
    Some(format!(
        "{problem}; a name is 1 to {MAX_LEN} of a-z, A-Z, 0-9, `_`, `.` and `-`"
    ))
}

/// The name as the tail of an identifier. No two names have one encoding: letters and digits
/// stand for themselves, and `_` opens one of three pairs.
pub(crate) fn encode(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '_' => encoded.push_str("__"),
            '.' => encoded.push_str("_d"),
            '-' => encoded.push_str("_h"),
            other => encoded.push(other),
        }
    }
    encoded
}

/// An identifier without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

/// `find_orders` as the name of a type: `FindOrders`. `None` where nothing is left, or what is
/// left can't begin a name.
pub(crate) fn pascal_case(name: &str) -> Option<String> {
    let mut text = String::with_capacity(name.len());
    for word in name.split('_') {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            text.extend(first.to_uppercase());
            text.push_str(letters.as_str());
        }
    }
    text.chars()
        .next()
        .is_some_and(char::is_alphabetic)
        .then_some(text)
}

/// Whether a type of this name would hide one that every module has.
pub(crate) fn is_in_prelude(name: &str) -> bool {
    matches!(
        name,
        "Option"
            | "Some"
            | "None"
            | "Result"
            | "Ok"
            | "Err"
            | "String"
            | "Vec"
            | "Box"
            | "Self"
            | "Send"
            | "Sync"
            | "Sized"
            | "Copy"
            | "Clone"
            | "Drop"
            | "Default"
            | "Debug"
            | "Iterator"
            | "Into"
            | "From"
            | "TryFrom"
            | "TryInto"
            | "AsRef"
            | "AsMut"
            | "ToString"
            | "ToOwned"
            | "Fn"
            | "FnMut"
            | "FnOnce"
            | "Extend"
            | "Eq"
            | "Ord"
            | "PartialEq"
            | "PartialOrd"
            | "Future"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_stay_apart() {
        let names = [
            "a-b", "a_b", "a.b", "a_hb", "a_db", "a__b", "A-b", "add", "Add", "a_", "a", "a_d",
        ];
        for (i, left) in names.iter().enumerate() {
            for right in &names[i + 1..] {
                assert_ne!(encode(left), encode(right), "{left} {right}");
            }
        }
    }

    #[test]
    fn functions_become_types() {
        assert_eq!(pascal_case("find_orders").as_deref(), Some("FindOrders"));
        assert_eq!(pascal_case("t").as_deref(), Some("T"));
        assert_eq!(pascal_case("_v2_x").as_deref(), Some("V2X"));
        assert_eq!(pascal_case("__"), None);
        assert_eq!(pascal_case("_1"), None);
    }
}
