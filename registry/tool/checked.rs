//! A schema that came at run time: compiled, with a bound on what it costs to check a value.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::decode::clipped;
use super::schema_work::{SchemaWork, Size, Step};

/// The most patterns in the schemas of one origin, and how large each may be once it is compiled.
pub(crate) const MOST_PATTERNS: usize = 1_000;
const MOST_PATTERN_BYTES: usize = 64 << 10;

pub(crate) struct CheckedSchema {
    validator: Validator,
    work: SchemaWork,
}

/// What is wrong with a value, and where: a path such as `items[3].price`, empty for the whole.
pub(crate) struct Fault {
    pub(crate) path: String,
    pub(crate) what: Wrong,
}

pub(crate) enum Wrong {
    /// It doesn't fit, for this reason.
    Misfit(String),
    /// It doesn't fit, and to find out why would take too long. `path` leads to the deepest value.
    Unexplained { values: u64, levels: usize },
    /// To find out whether it fits would take too long. `path` leads to the deepest value.
    TooMuch { values: u64, levels: usize },
}

impl CheckedSchema {
    /// Fails, in words, when it is no schema of draft 2020-12 or can be too much work. It is of
    /// bounded depth. Nothing is fetched for it. Its patterns are taken from those that are left,
    /// and run in linear time.
    pub(crate) fn new(schema: &Value, patterns_left: &mut usize) -> Result<Self, String> {
        match patterns_left.checked_sub(patterns(schema)) {
            Some(left) => *patterns_left = left,
            None => return Err(format!("it has more than {MOST_PATTERNS} patterns")),
        }
        // Before it is compiled, which goes as deep as the schema's references lead.
        let work = SchemaWork::of(schema)?;
        let engine = PatternOptions::regex()
            .size_limit(MOST_PATTERN_BYTES)
            .dfa_size_limit(MOST_PATTERN_BYTES);
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(engine)
            .build(schema)
            .map_err(|error| {
                let hint = match error.kind() {
                    ValidationErrorKind::Format { format } if format == "regex" => {
                        " that takes linear time: no look-around, no back-references, and 64 KiB at most once it is compiled"
                    }
                    _ => "",
                };
                clipped(format!("not a JSON Schema of draft 2020-12: {error}{hint}"))
            })?;
        Ok(Self { validator, work })
    }

    /// What is wrong with a value, if anything.
    pub(crate) fn fault(&self, value: &Value) -> Option<Fault> {
        let size = Size::of(value);
        let (values, levels) = (size.values(), size.levels());
        let deepest = |what| {
            let path = path_of(&size.deepest);
            Some(Fault { path, what })
        };
        if !self.work.can_check(&size) {
            return deepest(Wrong::TooMuch { values, levels });
        }
        // It remembers what it found out of a value and a recursive reference; `validate` doesn't,
        // so that is for values that were found wrong, and small enough.
        if self.validator.is_valid(value) {
            return None;
        }
        if !self.work.can_explain(&size) {
            return deepest(Wrong::Unexplained { values, levels });
        }
        // `validate` stops at the first fault; listing them all can take a thousand times as long.
        self.validator.validate(value).err().map(misfit)
    }
}

/// How many patterns a schema may have: what is called so in a value counts too.
fn patterns(schema: &Value) -> usize {
    match schema {
        Value::Array(items) => items.iter().map(patterns).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(word, value)| {
                let own = match (word.as_str(), value) {
                    ("pattern", Value::String(_)) => 1,
                    ("patternProperties", Value::Object(members)) => members.len(),
                    _ => 0,
                };
                own + patterns(value)
            })
            .sum(),
        _ => 0,
    }
}

fn misfit(error: ValidationError<'_>) -> Fault {
    let mut path = dotted(&error.instance_path().to_string());
    let message = match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            step_into(&mut path, Step::Name(name));
            format!("missing field `{name}`")
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let name = unexpected.first().map_or("", String::as_str);
            step_into(&mut path, Step::Name(name));
            format!("unknown field `{name}`")
        }
        _ => error.to_string(),
    };
    Fault {
        path: clipped(path),
        what: Wrong::Misfit(clipped(message)),
    }
}

/// A JSON pointer in the form that all paths in errors have: `/items/3/price` is
/// `items[3].price`.
fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let position = step.parse().ok().filter(|_| !step.starts_with('+'));
        step_into(
            &mut path,
            position.map_or(Step::Name(&step), Step::Position),
        );
    }
    path
}

fn path_of(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        step_into(&mut path, *step);
    }
    clipped(path)
}

fn step_into(path: &mut String, step: Step<'_>) {
    match step {
        Step::Position(position) => path.push_str(&format!("[{position}]")),
        Step::Name(name) => {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
    }
}
