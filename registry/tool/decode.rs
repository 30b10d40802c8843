//! From the text that a model wrote to typed arguments.

use std::cell::Cell;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::call::ToolCall;
use super::error::DispatchError;
use super::forgive::{self, Counted, Forgiven};
use super::strict::{self, Pass, Strict, UniqueKeys};
use super::{unwind, words};

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
    let text = given(call.json());
    let most = call.table.rules.limits.bytes;
    if call.json().len() > most {
        return Err(too_long(tool, call.json().len(), most));
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
    /// How far the text had been read, where it is JSON and doesn't fit.
    read: Option<usize>,
}

/// Decodes what failed once, with what a model may be forgiven: `30.0` where an integer is due
/// (JSON has one kind of number), and `"30"` where the tool opted in.
#[cold]
fn repaired<T: DeserializeOwned>(text: &str, coerce_strings: bool) -> Result<T, Fault> {
    // Bounds the work on arguments that are wrong all over: how often they are read again, and
    // how many bytes that may come to.
    const MOST_ROUNDS: usize = 64;
    const MOST_BYTES: usize = 4 << 20;

    let mut fault = match traced(text, coerce_strings) {
        Ok(arguments) => return Ok(arguments),
        Err(fault) => fault,
    };
    // What serde buffers is not seen value by value. There, the text is changed.
    let mut text = text.to_owned();
    for round in 1..=MOST_ROUNDS {
        let changed = fault
            .read
            .filter(|_| round * text.len() <= MOST_BYTES)
            .and_then(|read| forgive::with_whole_numbers_before(&text, read));
        match changed {
            Some(changed) => text = changed,
            None => break,
        }
        match traced(&text, coerce_strings) {
            Ok(arguments) => return Ok(arguments),
            Err(next) => fault = next,
        }
    }
    Err(fault)
}

/// Decodes with a record of where in the arguments it is.
fn traced<T: DeserializeOwned>(text: &str, coerce_strings: bool) -> Result<T, Fault> {
    let (arguments, open) = traced_once(text, coerce_strings)?;
    if open {
        traced_once::<UniqueKeys>(text, false)?;
    }
    Ok(arguments)
}

/// The value, and whether something was read whose keys are not fixed.
fn traced_once<T: DeserializeOwned>(text: &str, coerce_strings: bool) -> Result<(T, bool), Fault> {
    let read = Cell::new(0);
    let pass = Pass {
        forgiven: Some(Forgiven {
            text,
            read: &read,
            coerce_strings,
        }),
        ..Pass::default()
    };
    let counted = Counted { text, read: &read };
    let mut deserializer = serde_json::Deserializer::from_reader(counted);
    match serde_path_to_error::deserialize(Strict::new(&mut deserializer, &pass)) {
        Ok(arguments) => match deserializer.end() {
            Ok(()) => Ok((arguments, pass.open.get())),
            Err(error) => Err(fault(read.get(), String::new(), &error)),
        },
        Err(error) => {
            let path = error.path().to_string();
            // `.` is the whole, and `?` a place between two values.
            let path = if matches!(path.as_str(), "." | "?") {
                String::new()
            } else {
                path
            };
            let read = pass.failed.get().unwrap_or(read.get());
            Err(fault(read, path, error.inner()))
        }
    }
}

fn fault(read: usize, mut path: String, error: &serde_json::Error) -> Fault {
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
    if error.is_data() {
        message = words::of_json(message);
    }
    Fault {
        path: clipped(path),
        message: clipped(message),
        read: error.is_data().then_some(read),
    }
}

/// An error repeats what the model wrote, which can be long.
pub(crate) fn clipped(mut text: String) -> String {
    const MOST: usize = 400;
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push('…');
    }
    text
}
