//! What a tool may do to the world, as its own code declares it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How much harm a call can do when it is made in error.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Nothing of worth is lost.
    Low,
    /// What a tool that says nothing is taken to be.
    #[default]
    Medium,
    /// Money, data or trust can be lost.
    High,
}

impl Risk {
    /// `low`, `medium` or `high`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that is not a [`Risk`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRisk(String);

impl fmt::Display for UnknownRisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a risk: write low, medium or high", self.0)
    }
}

impl std::error::Error for UnknownRisk {}

impl FromStr for Risk {
    type Err = UnknownRisk;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "low" => Ok(Self::Low),
            "medium" => Ok(Self::Medium),
            "high" => Ok(Self::High),
            other => Err(UnknownRisk(other.to_owned())),
        }
    }
}

/// What a tool may do, and under which conditions it runs.
///
/// It comes from trusted code: the attribute, or the host. Nothing that a model or a server sends
/// changes it. What isn't stated is taken to be the worse of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolPolicy {
    /// The tool changes nothing outside the call.
    pub read_only: bool,
    /// The tool may destroy something: overwrite, delete, send.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// The tool reaches things outside the application, such as the web.
    pub open_world: bool,
    /// How much harm a call made in error can do.
    pub risk: Risk,
    /// Every call needs an approval.
    pub requires_approval: bool,
    /// How long one call may take; `None` is without limit.
    pub timeout: Option<Duration>,
}

impl ToolPolicy {
    /// The time a call may take when nothing else is said.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// What is assumed of a tool that says nothing: it writes, it may destroy, it reaches out,
    /// its risk is medium, and 30 seconds are enough.
    pub const fn unstated() -> Self {
        Self {
            read_only: false,
            destructive: true,
            idempotent: false,
            open_world: true,
            risk: Risk::Medium,
            requires_approval: false,
            timeout: Some(Self::DEFAULT_TIMEOUT),
        }
    }

    /// The policy of a tool that changes nothing: neither destructive nor a danger when repeated.
    pub const fn read_only() -> Self {
        Self {
            read_only: true,
            destructive: false,
            idempotent: true,
            ..Self::unstated()
        }
    }

    /// Sets how much harm a call can do.
    #[must_use]
    pub const fn with_risk(mut self, risk: Risk) -> Self {
        self.risk = risk;
        self
    }

    /// Sets whether every call needs an approval.
    #[must_use]
    pub const fn with_approval(mut self, required: bool) -> Self {
        self.requires_approval = required;
        self
    }

    /// Sets how long one call may take; `None` is without limit.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets whether the tool may destroy something.
    #[must_use]
    pub const fn with_destructive(mut self, destructive: bool) -> Self {
        self.destructive = destructive;
        self
    }

    /// Sets whether a second call with the same arguments changes nothing more.
    #[must_use]
    pub const fn with_idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = idempotent;
        self
    }

    /// Sets whether the tool reaches things outside the application.
    #[must_use]
    pub const fn with_open_world(mut self, open_world: bool) -> Self {
        self.open_world = open_world;
        self
    }
}

impl Default for ToolPolicy {
    fn default() -> Self {
        Self::unstated()
    }
}

/// How arguments come in and results go out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolIoMode {
    /// One set of arguments, one result.
    #[default]
    Unary,
}
