//! The registry of this program.

use std::io;
use std::path::Path;

use callboard::{
    Authorizer, CapabilityRegistry, ComponentKind, Decision, Registry, RegistryEntry,
    ToolCallContext,
};
use workbench_toolbox::Workspace;

use crate::cli::Failure;
use crate::clock::Clock;
use crate::consent::Consent;

/// What the person at the keyboard decided.
pub(crate) struct Options<'a> {
    pub(crate) root: &'a Path,
    pub(crate) read_only: bool,
    pub(crate) consent: Option<Consent>,
}

/// Everything that was declared, with a directory to work in.
pub(crate) fn registry(options: Options<'_>) -> Result<Registry, Failure> {
    let workspace = Workspace::open(options.root).map_err(|error| unusable(options.root, error))?;
    let mut registry = CapabilityRegistry::collect()?;
    registry
        .expect_crates(["workbench-toolbox"])?
        // What models that were trained on other programs call it.
        .alias(ComponentKind::Tool, "grep", "search_text")?
        .provide(workspace)
        .provide(Clock::system());
    if options.read_only {
        registry.set_authorizer(ReadOnly);
    }
    if let Some(consent) = options.consent {
        registry.set_approver(consent);
    }
    Ok(registry.seal()?)
}

fn unusable(root: &Path, error: io::Error) -> Failure {
    Failure::usage(format!("`{}` can't be the root: {error}", root.display()))
        .with_help("name a directory with `--root DIR`")
}

/// Neither shows nor runs what writes.
struct ReadOnly;

impl Authorizer for ReadOnly {
    fn decide(&self, row: &RegistryEntry, _: &ToolCallContext) -> Decision {
        if row.policy().read_only {
            Decision::Allow
        } else {
            Decision::deny("it writes, and the workbench was started with `--read-only`")
        }
    }
}
