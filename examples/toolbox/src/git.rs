//! What git knows of the workspace, by the git program.

use std::io;
use std::process::Stdio;

use callboard::{State, tool};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::io::AsyncReadExt;
use tokio::process::Command;

use crate::workspace::{PathError, Workspace, clipped};

/// How much of git's answer is read.
const MOST_BYTES: u64 = 256 << 10;
const MOST_FILES: usize = 500;
const MOST_CHARS: usize = 500;

/// Fields are parted by a character that no sane subject has.
const COMMIT_FORMAT: &str = "--format=%h%x1f%aI%x1f%an%x1f%s";

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// There is no such program.
    #[error("the git program is not installed here (looked for `{0}`)")]
    NotInstalled(String),
    /// The directory is in no repository.
    #[error("the workspace is not in a git repository")]
    NoRepository,
    /// The repository has no commit.
    #[error("the repository has no commit yet")]
    NoCommit,
    /// Nothing has this name.
    #[error("git knows no commit `{0}`")]
    UnknownCommit(String),
    /// The path can't be used.
    #[error(transparent)]
    Path(#[from] PathError),
    /// Git said no.
    #[error("git failed: {0}")]
    Failed(String),
    /// The program can't be run.
    #[error("git can't be run: {0}")]
    Io(#[from] io::Error),
}

/// What git wrote, and whether it was cut.
struct Answer {
    text: String,
    truncated: bool,
}

/// Runs git in the workspace: no shell, no pager, and none of the programs that a repository's
/// own settings can name.
async fn run(workspace: &Workspace, arguments: &[&str]) -> Result<Answer, GitError> {
    let mut command = Command::new(workspace.git());
    command
        .arg("-C")
        .arg(workspace.root())
        .args(["--no-pager", "--no-optional-locks", "--literal-pathspecs"])
        .args(["-c", "core.fsmonitor=false", "-c", "color.ui=false"])
        .args(["-c", "log.showSignature=false"])
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    // Set while git runs a hook, and then about another repository.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => GitError::NotInstalled(workspace.git().display().to_string()),
        _ => GitError::Io(error),
    })?;
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let ((output, truncated), (complaint, _)) = tokio::try_join!(bounded(stdout), bounded(stderr))?;
    // When its answer was cut, the pipe is closed by now, and how it took that says nothing.
    let status = child.wait().await?;
    if !truncated && !status.success() {
        return Err(refusal(&complaint));
    }
    Ok(Answer {
        text: output,
        truncated,
    })
}

async fn bounded(pipe: Option<impl AsyncReadExt + Unpin>) -> io::Result<(String, bool)> {
    let mut bytes = Vec::new();
    let mut truncated = false;
    if let Some(pipe) = pipe {
        pipe.take(MOST_BYTES + 1).read_to_end(&mut bytes).await?;
        truncated = bytes.len() as u64 > MOST_BYTES;
    }
    Ok((String::from_utf8_lossy(&bytes).into_owned(), truncated))
}

fn refusal(complaint: &str) -> GitError {
    if complaint.contains("not a git repository") {
        GitError::NoRepository
    } else if complaint.contains("does not have any commits") {
        GitError::NoCommit
    } else {
        GitError::Failed(clipped(complaint.trim(), MOST_CHARS))
    }
}

/// One commit.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Commit {
    /// Its shortened hash.
    pub hash: String,
    /// When it was written (RFC 3339).
    pub date: String,
    /// Who wrote it.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
}

impl Commit {
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line
            .splitn(4, '\x1f')
            .map(|field| clipped(field, MOST_CHARS));
        Some(Self {
            hash: fields.next()?,
            date: fields.next()?,
            author: fields.next()?,
            subject: fields.next()?,
        })
    }
}

/// Some commits.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Log {
    /// The commits, newest first.
    pub commits: Vec<Commit>,
    /// There are older ones.
    pub truncated: bool,
}

fn ten() -> usize {
    10
}

/// List the latest commits, newest first.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "10s",
    tags("git")
)]
pub async fn git_log(
    #[inject] State(workspace): State<'_, Workspace>,
    /// Only commits that changed this path, from the workspace's root.
    path: Option<String>,
    /// At most this many.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    limit: usize,
) -> Result<Log, GitError> {
    let limit = limit.clamp(1, 100);
    let path = workspace.relative(path.as_deref().unwrap_or("."))?;
    let count = format!("--max-count={}", limit + 1);
    let path = path.to_string_lossy();
    let answer = run(
        workspace,
        &[
            "log",
            "--no-show-signature",
            &count,
            COMMIT_FORMAT,
            "--",
            &path,
        ],
    )
    .await?;
    let mut commits: Vec<_> = answer.text.lines().filter_map(Commit::parse).collect();
    let truncated = answer.truncated || commits.len() > limit;
    commits.truncate(limit);
    Ok(Log { commits, truncated })
}

/// A commit, and the files that it changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CommitDetails {
    /// The commit.
    #[serde(flatten)]
    pub commit: Commit,
    /// The files that it changed below the workspace's root.
    pub files: Vec<ChangedFile>,
    /// There are more files than are listed.
    pub truncated: bool,
}

/// One file of a commit.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedFile {
    /// From the repository's root.
    pub path: String,
    /// Lines that came in; null for a file that is no text.
    pub added: Option<u64>,
    /// Lines that went out; null for a file that is no text.
    pub deleted: Option<u64>,
}

impl ChangedFile {
    fn parse(record: &str) -> Option<Self> {
        let mut fields = record.splitn(3, '\t');
        Some(Self {
            added: fields.next()?.parse().ok(),
            deleted: fields.next()?.parse().ok(),
            path: fields.next()?.to_owned(),
        })
    }
}

fn head() -> String {
    "HEAD".to_owned()
}

/// Tell who made a commit, when, and which files it changed.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "10s",
    tags("git")
)]
pub async fn git_show(
    #[inject] State(workspace): State<'_, Workspace>,
    /// A hash, a branch, a tag, or a form such as `HEAD~2`.
    #[serde(default = "head")]
    commit: String,
) -> Result<CommitDetails, GitError> {
    // First to a hash: what a model writes could be an option, or the name of a file's content.
    let wanted = format!("{commit}^{{commit}}");
    let verify = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &wanted,
    ];
    let hash = match run(workspace, &verify).await {
        Ok(answer) => answer.text.trim().to_owned(),
        Err(GitError::Failed(_)) => {
            return Err(GitError::UnknownCommit(clipped(&commit, MOST_CHARS)));
        }
        Err(other) => return Err(other),
    };
    let plain = [
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
    ];
    let mut arguments = vec!["show"];
    arguments.extend(plain);
    arguments.extend(["--numstat", "-z", COMMIT_FORMAT, &hash, "--", "."]);
    let answer = run(workspace, &arguments).await?;
    // With `-z`, a zero parts the commit from its files, and each file from the next.
    let (commit, files) = answer.text.split_once('\0').unwrap_or((&answer.text, ""));
    let commit = Commit::parse(commit.trim_end())
        .ok_or_else(|| GitError::Failed("its answer has another form".to_owned()))?;
    let mut files: Vec<_> = files
        .split('\0')
        .filter_map(|record| ChangedFile::parse(record.trim_start_matches('\n')))
        .collect();
    let truncated = answer.truncated || files.len() > MOST_FILES;
    files.truncate(MOST_FILES);
    Ok(CommitDetails {
        commit,
        files,
        truncated,
    })
}

/// What differs from the last commit.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Status {
    /// The branch, with what git says of its upstream.
    pub branch: String,
    /// The changes.
    pub changes: Vec<StatusEntry>,
    /// There are more changes than are listed.
    pub truncated: bool,
}

/// One file that differs.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatusEntry {
    /// Git's two letters: the index, then the working tree; `??` is new to git.
    pub status: String,
    /// From the repository's root.
    pub path: String,
}

/// Tell which files differ from the last commit.
#[tool(
    read_only,
    open_world = false,
    risk = "low",
    timeout = "10s",
    tags("git")
)]
pub async fn git_status(
    #[inject] State(workspace): State<'_, Workspace>,
) -> Result<Status, GitError> {
    let arguments = [
        "status",
        "--porcelain=v1",
        "--branch",
        "--no-renames",
        "-z",
        "--",
        ".",
    ];
    let answer = run(workspace, &arguments).await?;
    let mut branch = String::new();
    let mut changes = Vec::new();
    for record in answer.text.split('\0') {
        match record.split_at_checked(3) {
            Some(("## ", name)) => branch = name.to_owned(),
            Some((status, path)) => changes.push(StatusEntry {
                status: status.trim_end().to_owned(),
                path: path.to_owned(),
            }),
            None => {}
        }
    }
    let truncated = answer.truncated || changes.len() > MOST_FILES;
    changes.truncate(MOST_FILES);
    Ok(Status {
        branch,
        changes,
        truncated,
    })
}
