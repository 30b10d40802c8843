//! Notes: the tools that write.

use callboard::{State, ToolFailure, tool};
use schemars::JsonSchema;
use serde::Serialize;
use workbench_toolbox::Workspace;

const MOST_BYTES: usize = 64 << 10;

/// What was done, and where.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Written {
    /// The note's file, from the workspace's root.
    path: String,
    /// There was a note of this name, and it is gone.
    replaced: bool,
}

/// Write a note, in place of the one that has its name.
#[tool(
    risk = "high",
    requires_approval,
    idempotent,
    open_world = false,
    timeout = "5s",
    tags("notes"),
    blocking
)]
fn write_note(
    #[inject] State(workspace): State<'_, Workspace>,
    /// Letters, digits, `-` and `_`.
    name: String,
    /// The note, as Markdown.
    text: String,
) -> Result<Written, ToolFailure> {
    let path = path_of(&name)?;
    if text.len() > MOST_BYTES {
        return Err(ToolFailure::new(format!(
            "the note has {} bytes, and {MOST_BYTES} is the most",
            text.len()
        )));
    }
    let replaced = workspace.write(&path, &text)?;
    Ok(Written { path, replaced })
}

/// Delete a note.
#[tool(
    risk = "high",
    requires_approval,
    open_world = false,
    timeout = "5s",
    tags("notes"),
    blocking
)]
fn delete_note(
    #[inject] State(workspace): State<'_, Workspace>,
    /// The note's name.
    name: String,
) -> Result<(), ToolFailure> {
    Ok(workspace.remove(&path_of(&name)?)?)
}

fn path_of(name: &str) -> Result<String, ToolFailure> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if (1..=64).contains(&name.len()) && name.chars().all(plain) {
        Ok(format!("notes/{name}.md"))
    } else {
        Err(ToolFailure::new(
            "the name of a note is 1 to 64 letters, digits, `-` and `_`",
        ))
    }
}
