//! What serde says of a value, in the words of JSON: a model writes lists and objects, and knows
//! of no `usize` and no struct.

/// What a type waits for, as serde names it and as JSON does. `*` stands for a name, and for a
/// number where there is one on the right.
const EXPECTED: &[(&str, &str)] = &[
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number of 0 or more"),
    ("u128", "a whole number of 0 or more"),
    ("usize", "a whole number of 0 or more"),
    ("i8", "a whole number from -128 to 127"),
    ("i16", "a whole number from -32768 to 32767"),
    ("i32", "a whole number from -2147483648 to 2147483647"),
    ("i64", "a whole number"),
    ("i128", "a whole number"),
    ("isize", "a whole number"),
    ("a nonzero *", "a whole number other than 0"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a boolean", "true or false"),
    ("a character", "a text of one character"),
    ("a string", "a text"),
    ("string", "a text"),
    ("a borrowed string", "a text"),
    ("str", "a text"),
    ("path string", "a text"),
    ("unit", "null"),
    ("unit struct *", "null"),
    ("option", "a value or null"),
    ("a sequence", "a list"),
    ("sequence", "a list"),
    ("a map", "an object"),
    ("map", "an object"),
    ("an array of length *", "a list of *"),
    ("a tuple of size *", "a list of *"),
    ("an empty array", "an empty list"),
    ("tuple struct * with * elements", "a list of *"),
    ("tuple variant * with * elements", "a list of *"),
    ("struct * with * elements", "a list of *"),
    ("tuple struct *", "a list"),
    ("tuple variant *", "a list"),
    ("struct variant *", "an object"),
    ("struct *", "an object"),
    (
        "newtype variant",
        "an object whose one key is the variant's name",
    ),
    (
        "struct variant",
        "an object whose one key is the variant's name",
    ),
    (
        "tuple variant",
        "an object whose one key is the variant's name",
    ),
    ("unit variant", "the variant's name alone"),
    ("variant identifier", "the name of a variant"),
    (
        "variant of enum *",
        "a variant's name, or an object whose one key it is",
    ),
    ("internally tagged enum *", "an object"),
    ("adjacently tagged enum *", "an object"),
    (
        "enum *",
        "a variant's name, or an object whose one key it is",
    ),
];

/// The ends of the widest types, for a whole number that lies beyond them.
const RANGES: &[(&str, &str)] = &[
    ("u64", "a whole number from 0 to 18446744073709551615"),
    ("usize", "a whole number from 0 to 18446744073709551615"),
    (
        "i64",
        "a whole number from -9223372036854775808 to 9223372036854775807",
    ),
    (
        "isize",
        "a whole number from -9223372036854775808 to 9223372036854775807",
    ),
];

/// What came instead, by the beginning of its name.
const FOUND: &[(&str, &str)] = &[
    ("boolean `", "`"),
    ("floating point `", "number `"),
    ("integer `", "number `"),
    ("character `", "text `"),
    ("string \"", "text \""),
    ("unit value", "null"),
    ("sequence", "a list"),
    ("map", "an object"),
    ("unit variant", "the name of a variant alone"),
    ("newtype variant", "a variant with a value"),
    ("tuple variant", "a variant with a list"),
    ("struct variant", "a variant with an object"),
];

/// The message in the words of JSON; one that is put in other words stays as it is.
pub(super) fn of_json(message: String) -> String {
    if message.starts_with("data did not match any variant of untagged enum ") {
        return "fits none of the forms that it may have".to_owned();
    }
    let Some((kind, said)) = ["invalid type: ", "invalid value: ", "invalid length "]
        .into_iter()
        .find_map(|kind| Some((kind, message.strip_prefix(kind)?)))
    else {
        return message;
    };
    // What came may hold these words too, and stands before them.
    let Some((found, expected)) = said.rsplit_once(", expected ") else {
        return message;
    };
    let ranges = if kind == "invalid value: " {
        RANGES
    } else {
        &[]
    };
    let wanted = ranges
        .iter()
        .chain(EXPECTED)
        .find_map(|(serdes, jsons)| in_place_of(expected, serdes, jsons))
        .unwrap_or_else(|| expected.to_owned());
    let came = FOUND
        .iter()
        .find_map(|(serdes, jsons)| Some(format!("{jsons}{}", found.strip_prefix(serdes)?)))
        .unwrap_or_else(|| found.to_owned());
    format!("{kind}{came}, expected {wanted}")
}

/// What stands for `expected`, if it has the form of `serdes`.
fn in_place_of(expected: &str, serdes: &str, jsons: &str) -> Option<String> {
    let mut rest = expected;
    let mut number = None;
    let mut parts = serdes.split('*');
    rest = rest.strip_prefix(parts.next()?)?;
    for part in parts {
        let length = match part {
            "" => rest.len(),
            part => rest.find(part)?,
        };
        let (stands, behind) = rest.split_at(length);
        number = stands.parse::<usize>().ok().or(number);
        rest = behind.strip_prefix(part)?;
    }
    if !rest.is_empty() {
        return None;
    }
    if !jsons.contains('*') {
        return Some(jsons.to_owned());
    }
    Some(match number? {
        1 => jsons.replace('*', "1 item"),
        number => jsons.replace('*', &format!("{number} items")),
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use super::*;

    /// What is said of a text that is no `T`, without its place.
    fn said_of<T: DeserializeOwned>(text: &str) -> String {
        let error = serde_json::from_str::<T>(text).err().expect("it is none");
        let message = error.to_string();
        let place = message.rfind(" at line").unwrap_or(message.len());
        of_json(message[..place].to_owned())
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "never read")]
    struct Item {
        price: u8,
    }

    #[derive(Debug, Deserialize)]
    struct Nothing;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "never read")]
    struct Pair(u8, u8);

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "never read")]
    enum Shape {
        Circle(f64),
        Line(u8, u8),
        Box { width: u8 },
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Stop,
    }

    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "never read")]
    enum Either {
        Number(u8),
        Flag(bool),
    }

    #[test]
    fn what_serde_says_is_said_in_the_words_of_json() {
        for (said, words) in [
            (
                said_of::<usize>("\"5\""),
                "invalid type: text \"5\", expected a whole number of 0 or more",
            ),
            (
                said_of::<u8>("256"),
                "invalid value: number `256`, expected a whole number from 0 to 255",
            ),
            (
                said_of::<i64>("18446744073709551615"),
                "invalid value: number `18446744073709551615`, expected a whole number from -9223372036854775808 to 9223372036854775807",
            ),
            (
                said_of::<i64>("0.5"),
                "invalid type: number `0.5`, expected a whole number",
            ),
            (
                said_of::<std::num::NonZeroU8>("0"),
                "invalid value: number `0`, expected a whole number other than 0",
            ),
            (
                said_of::<f64>("null"),
                "invalid type: null, expected a number",
            ),
            (
                said_of::<bool>("[1]"),
                "invalid type: a list, expected true or false",
            ),
            (
                said_of::<String>("{}"),
                "invalid type: an object, expected a text",
            ),
            (
                said_of::<char>("\"ab\""),
                "invalid value: text \"ab\", expected a text of one character",
            ),
            (said_of::<()>("true"), "invalid type: `true`, expected null"),
            (
                said_of::<Nothing>("1"),
                "invalid type: number `1`, expected null",
            ),
            (
                said_of::<Vec<u8>>("1"),
                "invalid type: number `1`, expected a list",
            ),
            (
                said_of::<std::collections::BTreeMap<String, u8>>("1"),
                "invalid type: number `1`, expected an object",
            ),
            (
                said_of::<Item>("\", expected struct Item\""),
                "invalid type: text \", expected struct Item\", expected an object",
            ),
            (
                said_of::<(u8, u8)>("[1]"),
                "invalid length 1, expected a list of 2 items",
            ),
            (
                said_of::<[u8; 1]>("[]"),
                "invalid length 0, expected a list of 1 item",
            ),
            (
                said_of::<Pair>("[1]"),
                "invalid length 1, expected a list of 2 items",
            ),
            (
                said_of::<Pair>("1"),
                "invalid type: number `1`, expected a list",
            ),
            (
                said_of::<Shape>("\"Circle\""),
                "invalid type: the name of a variant alone, expected an object whose one key is the variant's name",
            ),
            (
                said_of::<Shape>(r#"{"Line":1}"#),
                "invalid type: number `1`, expected a list",
            ),
            (
                said_of::<Shape>(r#"{"Box":1}"#),
                "invalid type: number `1`, expected an object",
            ),
            (
                said_of::<Tagged>("1"),
                "invalid type: number `1`, expected an object",
            ),
            (
                said_of::<Either>("\"x\""),
                "fits none of the forms that it may have",
            ),
        ] {
            assert_eq!(said, words);
        }
    }

    #[test]
    fn what_is_said_otherwise_stays() {
        for message in [
            "missing field `price`",
            "unknown field `struct Item`, expected `a` or `b`",
            "unknown variant `map`, expected `sequence`",
            "invalid type: string",
            "a text of one's own, expected struct Item",
            "",
        ] {
            assert_eq!(of_json(message.to_owned()), message);
        }
        // What came is still told, and what was wanted is left in the type's own words.
        assert_eq!(
            of_json("invalid type: map, expected a date such as 2026-12-01".to_owned()),
            "invalid type: an object, expected a date such as 2026-12-01"
        );
    }
}
