//! Making the calls of a recording, and showing how each one went.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anstyle::Style;
use callboard::{CancellationToken, DispatchError, Registry, ToolCallContext};

use crate::cli::Failure;
use crate::terminal::{BAD, BOLD, FAINT, GOOD, WARN, lines, one_line, say, width};
use crate::wire::{self, Call, Recording, Reply};

/// How a call ended, in the words of the tally and in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Ok,
    Refused,
    Invalid,
    Unknown,
    Failed,
    Stopped,
}

impl Outcome {
    fn of(error: &DispatchError) -> Self {
        match error {
            DispatchError::UnknownTool { .. } => Self::Unknown,
            DispatchError::InvalidArguments { .. } => Self::Invalid,
            DispatchError::Denied { .. }
            | DispatchError::NotApproved { .. }
            | DispatchError::ApprovalRequired(_) => Self::Refused,
            DispatchError::TimedOut { .. } | DispatchError::Cancelled { .. } => Self::Stopped,
            _ => Self::Failed,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Refused => "refused",
            Self::Invalid => "invalid",
            Self::Unknown => "unknown",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Ok => GOOD,
            Self::Refused | Self::Stopped => WARN,
            Self::Invalid | Self::Unknown | Self::Failed => BAD,
        }
    }
}

/// Replays recordings, one after the other.
pub(crate) async fn run(
    registry: &Registry,
    files: &[PathBuf],
    show_replies: bool,
    cancel: &CancellationToken,
) -> Result<(), Failure> {
    // All are read before anything is called.
    let recordings = files
        .iter()
        .map(|file| Ok((file, read(file)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let mut tally = BTreeMap::new();
    for (file, recording) in &recordings {
        print_heading(file, recording)?;
        let mut replies = Vec::with_capacity(recording.calls.len());
        for (position, call) in recording.calls.iter().enumerate() {
            let (outcome, reply) = make(registry, call, cancel).await;
            print(position + 1, call, outcome, &reply)?;
            *tally.entry(outcome).or_insert(0) += 1;
            replies.push(reply);
        }
        if show_replies {
            print_replies(recording, &replies)?;
        }
    }
    Ok(print_tally(&tally)?)
}

fn read(file: &Path) -> Result<Recording, Failure> {
    let named = |problem: String| Failure::usage(format!("`{}`: {problem}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| {
        named(error.to_string()).with_help("name a file with a recorded answer of a model")
    })?;
    wire::read(&text).map_err(|problem| {
        named(problem)
            .with_help("see `examples/data` for an OpenAI chat completion and an Anthropic message")
    })
}

async fn make(registry: &Registry, call: &Call, cancel: &CancellationToken) -> (Outcome, Reply) {
    let context = ToolCallContext::new(&call.id).with_cancel(cancel.clone());
    let (outcome, text) = match registry
        .dispatch(&call.tool, &call.arguments, &context)
        .await
    {
        Ok(output) => (Outcome::Ok, output.to_text().into_owned()),
        Err(error) => (Outcome::of(&error), error.for_model()),
    };
    let reply = Reply {
        id: call.id.clone(),
        text,
        is_error: outcome != Outcome::Ok,
    };
    (outcome, reply)
}

fn print_heading(file: &Path, recording: &Recording) -> io::Result<()> {
    let name = file
        .file_name()
        .map(|name| name.to_string_lossy())
        .unwrap_or_default();
    say!(
        "\n{BOLD}{name}{BOLD:#}  {FAINT}{} · {} · {} calls · {} tokens in, {} out{FAINT:#}",
        recording.provider.name(),
        recording.model,
        recording.calls.len(),
        recording.usage.prompt_tokens(),
        recording.usage.output_tokens(),
    )?;
    print_cost(recording)?;
    say!("")
}

/// What the recorded answer cost, part by part.
fn print_cost(recording: &Recording) -> io::Result<()> {
    let Some(entry) = recording.entry() else {
        return say!(
            "{WARN}not priced{WARN:#}: the catalog has no `{}`",
            recording.model
        );
    };
    match entry.cost(&recording.usage) {
        Ok(cost) => {
            let lines: Vec<String> = cost.lines().map(ToString::to_string).collect();
            say!("{cost}  {FAINT}{}{FAINT:#}", lines.join(" · "))
        }
        Err(unpriced) => say!("{WARN}not priced{WARN:#}: {unpriced}"),
    }
}

fn print(position: usize, call: &Call, outcome: Outcome, reply: &Reply) -> io::Result<()> {
    const INDENT: usize = 13;
    let style = outcome.style();
    let room = width().saturating_sub(INDENT);
    let arguments = room.saturating_sub(call.tool.chars().count() + call.id.len() + 4);
    say!(
        "{position:>3} {style}{:<8}{style:#} {BOLD}{}{BOLD:#} {}  {FAINT}{}{FAINT:#}",
        outcome.word(),
        one_line(&call.tool, room),
        one_line(&call.arguments, arguments),
        call.id,
    )?;
    let most = if reply.is_error { 5 } else { 2 };
    let mut sign = "→";
    for line in lines(&reply.text, room.saturating_sub(2), most) {
        say!("{:INDENT$}{FAINT}{sign}{FAINT:#} {line}", "")?;
        sign = " ";
    }
    Ok(())
}

fn print_replies(recording: &Recording, replies: &[Reply]) -> Result<(), Failure> {
    say!("\n{FAINT}back to the model{FAINT:#}")?;
    for message in recording.provider.replies(replies) {
        say!("{}", serde_json::to_string_pretty(&message)?)?;
    }
    Ok(())
}

fn print_tally(tally: &BTreeMap<Outcome, usize>) -> io::Result<()> {
    let counts: Vec<_> = tally
        .iter()
        .map(|(outcome, count)| {
            let style = outcome.style();
            format!("{style}{count} {}{style:#}", outcome.word())
        })
        .collect();
    let calls: usize = tally.values().sum();
    say!("\n{BOLD}{calls} calls{BOLD:#}  {}", counts.join(" · "))
}
