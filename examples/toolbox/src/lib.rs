//! Tools over one directory: its files, and its git history.
//!
//! A program links them with `callboard::link!(workbench_toolbox)` and provides a [`Workspace`].
//! No tool leaves the directory, and every output is bounded and says when it was cut.

mod files;
mod git;
mod search;
mod text;
mod walk;
mod workspace;

pub use files::{CountLines, CountLinesArgs, LineCounts, TypeCount, count_lines};
pub use files::{FileDetails, FileInfo, FileInfoArgs, FileKind, file_info};
pub use files::{FileList, ListFiles, ListFilesArgs, ListedFile, list_files};
pub use git::{ChangedFile, CommitDetails, GitShow, GitShowArgs, git_show};
pub use git::{Commit, GitError, GitLog, GitLogArgs, Log, git_log};
pub use git::{GitStatus, GitStatusArgs, Status, StatusEntry, git_status};
pub use search::{Match, Matches, SearchError, SearchText, SearchTextArgs, search_text};
pub use text::{Excerpt, ReadError, ReadLines, ReadLinesArgs, read_lines};
pub use walk::WalkError;
pub use workspace::{PathError, Workspace};
