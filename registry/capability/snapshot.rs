//! A registry written down: for a file, a diff, a picture or a review.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::components::Components;
use crate::component::{ComponentId, ComponentKind, ComponentMetadata};

/// What is in a registry: components sorted by kind, in the order of [`ComponentKind`], and name;
/// then aliases in the same order. The same registry gives the same bytes in every process.
///
/// It is data to look at and to compare. One that is read back holds whatever the file says:
/// beyond the form of each id, nothing is checked, neither the order nor that names are unique or
/// an alias leads anywhere, and no registry is made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistrySnapshot {
    /// The components.
    pub components: Vec<ComponentMetadata>,
    /// The aliases.
    pub aliases: Vec<AliasBinding>,
}

/// A second name of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AliasBinding {
    /// The kind of the component.
    pub kind: ComponentKind,
    /// The second name.
    pub alias: String,
    /// The name.
    pub canonical: String,
}

/// Something about a registry that is legal, and that someone should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Diagnostic {
    /// An alias stands for something that is not registered; sealing refuses it.
    DanglingAlias(AliasBinding),
    /// Components of several kinds share a name.
    SharedName {
        /// The name.
        name: String,
        /// The kinds, in their order.
        kinds: Vec<ComponentKind>,
    },
    /// A tool or an agent has no description: a model can't know what it is for.
    NoDescription(ComponentId),
    /// A schema of a tool can't be made, since the `JsonSchema` of a type panics. Without one for
    /// its arguments, a tool is in no definitions.
    NoSchema {
        /// The tool.
        tool: String,
        /// What has no schema.
        of: SchemaOf,
        /// The panic's message, when it was text.
        message: String,
    },
}

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaOf {
    /// A tool's arguments.
    Arguments,
    /// What a tool returns.
    Output,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DanglingAlias(binding) => write!(
                f,
                "the alias `{}` stands for the {} `{}`, which is not registered",
                binding.alias, binding.kind, binding.canonical
            ),
            Self::SharedName { name, kinds } => {
                write!(f, "`{name}` is the name of a")?;
                for (position, kind) in kinds.iter().enumerate() {
                    write!(f, "{} {kind}", if position == 0 { "" } else { " and a" })?;
                }
                Ok(())
            }
            Self::NoDescription(id) => write!(
                f,
                "the {} `{}` has no description: write a doc comment on it",
                id.kind(),
                id.name()
            ),
            Self::NoSchema { tool, of, message } => {
                let (what, so) = match of {
                    SchemaOf::Arguments => ("arguments", "no model is shown it"),
                    SchemaOf::Output => ("output", "it is shown without one"),
                };
                write!(
                    f,
                    "there is no schema of the {what} of the tool `{tool}`, so {so}: `JsonSchema::json_schema` of a type panicked: {message}"
                )
            }
        }
    }
}

impl Components {
    /// What is in the registry, in a form that serializes.
    pub fn snapshot(&self) -> RegistrySnapshot {
        RegistrySnapshot {
            components: self.rows.values().map(|row| row.metadata.clone()).collect(),
            aliases: self.bindings().collect(),
        }
    }

    /// What is legal here, and worth a look.
    ///
    /// It makes every schema that wasn't made yet, some microseconds for each.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = self.dangling().map(Diagnostic::DanglingAlias).collect();
        let mut kinds_of: BTreeMap<&str, Vec<ComponentKind>> = BTreeMap::new();
        for id in self.rows.keys().chain(self.aliases.keys()) {
            let kinds = kinds_of.entry(id.name()).or_default();
            if !kinds.contains(&id.kind()) {
                kinds.push(id.kind());
            }
        }
        found.extend(
            kinds_of
                .into_iter()
                .filter(|(_, kinds)| kinds.len() > 1)
                .map(|(name, mut kinds)| {
                    kinds.sort();
                    Diagnostic::SharedName {
                        name: name.to_owned(),
                        kinds,
                    }
                }),
        );
        found.extend(
            self.rows
                .values()
                .filter(|row| {
                    matches!(
                        row.metadata.kind,
                        ComponentKind::Tool | ComponentKind::Agent
                    ) && row.metadata.description.trim().is_empty()
                })
                .map(|row| Diagnostic::NoDescription(row.metadata.id.clone())),
        );
        for row in self.tools.values() {
            let arguments = row
                .try_input_schema()
                .err()
                .map(|why| (SchemaOf::Arguments, why));
            let output = row
                .try_output_schema()
                .err()
                .map(|why| (SchemaOf::Output, why));
            found.extend(
                [arguments, output]
                    .into_iter()
                    .flatten()
                    .map(|(of, message)| Diagnostic::NoSchema {
                        tool: row.name().to_owned(),
                        of,
                        message: message.to_owned(),
                    }),
            );
        }
        found
    }

    /// The registry as a graph in the DOT language: a cluster a kind, an edge an alias.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph registry {\n  rankdir=LR;\n  node [shape=box];\n");
        for &kind in ComponentKind::ALL {
            let names = self.names_including_aliases(kind);
            if names.is_empty() {
                continue;
            }
            // Writing to a String can't fail.
            let _ = writeln!(
                dot,
                "  subgraph \"cluster_{kind}\" {{\n    label=\"{kind}\";"
            );
            for name in names {
                let _ = writeln!(dot, "    \"{kind}:{name}\" [label=\"{name}\"];");
            }
            dot.push_str("  }\n");
        }
        for binding in self.bindings() {
            let AliasBinding {
                kind,
                alias,
                canonical,
            } = binding;
            let _ = writeln!(
                dot,
                "  \"{kind}:{alias}\" -> \"{kind}:{canonical}\" [style=dashed];"
            );
        }
        dot.push_str("}\n");
        dot
    }

    fn bindings(&self) -> impl Iterator<Item = AliasBinding> {
        self.aliases.iter().map(|(alias, canonical)| AliasBinding {
            kind: alias.kind(),
            alias: alias.name().to_owned(),
            canonical: canonical.clone(),
        })
    }

    /// Aliases whose component is gone. An alias that has taken the component's name since
    /// doesn't stand in for it: aliases are one hop.
    pub(super) fn dangling(&self) -> impl Iterator<Item = AliasBinding> {
        self.bindings().filter(|binding| {
            !ComponentId::new(binding.kind, &*binding.canonical)
                .is_ok_and(|id| self.rows.contains_key(&id))
        })
    }
}
