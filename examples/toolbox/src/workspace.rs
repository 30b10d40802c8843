//! The directory that tools work in, and the only way in which they reach files.

use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata};

/// A directory, and nothing outside it.
///
/// Files are opened relative to a handle of the directory, so neither `..` nor a symbolic link
/// leads out, whatever changes on disk meanwhile.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    dir: Dir,
    git: PathBuf,
}

/// Why a path can't be used, in words for a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The path starts at the root of the file system.
    #[error("`{0}` is absolute; write it relative to the workspace")]
    Absolute(String),
    /// The path has a `..` in it.
    #[error("`{0}` goes up with `..`, and nothing above the workspace can be reached")]
    Parent(String),
    /// A symbolic link leads out of the directory.
    #[error("`{0}` leads out of the workspace through a symbolic link")]
    Escapes(String),
    /// Nothing has this path.
    #[error("there is no `{0}`; `list_files` shows what there is")]
    NotFound(String),
    /// Something other than a regular file has this path.
    #[error("`{0}` is not a regular file")]
    NotAFile(String),
    /// Something other than a directory has this path.
    #[error("`{0}` is not a directory")]
    NotADirectory(String),
    /// The operating system refused.
    #[error("`{path}` can't be used: {error}")]
    Io {
        /// The path, as it was given.
        path: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
}

impl PathError {
    fn of(path: &str, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound(path.to_owned()),
            io::ErrorKind::NotADirectory => Self::NotADirectory(path.to_owned()),
            // The system's own refusals carry a number; that of a path which leads out doesn't.
            io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
                Self::Escapes(path.to_owned())
            }
            _ => Self::Io {
                path: path.to_owned(),
                error,
            },
        }
    }
}

impl Workspace {
    /// Opens a directory.
    ///
    /// # Errors
    ///
    /// Those of the file system: when it doesn't exist or isn't a directory.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        let root = root.as_ref().canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self {
            root,
            dir,
            git: PathBuf::from("git"),
        })
    }

    /// Uses another git program than the one on the search path.
    #[must_use]
    pub fn with_git(mut self, program: impl Into<PathBuf>) -> Self {
        self.git = program.into();
        self
    }

    /// The directory, without symbolic links in its path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn git(&self) -> &Path {
        &self.git
    }

    /// A path as a model wrote it, tidied: relative, and without `.` and `..`.
    ///
    /// # Errors
    ///
    /// When it is absolute or goes up.
    pub fn relative(&self, path: &str) -> Result<PathBuf, PathError> {
        let mut tidy = PathBuf::new();
        for component in Path::new(path).components() {
            match component {
                Component::Normal(name) => tidy.push(name),
                Component::CurDir => {}
                Component::ParentDir => return Err(PathError::Parent(path.to_owned())),
                Component::RootDir | Component::Prefix(_) => {
                    return Err(PathError::Absolute(path.to_owned()));
                }
            }
        }
        if tidy.as_os_str().is_empty() {
            tidy.push(".");
        }
        Ok(tidy)
    }

    /// A directory inside, by a path from the root of the file system, without symbolic links.
    pub(crate) fn directory(&self, path: &str) -> Result<PathBuf, PathError> {
        let relative = self.relative(path)?;
        let metadata = self.found(path, self.dir.metadata(&relative))?;
        if !metadata.is_dir() {
            return Err(PathError::NotADirectory(path.to_owned()));
        }
        let inside = self.found(path, self.dir.canonicalize(&relative))?;
        Ok(self.root.join(inside))
    }

    /// Opens a regular file for reading.
    pub(crate) fn open_file(&self, path: &str) -> Result<File, PathError> {
        let relative = self.relative(path)?;
        // Before it is opened: to open a pipe is to wait for its other end.
        if !self.found(path, self.dir.metadata(&relative))?.is_file() {
            return Err(PathError::NotAFile(path.to_owned()));
        }
        self.found(path, self.dir.open(&relative))
    }

    /// What the system knows of a file, a directory, or a link itself.
    pub(crate) fn metadata(&self, path: &str) -> Result<Metadata, PathError> {
        let relative = self.relative(path)?;
        self.found(path, self.dir.symlink_metadata(relative))
    }

    /// Writes a file anew, with the directories that it is in; returns whether there was one.
    ///
    /// # Errors
    ///
    /// When the path leads out, or the system refuses.
    pub fn write(&self, path: &str, contents: &str) -> Result<bool, PathError> {
        let relative = self.relative(path)?;
        if let Some(parent) = relative.parent()
            && !parent.as_os_str().is_empty()
        {
            self.found(path, self.dir.create_dir_all(parent))?;
        }
        let existed = self.dir.symlink_metadata(&relative).is_ok();
        if existed && !self.found(path, self.dir.metadata(&relative))?.is_file() {
            return Err(PathError::NotAFile(path.to_owned()));
        }
        self.found(path, self.dir.write(&relative, contents))?;
        Ok(existed)
    }

    /// Deletes a file, or a link to one.
    ///
    /// # Errors
    ///
    /// When there is none, the path leads out, or the system refuses.
    pub fn remove(&self, path: &str) -> Result<(), PathError> {
        let relative = self.relative(path)?;
        self.found(path, self.dir.remove_file(relative))
    }

    fn found<T>(&self, path: &str, result: io::Result<T>) -> Result<T, PathError> {
        result.map_err(|error| PathError::of(path, error))
    }
}

/// A text with at most this many characters, and a sign where it was cut.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
