//! `#[route(…)]` on a variant.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Meta, Type, Variant};

use crate::attribute::{self, Setting};
use crate::docs;
use crate::errors::Errors;
use crate::name::{self, Name};
use crate::words::{self, Capability};

const KNOWN: &[&str] = &["alias", "model", "requires", "min_context", "fallbacks"];

/// A route that was read.
pub(super) struct Route {
    pub(super) variant: Ident,
    pub(super) alias: Name,
    /// An expression of type `&'static str`.
    pub(super) description: TokenStream,
    pub(super) model: Type,
    pub(super) requires: Vec<Capability>,
    pub(super) min_context: Option<(u64, Span)>,
    pub(super) fallbacks: Vec<Type>,
    /// What decides whether the variant exists.
    pub(super) cfgs: Vec<Attribute>,
}

impl Route {
    /// Takes the attribute off the variant, and reads it.
    pub(super) fn read(
        variant: &mut Variant,
        krate: &TokenStream,
        errors: &mut Errors,
    ) -> Option<Self> {
        let is_route = |attribute: &&mut Attribute| attribute.path().is_ident("route");
        let mut attributes: Vec<Attribute> = variant
            .attrs
            .iter_mut()
            .filter(is_route)
            .map(|attribute| attribute.clone())
            .collect();
        variant
            .attrs
            .retain(|attribute| !attribute.path().is_ident("route"));
        if !matches!(variant.fields, Fields::Unit) {
            errors.at(
                &variant.fields,
                "a route is a name and has no fields: what a call needs is in the `Need` that a model is selected by",
            );
        }
        for again in attributes.iter().skip(1) {
            errors.at(again, "`#[route]` is on this variant already; keep one");
        }
        if attributes.is_empty() {
            errors.at(
                &variant.ident,
                "every variant of a router is a route: write `#[route(model = …)]` on this one",
            );
            return None;
        }
        let attribute = attributes.swap_remove(0);
        let at = attribute.path().span();
        let settings = match attribute.meta {
            Meta::List(list) => attribute::settings(list.tokens, errors),
            _ => Vec::new(),
        };
        Self::from_settings(&settings, at, variant, krate, errors)
    }

    fn from_settings(
        settings: &[Setting],
        at: Span,
        variant: &Variant,
        krate: &TokenStream,
        errors: &mut Errors,
    ) -> Option<Self> {
        let mut alias = None;
        let mut model = None;
        let mut requires = Vec::new();
        let mut min_context = None;
        let mut fallbacks = Vec::new();
        for setting in settings {
            match setting.key().as_str() {
                "alias" => alias = Some(setting.name(errors)),
                "model" => model = Some(setting.parsed("Gpt4o", errors)),
                "requires" => {
                    let words = setting.list("tool_calling, vision", errors);
                    requires = words::capabilities(words, krate, errors);
                }
                "min_context" => {
                    let tokens = setting.number(1, words::MOST_TOKENS, errors);
                    min_context = tokens.map(|tokens| (tokens, setting.span()));
                }
                "fallbacks" => fallbacks = setting.list("Claude, House", errors),
                _ => setting.unknown("#[route]", KNOWN, errors),
            }
        }
        let model = model.unwrap_or_else(|| {
            errors.at_span(
                at,
                "say which model this route goes to: `#[route(model = Gpt4o)]`, by a type under `#[model]`",
            );
            None
        });
        let default = name::snake_case(&name::plain(&variant.ident));
        let alias = match alias {
            Some(alias) => alias,
            None => match name::problem(&default) {
                None => Some(Name {
                    text: default,
                    span: variant.ident.span(),
                }),
                Some(problem) => {
                    errors.at(
                        &variant.ident,
                        format!("{problem}; give the route another with `alias = \"…\"`"),
                    );
                    None
                }
            },
        };
        Some(Self {
            variant: variant.ident.clone(),
            alias: alias?,
            description: docs::description(&variant.attrs),
            model: model?,
            requires,
            min_context,
            fallbacks,
            cfgs: variant
                .attrs
                .iter()
                .filter(|attribute| attribute.path().is_ident("cfg"))
                .cloned()
                .collect(),
        })
    }

    /// The target, then the fallbacks.
    pub(super) fn models(&self) -> impl Iterator<Item = &Type> {
        std::iter::once(&self.model).chain(&self.fallbacks)
    }

    /// What the compiler is to check of the models, each with the place to say so at. `models` are
    /// the names of their descriptors' constants.
    pub(super) fn gates(&self, models: &[Ident], krate: &TokenStream) -> Vec<(Span, TokenStream)> {
        let alias = &self.alias.text;
        let mut gates = Vec::new();
        for (position, (model, ty)) in models.iter().zip(self.models()).enumerate() {
            // What the target lacks is told at the demand; what a fallback lacks, at the fallback.
            let at = |demand: Span| if position == 0 { demand } else { span_of(ty) };
            for earlier in &models[..position] {
                gates.push((
                    span_of(ty),
                    quote!(#krate::rt::distinct(#alias, #earlier, #model)),
                ));
            }
            for Capability { word, path } in &self.requires {
                gates.push((
                    at(word.span()),
                    quote!(#krate::rt::has_capability(#alias, #model, #path)),
                ));
            }
            if let Some((tokens, demand)) = self.min_context {
                gates.push((
                    at(demand),
                    quote!(#krate::rt::has_window(#alias, #model, #tokens)),
                ));
            }
        }
        gates
    }
}

/// The last token of a type is what tells it from others: `House` of `models::House`.
pub(super) fn span_of(ty: &Type) -> Span {
    ty.to_token_stream()
        .into_iter()
        .last()
        .map_or_else(Span::call_site, |token| token.span())
}
