//! Which files there are, and how large they are.

use std::collections::BTreeMap;
use std::io::Read;

use callboard::{State, ToolCallContext, tool};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::walk::{Walk, WalkError};
use crate::workspace::{PathError, Workspace};

pub(crate) fn here() -> String {
    ".".to_owned()
}

/// Files of the workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileList {
    /// The files, by their names.
    pub files: Vec<ListedFile>,
    /// There are more than are listed.
    pub truncated: bool,
}

/// One file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedFile {
    /// From the workspace's root.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

fn two_hundred() -> usize {
    200
}

/// List files, without those that git ignores.
///
/// Sorted by name; hidden files are left out.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "10s",
    tags("files"),
    blocking
)]
pub fn list_files(
    #[inject] State(workspace): State<'_, Workspace>,
    #[inject] context: &ToolCallContext,
    /// The directory to look in, from the workspace's root.
    #[serde(default = "here")]
    path: String,
    /// Only files that match, such as `*.rs` or `src/**/mod.rs`.
    glob: Option<String>,
    /// At most this many.
    #[serde(default = "two_hundred")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
) -> Result<FileList, WalkError> {
    let limit = limit.clamp(1, 1000);
    let mut walk = Walk::new(workspace, &path, glob.as_deref(), context)?;
    let files: Vec<_> = walk
        .by_ref()
        .take(limit)
        .map(|found| ListedFile {
            path: found.path,
            bytes: found.bytes,
        })
        .collect();
    let truncated = walk.next().is_some() || walk.was_cut();
    Ok(FileList { files, truncated })
}

/// Lines of text, by the type of file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LineCounts {
    /// The types, those with the most lines first.
    pub types: Vec<TypeCount>,
    /// Files that were counted.
    pub files: u64,
    /// Lines in them.
    pub lines: u64,
    /// Files that are no text, can't be read, or are larger than 8 MiB.
    pub skipped: u64,
    /// There are more files than were counted.
    pub truncated: bool,
}

/// Lines of one type of file.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct TypeCount {
    /// What stands behind the last dot of the name; empty where there is none.
    pub extension: String,
    /// Files of this type.
    pub files: u64,
    /// Lines in them.
    pub lines: u64,
}

/// Count lines of text by type of file, without files that git ignores.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "20s",
    tags("files"),
    blocking
)]
pub fn count_lines(
    #[inject] State(workspace): State<'_, Workspace>,
    #[inject] context: &ToolCallContext,
    /// The directory to look in, from the workspace's root.
    #[serde(default = "here")]
    path: String,
) -> Result<LineCounts, WalkError> {
    let mut walk = Walk::new(workspace, &path, None, context)?;
    let mut by_extension: BTreeMap<String, TypeCount> = BTreeMap::new();
    let mut skipped = 0;
    for found in walk.by_ref() {
        let Some(lines) = lines_of(workspace, &found.path) else {
            skipped += 1;
            continue;
        };
        let extension = extension(&found.path);
        let count = by_extension
            .entry(extension.clone())
            .or_insert_with(|| TypeCount {
                extension,
                ..TypeCount::default()
            });
        count.files += 1;
        count.lines += lines;
    }
    let mut types: Vec<_> = by_extension.into_values().collect();
    types.sort_by_key(|count| std::cmp::Reverse(count.lines));
    Ok(LineCounts {
        files: types.iter().map(|count| count.files).sum(),
        lines: types.iter().map(|count| count.lines).sum(),
        types,
        skipped,
        truncated: walk.was_cut(),
    })
}

fn extension(path: &str) -> String {
    std::path::Path::new(path)
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default()
}

/// The lines of a text; `None` for anything else, and for what is too large to read.
fn lines_of(workspace: &Workspace, path: &str) -> Option<u64> {
    const MOST_BYTES: u64 = 8 << 20;

    let mut bytes = Vec::new();
    let file = workspace.open_file(path).ok()?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MOST_BYTES || bytes.contains(&0) {
        return None;
    }
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let unended = bytes.last().is_some_and(|last| *last != b'\n');
    Some(ends as u64 + u64::from(unended))
}

/// What is known of one path.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileDetails {
    /// As it was asked for.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// Its size.
    pub bytes: u64,
    /// When it was last changed, in UTC (RFC 3339), where the system knows.
    pub modified: Option<String>,
    /// How many lines it has, when it is a text of up to 8 MiB.
    pub lines: Option<u64>,
}

/// What has a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link; it is not followed.
    Symlink,
    /// A pipe, a socket or a device.
    Other,
}

/// Tell the kind, size, time of change and number of lines of one path.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "5s",
    tags("files"),
    blocking
)]
pub fn file_info(
    #[inject] State(workspace): State<'_, Workspace>,
    /// From the workspace's root.
    path: String,
) -> Result<FileDetails, PathError> {
    let metadata = workspace.metadata(&path)?;
    let kind = match metadata.file_type() {
        kind if kind.is_file() => FileKind::File,
        kind if kind.is_dir() => FileKind::Directory,
        kind if kind.is_symlink() => FileKind::Symlink,
        _ => FileKind::Other,
    };
    Ok(FileDetails {
        kind,
        bytes: metadata.len(),
        modified: metadata
            .modified()
            .ok()
            .and_then(|time| Timestamp::try_from(time.into_std()).ok())
            .and_then(|time| time.round(jiff::Unit::Second).ok())
            .map(|time| time.to_string()),
        lines: (kind == FileKind::File)
            .then(|| lines_of(workspace, &path))
            .flatten(),
        path,
    })
}
