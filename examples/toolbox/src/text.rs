//! Reading a part of a file.

use std::io::{self, BufRead, BufReader, Read};

use callboard::{State, tool};
use schemars::JsonSchema;
use serde::Serialize;

use crate::workspace::{PathError, Workspace, clipped};

/// How far into a file a call reads.
const MOST_BYTES_READ: u64 = 32 << 20;
/// How much of it a call gives back.
const MOST_BYTES_SHOWN: usize = 64 << 10;
const MOST_CHARS_OF_A_LINE: usize = 2_000;

/// Some lines of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Excerpt {
    /// The file, as it was asked for.
    pub path: String,
    /// The number of the first line shown.
    pub first: usize,
    /// The number of the last line shown; less than `first` when there is none.
    pub last: usize,
    /// The lines.
    pub text: String,
    /// The file goes on after the last line.
    pub truncated: bool,
}

/// Why a file can't be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The path can't be used.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The file has bytes that no text has.
    #[error("`{0}` is not a text file")]
    NotText(String),
    /// The file has fewer lines.
    #[error("`{path}` has {lines} lines, and line {first} was asked for")]
    PastTheEnd {
        /// The file.
        path: String,
        /// How many it has.
        lines: usize,
        /// The line that was asked for.
        first: usize,
    },
    /// The system refused.
    #[error("the file can't be read: {0}")]
    Io(#[from] io::Error),
}

fn first_line() -> usize {
    1
}

fn hundred() -> usize {
    100
}

/// Read a range of lines of a text file.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "10s",
    tags("files"),
    blocking
)]
pub fn read_lines(
    #[inject] State(workspace): State<'_, Workspace>,
    /// The file, from the workspace's root.
    path: String,
    /// The first line, counted from 1.
    #[serde(default = "first_line")]
    #[schemars(range(min = 1))]
    first: usize,
    /// How many lines at most.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    count: usize,
) -> Result<Excerpt, ReadError> {
    let first = first.max(1);
    let count = count.clamp(1, 1000);
    let file = workspace.open_file(&path)?;
    let mut reader = BufReader::new(file.take(MOST_BYTES_READ));
    let mut line = Vec::new();
    let mut text = String::new();
    let mut number = 0;
    let mut last = first - 1;
    let mut truncated = false;
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            truncated |= reader.get_ref().limit() == 0;
            break;
        }
        if line.contains(&0) {
            return Err(ReadError::NotText(path));
        }
        number += 1;
        if number < first {
            continue;
        }
        if number >= first + count || text.len() >= MOST_BYTES_SHOWN {
            truncated = true;
            break;
        }
        if number > first {
            text.push('\n');
        }
        let shown = String::from_utf8_lossy(&line);
        let shown = shown.trim_end_matches(['\n', '\r']);
        text.push_str(&clipped(shown, MOST_CHARS_OF_A_LINE));
        last = number;
    }
    if last < first && number > 0 {
        return Err(ReadError::PastTheEnd {
            path,
            lines: number,
            first,
        });
    }
    Ok(Excerpt {
        path,
        first,
        last,
        text,
        truncated,
    })
}
