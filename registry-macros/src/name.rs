//! Names of components: the rule, and their form as an identifier.

use proc_macro2::{Ident, Span};

const MAX_LEN: usize = 64;

/// A component's name and the place that it was written at.
#[derive(Clone)]
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

/// `CodeReviewer` as a name: `code_reviewer`.
pub(crate) fn snake_case(ident: &str) -> String {
    let mut text = String::with_capacity(ident.len() + 4);
    let mut after_small = false;
    for character in ident.chars() {
        if character.is_uppercase() && after_small {
            text.push('_');
        }
        after_small = character.is_lowercase() || character.is_ascii_digit();
        text.extend(character.to_lowercase());
    }
    text
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
    use proptest::prelude::*;

    use super::*;
    use crate::registry_name::check_name;

    /// The name that an encoding came from.
    fn decode(encoded: &str) -> Option<String> {
        let mut name = String::new();
        let mut characters = encoded.chars();
        while let Some(character) = characters.next() {
            name.push(match character {
                '_' => match characters.next()? {
                    '_' => '_',
                    'd' => '.',
                    'h' => '-',
                    _ => return None,
                },
                other => other,
            });
        }
        Some(name)
    }

    proptest! {
        #[test]
        fn encodings_lead_back_to_their_name_and_are_identifiers(name in "[a-zA-Z0-9_.-]{1,64}") {
            prop_assert_eq!(problem(&name), None);
            let encoded = encode(&name);
            prop_assert_eq!(decode(&encoded), Some(name));
            let ident = format!("__callboard_tool_{encoded}");
            prop_assert!(syn::parse_str::<Ident>(&ident).is_ok(), "{}", ident);
        }

        #[test]
        fn names_of_few_characters_stay_apart(left in "[_.hd-]{1,6}", right in "[_.hd-]{1,6}") {
            prop_assert_eq!(left == right, encode(&left) == encode(&right));
        }

        #[test]
        fn any_text_is_a_name_here_if_it_is_one_at_run_time(name in "\\PC{0,70}") {
            prop_assert_eq!(problem(&name).is_none(), check_name(&name).is_ok());
        }

        #[test]
        fn nearly_a_name_is_one_here_if_it_is_one_at_run_time(name in "[a-z_. -/é]{0,66}") {
            prop_assert_eq!(problem(&name).is_none(), check_name(&name).is_ok());
        }
    }

    #[test]
    fn names_at_the_edges_are_names_here_if_they_are_at_run_time() {
        let most = "a".repeat(MAX_LEN);
        let over = "a".repeat(MAX_LEN + 1);
        let wide = "é".repeat(33);
        for name in [
            "", "a", "A", "9", "_", ".", "-", "..", " ", " a", "a b", "a\n", "a\0", "ü", "../x",
            "a:b", "a/b", "r#a", &most, &over, &wide,
        ] {
            let at_run_time = check_name(name).is_ok();
            assert_eq!(problem(name).is_none(), at_run_time, "{name:?}");
        }
    }

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
