//! Walking the files of a workspace, without those that git ignores.

use std::path::{Path, PathBuf};

use callboard::ToolCallContext;
use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};

use crate::workspace::{PathError, Workspace};

/// The most entries that one call looks at.
const MOST_ENTRIES: usize = 100_000;

/// Why files can't be walked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WalkError {
    /// The directory to begin at can't be used.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The pattern for names can't be read.
    #[error("`glob` can't be read: {0}")]
    Glob(#[from] ignore::Error),
}

/// One file that was found.
pub(crate) struct Found {
    /// From the root of the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) bytes: u64,
}

/// The files below a directory, in the order of their names.
///
/// Hidden files, and those that a `.gitignore` or `.ignore` names, are left out; symbolic links
/// are not followed.
pub(crate) struct Walk<'a> {
    entries: ignore::Walk,
    root: PathBuf,
    names: Option<Override>,
    context: &'a ToolCallContext,
    left: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        workspace: &Workspace,
        path: &str,
        glob: Option<&str>,
        context: &'a ToolCallContext,
    ) -> Result<Self, WalkError> {
        let start = workspace.directory(path)?;
        // Asked of each file, and not given to the walk: there it would bring ignored files back.
        let names = glob
            .map(|glob| OverrideBuilder::new(workspace.root()).add(glob)?.build())
            .transpose()?;
        let entries = WalkBuilder::new(start)
            .require_git(false)
            .sort_by_file_name(Ord::cmp)
            .build();
        Ok(Self {
            entries,
            root: workspace.root().to_owned(),
            names,
            context,
            left: MOST_ENTRIES,
        })
    }

    /// Whether it ended because there was too much, or because the call was stopped.
    pub(crate) fn was_cut(&self) -> bool {
        self.left == 0 || self.context.is_cancelled()
    }
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            if self.was_cut() {
                return None;
            }
            self.left -= 1;
            // What can't be read is passed over, as if it weren't there.
            let Ok(entry) = self.entries.next()? else {
                continue;
            };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            let Ok(relative) = entry.path().strip_prefix(&self.root) else {
                continue;
            };
            if let Some(names) = &self.names
                && !names.matched(relative, false).is_whitelist()
            {
                continue;
            }
            return Some(Found {
                path: with_slashes(relative),
                bytes: entry.metadata().map_or(0, |metadata| metadata.len()),
            });
        }
    }
}

fn with_slashes(path: &Path) -> String {
    path.components()
        .map(|component| component.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}
