//! What a model is forgiven, value by value, where the type is known that is due.
//!
//! JSON has one kind of number, so `30.0`, `3e1` and `-0` are whole numbers; and `"30"` is one
//! where a tool opts in. The digits are taken from the text: a float has lost some by the time
//! that serde shows it. Nothing else is touched.

use std::cell::Cell;
use std::fmt;
use std::io;
use std::ops::Range;

use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};

use super::strict::Strict;

/// The text that is read, and how far reading has come.
pub(super) struct Forgiven<'t> {
    pub(super) text: &'t str,
    pub(super) read: &'t Cell<usize>,
    pub(super) coerce_strings: bool,
}

/// A text that says how far it was read: one byte beyond a number, where it is seen to end.
pub(super) struct Counted<'t> {
    pub(super) text: &'t str,
    pub(super) read: &'t Cell<usize>,
}

impl io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.text.as_bytes().get(self.read.get()..);
        let length = left.unwrap_or_default().read(buffer)?;
        self.read.set(self.read.get() + length);
        Ok(length)
    }
}

/// The kind of value that a visitor waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    Bool,
    /// An integer of 64 bits or fewer.
    Whole,
    /// An integer of 128 bits.
    Wide,
    Float,
}

/// The visitor of a scalar.
pub(super) struct Scalar<'s, V> {
    inner: Strict<'s, V>,
    forgiven: &'s Forgiven<'s>,
    due: Due,
}

impl<'s, V> Scalar<'s, V> {
    pub(super) fn new(inner: Strict<'s, V>, forgiven: &'s Forgiven<'s>, due: Due) -> Self {
        Self {
            inner,
            forgiven,
            due,
        }
    }
}

impl<'de, V: Visitor<'de>> Scalar<'_, V> {
    fn is_whole_due(&self) -> bool {
        matches!(self.due, Due::Whole | Due::Wide)
    }

    /// Gives the visitor the whole number that has these digits.
    fn whole<E: Error>(self, digits: &str) -> Result<V::Value, E> {
        if let Ok(number) = digits.parse::<u64>() {
            return self.inner.visit_u64(number);
        }
        if let Ok(number) = digits.parse::<i64>() {
            return self.inner.visit_i64(number);
        }
        if self.due == Due::Wide {
            if let Ok(number) = digits.parse::<u128>() {
                return self.inner.visit_u128(number);
            }
            if let Ok(number) = digits.parse::<i128>() {
                return self.inner.visit_i128(number);
            }
        }
        let number = format!("integer `{digits}`");
        Err(E::invalid_value(Unexpected::Other(&number), &self))
    }
}

macro_rules! visit_as_it_is {
    ($($method:ident: $type:ty)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Scalar<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit_as_it_is! {
        visit_bool: bool
        visit_i64: i64
        visit_u64: u64
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        let Forgiven { text, read, .. } = *self.forgiven;
        let digits = number_before(text, read.get())
            .and_then(|range| text.get(range))
            .filter(|number| self.is_whole_due() && number.parse() == Ok(value))
            .and_then(as_integer);
        match digits {
            Some(digits) => self.whole(&digits),
            None => self.inner.visit_f64(value),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        if !self.forgiven.coerce_strings {
            return self.inner.visit_str(text);
        }
        let inner = text.trim_ascii();
        match self.due {
            Due::Bool => match inner.parse() {
                Ok(value) => self.inner.visit_bool(value),
                Err(_) => self.inner.visit_str(text),
            },
            Due::Whole | Due::Wide => match as_integer(inner) {
                Some(digits) => self.whole(&digits),
                None => self.inner.visit_str(text),
            },
            Due::Float => match serde_json::from_str(inner) {
                Ok(value) => self.inner.visit_f64(value),
                Err(_) => self.inner.visit_str(text),
            },
        }
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(entries)
    }
}

const fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
}

/// Where the number is that ends at an offset, or one byte before it.
fn number_before(text: &str, read: usize) -> Option<Range<usize>> {
    let before = text.as_bytes().get(..read)?;
    let end = match before.last()? {
        byte if is_of_number(*byte) => read,
        _ => read - 1,
    };
    let digits = before[..end]
        .iter()
        .rev()
        .take_while(|byte| is_of_number(**byte))
        .count();
    (digits > 0).then(|| end - digits..end)
}

/// The text with whole numbers written as such in the value that reading had come to the end of
/// when it failed, or `None` when there are none.
///
/// serde reads some values into a buffer of its own first (an untagged or internally tagged enum,
/// a flattened field): it is there that nobody can say which of the numbers was to be whole.
pub(super) fn with_whole_numbers_before(text: &str, read: usize) -> Option<String> {
    let splice = |range: Range<usize>, with: &str| {
        format!("{}{with}{}", &text[..range.start], &text[range.end..])
    };
    if let Some(range) = number_before(text, read)
        && let Some(integer) = as_integer(&text[range.clone()])
        && integer != text[range.clone()]
    {
        return Some(splice(range, &integer));
    }
    let range = brackets_before(text, read)?;
    let changed = whole_numbers_as_integers(&text[range.clone()])?;
    Some(splice(range, &changed))
}

/// Where the object or list is whose last bracket stands before an offset.
fn brackets_before(text: &str, read: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes().get(..read)?;
    if !matches!(bytes.last()?, b'}' | b']') {
        return None;
    }
    let mut open = Vec::new();
    let mut at = 0;
    while at + 1 < read {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            byte => {
                match byte {
                    b'{' | b'[' => open.push(at),
                    b'}' | b']' => drop(open.pop()),
                    _ => {}
                }
                at += 1;
            }
        }
    }
    open.pop().map(|start| start..read)
}

/// The text with `30.0` and `3e1` written `30`, or `None` when there is nothing of the kind.
fn whole_numbers_as_integers(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut changed = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let end = bytes[at..]
                    .iter()
                    .position(|byte| !is_of_number(*byte))
                    .map_or(bytes.len(), |length| at + length);
                if let Some(integer) = as_integer(&text[at..end])
                    && integer != text[at..end]
                {
                    changed.push_str(&text[copied..at]);
                    changed.push_str(&integer);
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return None;
    }
    changed.push_str(&text[copied..]);
    Some(changed)
}

/// `30.0` and `3e1` as `30`: exactly the number that stands there, or `None`.
fn as_integer(number: &str) -> Option<String> {
    // The longest integer type has 39 digits.
    const MOST_SHIFT: i32 = 40;

    // Only what JSON takes for a number.
    serde_json::from_str::<f64>(number).ok()?;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let shift: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (sign, whole) = match whole.strip_prefix('-') {
        Some(whole) => ("-", whole),
        None => ("", whole),
    };
    if shift.abs() > MOST_SHIFT {
        return None;
    }
    let mut digits = format!("{whole}{fraction}");
    let point = usize::try_from(i32::try_from(whole.len()).ok()? + shift).unwrap_or(0);
    if digits.len() < point {
        digits.push_str(&"0".repeat(point - digits.len()));
    }
    let (integer, rest) = digits.split_at(point);
    if rest.bytes().any(|digit| digit != b'0') {
        return None;
    }
    Some(match integer.trim_start_matches('0') {
        "" => "0".to_owned(),
        integer => format!("{sign}{integer}"),
    })
}

/// The offset behind the string that begins at `start`.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_outside_strings_change() {
        assert_eq!(
            whole_numbers_as_integers(r#"{"a":30.0,"b":"1.0","c":[2e1,-4.0,0.5,-0.0,-0]}"#)
                .as_deref(),
            Some(r#"{"a":30,"b":"1.0","c":[20,-4,0.5,0,0]}"#)
        );
        assert_eq!(whole_numbers_as_integers(r#"{"a":30,"b":0.5}"#), None);
        assert_eq!(whole_numbers_as_integers("1e400"), None);
    }

    #[test]
    fn a_whole_number_is_no_other_afterwards() {
        for (number, integer) in [
            ("30", Some("30")),
            ("-0", Some("0")),
            ("-0.0", Some("0")),
            ("18446744073709551616", Some("18446744073709551616")),
            ("9007199254740993.0", Some("9007199254740993")),
            ("18446744073709551615.0", Some("18446744073709551615")),
            ("9007199254740990.5", None),
            ("9007199254740990.5e0", None),
            ("30.00000000000000000001", None),
            ("1.5e1", Some("15")),
            ("1e15", Some("1000000000000000")),
            ("1.8446744073709551615e+19", Some("18446744073709551615")),
            ("-120e-1", Some("-12")),
            ("125e-1", None),
            ("5e-9", None),
            ("0e-9", Some("0")),
            ("1e41", None),
            ("30.", None),
            ("03e1", None),
            ("", None),
        ] {
            assert_eq!(as_integer(number).as_deref(), integer, "{number}");
        }
    }

    #[test]
    fn escapes_do_not_end_a_string() {
        assert_eq!(
            whole_numbers_as_integers(r#"{"a\"1.0":1.0,"b\\":2.0}"#).as_deref(),
            Some(r#"{"a\"1.0":1,"b\\":2}"#)
        );
        // Text that stops in the middle of a string.
        assert_eq!(whole_numbers_as_integers("\"1.0\\"), None);
    }

    #[test]
    fn the_value_before_an_offset_changes_and_no_other() {
        let text = r#"{"a":1.0,"b":{"]":[2.0,{"c":3.0}],"d":4.0},"e":5.0}"#;
        for (before, changed) in [
            (
                ",\"b",
                r#"{"a":1,"b":{"]":[2.0,{"c":3.0}],"d":4.0},"e":5.0}"#,
            ),
            (
                "],\"d",
                r#"{"a":1.0,"b":{"]":[2.0,{"c":3}],"d":4.0},"e":5.0}"#,
            ),
            (",\"d", r#"{"a":1.0,"b":{"]":[2,{"c":3}],"d":4.0},"e":5.0}"#),
        ] {
            let read = text.find(before).expect("it is there");
            assert_eq!(
                with_whole_numbers_before(text, read).as_deref(),
                Some(changed),
                "{before}"
            );
        }
        assert_eq!(with_whole_numbers_before("", 0), None);
        assert_eq!(with_whole_numbers_before("{}", 9), None);
        assert_eq!(with_whole_numbers_before("}", 1), None);
        assert_eq!(with_whole_numbers_before("é", 1), None);
    }
}
