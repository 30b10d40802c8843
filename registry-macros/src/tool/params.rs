//! One rule sorts the parameters: `#[inject]` comes from the call, `#[args]` is a struct that the
//! user wrote, and everything else is a field of the generated struct.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Meta, Pat, PatType};

use super::settings::Written;
use super::types::{self, Borrow};
use crate::errors::Errors;

/// Where a parameter's value comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Inject,
    Args,
    Json,
}

pub(super) struct Param {
    pub(super) source: Source,
    pub(super) pattern: Pat,
    /// The name of the field; any name for the other two sources.
    pub(super) field: Ident,
    /// The type, with `Self` written out.
    pub(super) ty: TokenStream,
    /// What goes on the field: docs, `serde`, `schemars`, lints.
    pub(super) field_attributes: Vec<Attribute>,
    /// The predicates of its `#[cfg]`s.
    pub(super) cfgs: Vec<TokenStream>,
    pub(super) replaced: Replaced,
}

impl Param {
    pub(super) fn read(
        typed: &PatType,
        self_type: Option<&TokenStream>,
        settings: &Written,
        errors: &mut Errors,
    ) -> Option<Self> {
        let mut source = Source::Json;
        let mut field_attributes = Vec::new();
        let mut cfgs = Vec::new();
        let mut for_json: Option<&Attribute> = None;
        for attribute in &typed.attrs {
            let path = attribute.path();
            if path.is_ident("inject") || path.is_ident("args") {
                if !matches!(attribute.meta, Meta::Path(_)) {
                    let word = path.to_token_stream();
                    errors.at(
                        attribute,
                        format!(
                            "`#[{word}]` takes no value: the type of the parameter says what it is"
                        ),
                    );
                }
                let asked = if path.is_ident("inject") {
                    Source::Inject
                } else {
                    Source::Args
                };
                if source != Source::Json {
                    errors.at(
                        attribute,
                        "a parameter has one of `#[inject]` and `#[args]`, and has it once: keep one",
                    );
                }
                source = asked;
            } else if path.is_ident("cfg") {
                if let Meta::List(list) = &attribute.meta {
                    cfgs.push(list.tokens.clone());
                }
                field_attributes.push(attribute.clone());
            } else if path.is_ident("serde")
                || path.is_ident("schemars")
                || path.is_ident("cfg_attr")
            {
                for_json = Some(attribute);
                field_attributes.push(attribute.clone());
            } else if path.is_ident("doc") || Self::is_lint(attribute) {
                field_attributes.push(attribute.clone());
            } else {
                errors.at(
                    attribute,
                    "a tool's parameter has no such attribute: it can have `#[inject]`, `#[args]`, `#[serde(…)]`, `#[schemars(…)]`, `#[cfg(…)]`, lints and a doc comment",
                );
            }
        }
        if source != Source::Json
            && let Some(attribute) = for_json
        {
            errors.at(
                attribute,
                "`serde` and `schemars` attributes are for a parameter that the model fills in, and this one is not: take it away",
            );
        }
        let field = match source {
            Source::Json => Self::check_json(typed, settings, errors)?,
            Source::Args => {
                check_owned(&typed.ty, errors);
                Ident::new("args", proc_macro2::Span::mixed_site())
            }
            Source::Inject => {
                if let Some(word) = types::keyword(typed.ty.to_token_stream(), "impl") {
                    errors.at(word, "what is injected has a type: write it out");
                }
                Ident::new("injected", proc_macro2::Span::mixed_site())
            }
        };
        let replaced = Replaced::read(&field_attributes);
        Some(Self {
            source,
            pattern: (*typed.pat).clone(),
            field,
            ty: types::without_self(&typed.ty, self_type),
            field_attributes,
            cfgs,
            replaced,
        })
    }

    /// Checks a parameter that becomes a field, and gives the field's name.
    fn check_json(typed: &PatType, settings: &Written, errors: &mut Errors) -> Option<Ident> {
        let field = match &*typed.pat {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                Some(pattern.ident.clone())
            }
            Pat::Wild(_) => {
                errors.at(
                    &typed.pat,
                    "a model fills this in by name: give the parameter one, or take it away",
                );
                None
            }
            // What the registry provides, most likely, and `check_owned` says so.
            Pat::TupleStruct(_) if types::borrow(typed.ty.to_token_stream(), true).is_some() => {
                None
            }
            _ => {
                errors.at(
                    &typed.pat,
                    "a model fills this in by name: give the parameter one, and take it apart in the body; a struct of your own goes in whole with `#[args]`, and what the registry provides is `#[inject]`",
                );
                None
            }
        };
        check_owned(&typed.ty, errors);
        for attribute in &typed.attrs {
            if attribute.path().is_ident("serde")
                && !settings.allow_unknown_fields
                && types::keyword(attribute.meta.to_token_stream(), "flatten").is_some()
            {
                errors.at(
                    attribute,
                    "`flatten` takes in every unknown field, and unknown fields are refused: add `#[tool(allow_unknown_fields)]`",
                );
            }
        }
        field
    }

    /// What rustc accepts on a parameter of a function, and isn't ours.
    pub(super) fn stays_on_the_function(attribute: &Attribute) -> bool {
        attribute.path().is_ident("cfg") || Self::is_lint(attribute)
    }

    fn is_lint(attribute: &Attribute) -> bool {
        ["allow", "expect", "warn", "deny", "forbid"]
            .iter()
            .any(|lint| attribute.path().is_ident(lint))
    }

    pub(super) fn has_docs(&self) -> bool {
        self.field_attributes
            .iter()
            .any(|attribute| attribute.path().is_ident("doc"))
    }

    /// `#[cfg(…)]` for what belongs to this parameter.
    pub(super) fn cfg(&self) -> TokenStream {
        let cfgs = &self.cfgs;
        quote!(#(#[cfg(#cfgs)])*)
    }
}

/// What `serde` and `schemars` attributes on a parameter do themselves, so that its type may lack
/// the trait.
#[derive(Default)]
pub(super) struct Replaced {
    pub(super) reading: bool,
    pub(super) writing: bool,
    pub(super) schema: bool,
}

impl Replaced {
    fn read(attributes: &[Attribute]) -> Self {
        let mut replaced = Self::default();
        for attribute in attributes {
            let tokens = attribute.meta.to_token_stream();
            // The name of the attribute is among its tokens, also inside of a `cfg_attr`.
            let has = |word: &str| types::keyword(tokens.clone(), word).is_some();
            let has_any = |words: &[&str]| words.iter().any(|word| has(word));
            if has("serde") {
                let both = has_any(&["with", "skip", "bound"]);
                replaced.reading |= both || has_any(&["deserialize_with", "skip_deserializing"]);
                replaced.writing |= both || has_any(&["serialize_with", "skip_serializing"]);
            }
            if has("schemars") {
                replaced.schema |= has_any(&["with", "schema_with", "skip"]);
            }
        }
        replaced
    }
}

/// What a model sends is read and let go: nothing can borrow from it.
fn check_owned(ty: &syn::Type, errors: &mut Errors) {
    let tokens = ty.to_token_stream();
    if let Some(word) = types::keyword(tokens.clone(), "impl") {
        errors.at(
            word,
            "a model can't choose a type: write the one that it is to send, such as `String`",
        );
        return;
    }
    match types::borrow(tokens, true) {
        Some(Borrow::Reference(span)) => errors.at_span(
            span,
            "an argument can't borrow from the model's text, which may hold escapes: write an owned type, such as `String` or `Vec<T>`; for what the registry or the call provides, put `#[inject]` on the parameter",
        ),
        Some(Borrow::Lifetime(name, span)) => errors.at_span(
            span,
            format!("an argument can't hold `{name}`, since it owns what the model sent: use the owned form of this type; for what the registry or the call provides, put `#[inject]` on the parameter"),
        ),
        None => {}
    }
}
