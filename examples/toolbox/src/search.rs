//! Searching the text of files.

use std::io;

use callboard::{State, ToolCallContext, tool};
use grep_regex::RegexMatcherBuilder;
use grep_searcher::sinks::Lossy;
use grep_searcher::{BinaryDetection, SearcherBuilder};
use schemars::JsonSchema;
use serde::Serialize;

use crate::files::here;
use crate::walk::{Walk, WalkError};
use crate::workspace::{Workspace, clipped};

/// The most bytes that a compiled pattern may take.
const MOST_BYTES_OF_PATTERN: usize = 4 << 20;
/// The most bytes of one line that the searcher holds.
const MOST_BYTES_OF_A_LINE: usize = 8 << 20;
const MOST_CHARS_SHOWN: usize = 300;

/// Lines that match.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Matches {
    /// The lines, by file and number.
    pub matches: Vec<Match>,
    /// How many files were looked through.
    pub files_searched: u64,
    /// There may be more matches than are listed.
    pub truncated: bool,
}

/// One line that matches.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Match {
    /// The file, from the workspace's root.
    pub path: String,
    /// The number of the line, from 1.
    pub line: u64,
    /// The line, cut at 300 characters.
    pub text: String,
}

/// Why a search can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The files can't be walked.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The pattern can't be read.
    #[error("`pattern` is not a regular expression: {0}")]
    Pattern(#[from] grep_regex::Error),
}

fn fifty() -> usize {
    50
}

/// Search the text of files for a regular expression.
///
/// Matches are lines, with file and line number. Files that git ignores are left out.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "20s",
    tags("files", "search"),
    blocking
)]
pub fn search_text(
    #[inject] State(workspace): State<'_, Workspace>,
    #[inject] context: &ToolCallContext,
    /// A regular expression in the syntax of Rust's `regex`.
    pattern: String,
    /// The directory to look in, from the workspace's root.
    #[serde(default = "here")]
    path: String,
    /// Only files that match, such as `*.rs`.
    glob: Option<String>,
    /// Take upper and lower case for the same.
    #[serde(default)]
    ignore_case: bool,
    /// At most this many matches.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
) -> Result<Matches, SearchError> {
    let limit = limit.clamp(1, 500);
    let matcher = RegexMatcherBuilder::new()
        .case_insensitive(ignore_case)
        .line_terminator(Some(b'\n'))
        .size_limit(MOST_BYTES_OF_PATTERN)
        .build(&pattern)?;
    let mut searcher = SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MOST_BYTES_OF_A_LINE))
        .build();
    let mut walk = Walk::new(workspace, &path, glob.as_deref(), context)?;
    let mut matches = Vec::new();
    let mut files_searched = 0;
    let mut full = false;
    for found in walk.by_ref() {
        let Ok(file) = workspace.open_file(&found.path) else {
            continue;
        };
        files_searched += 1;
        let sink = Lossy(|line, text| {
            if matches.len() == limit {
                full = true;
            } else {
                matches.push(Match {
                    path: found.path.clone(),
                    line,
                    text: clipped(text.trim(), MOST_CHARS_SHOWN),
                });
            }
            Ok(!full && !context.is_cancelled())
        });
        // A file that can't be read to its end counts as far as it was read.
        let _: io::Result<()> = searcher.search_reader(&matcher, file, sink);
        if full {
            break;
        }
    }
    Ok(Matches {
        matches,
        files_searched,
        truncated: full || walk.was_cut(),
    })
}
