//! From the text that a model wrote to typed arguments.

use std::cell::Cell;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::call::ToolCall;
use super::error::DispatchError;
use super::strict::{self, Strict, UniqueKeys};
use super::unwind;

/// The bounds on what a model may send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArgumentLimits {
    /// The most bytes of one call's arguments.
    pub(crate) bytes: usize,
}

impl Default for ArgumentLimits {
    fn default() -> Self {
        Self { bytes: 1 << 20 }
    }
}

/// The text to decode: models send nothing for a tool without parameters.
pub(super) fn given(text: &str) -> &str {
    match text.trim_ascii() {
        "" => "{}",
        trimmed => trimmed,
    }
}

/// Decodes a call's text in one pass; only what fails is looked at again.
pub(super) fn arguments<T: DeserializeOwned>(
    call: ToolCall<'_>,
    coerce_strings: bool,
) -> Result<T, DispatchError> {
    let tool = call.tool();
    let text = given(call.json);
    let most = call.table.rules.limits.bytes;
    if call.json.len() > most {
        return Err(too_long(tool, call.json.len(), most));
    }
    // serde reads a struct from an array too; a schema doesn't.
    if !text.starts_with('{') {
        return Err(not_an_object(tool, text));
    }
    unwind::catch(tool, || match strict::read(text) {
        Ok(arguments) => Ok(arguments),
        Err(_) => repaired(text, coerce_strings)
            .map_err(|fault| invalid(tool, &fault.path, fault.message)),
    })?
}

#[cold]
fn too_long(tool: &str, length: usize, most: usize) -> DispatchError {
    let message = format!("the arguments are {length} bytes long, and {most} is the most");
    invalid(tool, "", message)
}

#[cold]
fn not_an_object(tool: &str, text: &str) -> DispatchError {
    let message = match serde_json::from_str::<Value>(text) {
        Err(error) => format!("not JSON: {error}"),
        Ok(value) => format!(
            "arguments are a JSON object, and this is {}",
            name_of(&value)
        ),
    };
    invalid(tool, "", message)
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

pub(super) fn invalid(tool: &str, path: &str, message: String) -> DispatchError {
    DispatchError::InvalidArguments {
        tool: tool.to_owned(),
        path: path.to_owned(),
        message,
    }
}

/// What is wrong, and where.
struct Fault {
    path: String,
    message: String,
    /// The offset just behind a string that stands where something else is due.
    behind_string: Option<usize>,
}

/// Decodes what failed once, with what a model may be forgiven: `30.0` where an integer is due
/// (JSON has one kind of number), and `"30"` where the tool opted in.
///
/// It works on the text, so that nothing else is lost on the way: repeated keys are still
/// refused, and large integers still exact.
#[cold]
fn repaired<T: DeserializeOwned>(text: &str, coerce_strings: bool) -> Result<T, Fault> {
    // Bounds the work on arguments that are wrong all over: how often they are read again, and
    // how many bytes that may come to.
    const MOST_STRINGS: usize = 64;
    const MOST_BYTES: usize = 4 << 20;

    let mut fault = match traced(text) {
        Ok(arguments) => return Ok(arguments),
        Err(fault) => fault,
    };
    let mut text = text.to_owned();
    for round in 0..=MOST_STRINGS {
        if round * text.len() > MOST_BYTES {
            break;
        }
        if let Some(changed) = whole_numbers_as_integers(&text) {
            text = changed;
            match traced(&text) {
                Ok(arguments) => return Ok(arguments),
                Err(next) => fault = next,
            }
        }
        match fault.behind_string.and_then(|end| unquoted(&text, end)) {
            Some(changed) if coerce_strings => text = changed,
            _ => break,
        }
        match traced(&text) {
            Ok(arguments) => return Ok(arguments),
            Err(next) => fault = next,
        }
    }
    Err(fault)
}

/// Decodes with a record of where in the arguments it is.
fn traced<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let open = Cell::new(false);
    let arguments = traced_once(text, &open)?;
    if open.get() {
        traced_once::<UniqueKeys>(text, &open)?;
    }
    Ok(arguments)
}

fn traced_once<T: DeserializeOwned>(text: &str, open: &Cell<bool>) -> Result<T, Fault> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize(Strict::new(&mut deserializer, open)) {
        Ok(arguments) => match deserializer.end() {
            Ok(()) => Ok(arguments),
            Err(error) => Err(fault(text, String::new(), &error)),
        },
        Err(error) => {
            let path = error.path().to_string();
            // `.` is the whole, and `?` a place between two values.
            let path = if matches!(path.as_str(), "." | "?") {
                String::new()
            } else {
                path
            };
            Err(fault(text, path, error.inner()))
        }
    }
}

fn fault(text: &str, mut path: String, error: &serde_json::Error) -> Fault {
    let mut message = error.to_string();
    if error.is_data() {
        // The path says where; a line and a column of a text that nobody sees don't.
        if let Some(end) = message.rfind(" at line ") {
            message.truncate(end);
        }
    }
    for opening in ["missing field `", "duplicate field `"] {
        if let Some(name) = message
            .strip_prefix(opening)
            .and_then(|rest| rest.split('`').next())
        {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
    }
    let behind_string = message
        .starts_with("invalid type: string")
        .then(|| offset(text, error.line(), error.column()))
        .flatten();
    Fault {
        path: clipped(path),
        message: clipped(message),
        behind_string,
    }
}

/// An error repeats what the model wrote, which can be long.
pub(super) fn clipped(mut text: String) -> String {
    const MOST: usize = 400;
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The byte offset of a line and column as serde_json counts them.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(newlines) => text.match_indices('\n').nth(newlines)?.0 + 1,
    };
    Some(start + column)
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
                    .position(|byte| {
                        !matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
                    })
                    .map_or(bytes.len(), |length| at + length);
                if let Some(integer) = as_integer(&text[at..end]) {
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

    if !number.contains(['.', 'e', 'E']) || serde_json::from_str::<f64>(number).is_err() {
        return None;
    }
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

/// The text without the quotes of the string that ends at `end`, when what stands between them
/// is a number or a boolean.
fn unquoted(text: &str, end: usize) -> Option<String> {
    let before = text.get(..end)?.strip_suffix('"')?;
    let start = before.rfind('"')?;
    let inner = before[start + 1..].trim_ascii();
    let scalar: Value = serde_json::from_str(inner).ok()?;
    (scalar.is_number() || scalar.is_boolean())
        .then(|| format!("{}{inner}{}", &text[..start], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_outside_strings_change() {
        assert_eq!(
            whole_numbers_as_integers(r#"{"a":30.0,"b":"1.0","c":[2e1,-4.0,0.5,-0.0]}"#).as_deref(),
            Some(r#"{"a":30,"b":"1.0","c":[20,-4,0.5,0]}"#)
        );
        assert_eq!(whole_numbers_as_integers(r#"{"a":30,"b":0.5}"#), None);
        assert_eq!(whole_numbers_as_integers("1e400"), None);
    }

    #[test]
    fn a_whole_number_is_no_other_afterwards() {
        for (number, integer) in [
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
        ] {
            assert_eq!(
                whole_numbers_as_integers(number).as_deref(),
                integer,
                "{number}"
            );
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
    fn quotes_are_taken_from_numbers_and_booleans_alone() {
        assert_eq!(unquoted(r#"{"n":"30"}"#, 9).as_deref(), Some(r#"{"n":30}"#));
        assert_eq!(
            unquoted(r#"{"n":"true"}"#, 11).as_deref(),
            Some(r#"{"n":true}"#)
        );
        assert_eq!(unquoted(r#"{"n":"x"}"#, 8), None);
        assert_eq!(unquoted(r#"{"n":"null"}"#, 11), None);
        assert_eq!(unquoted(r#"{"n":30}"#, 7), None);
        assert_eq!(unquoted("", 9), None);
    }
}
