//! The settings that `#[agent]`, `#[model]` and `#[router]` share.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Attribute, LitStr};

use crate::attribute::Setting;
use crate::crate_path;
use crate::docs;
use crate::errors::Errors;
use crate::name::{self, Name};

/// What an attribute is called, and what its messages show as an example.
pub(crate) struct About {
    pub(crate) attribute: &'static str,
    pub(crate) description: &'static str,
    pub(crate) marker: &'static str,
}

#[derive(Default)]
pub(crate) struct Common {
    name: Option<Option<Name>>,
    description: Option<LitStr>,
    pub(crate) tags: Vec<LitStr>,
    pub(crate) marker: Option<Option<Ident>>,
    krate: Option<syn::Path>,
}

impl Common {
    /// Takes a setting of the attribute; `false` where it is none that they share.
    pub(crate) fn take(&mut self, setting: &Setting, about: &About, errors: &mut Errors) -> bool {
        match setting.key().as_str() {
            "name" => self.name = Some(setting.name(errors)),
            "description" => self.description = setting.text(about.description, errors),
            "tags" => self.tags = setting.tags(errors),
            "marker" => self.marker = Some(setting.parsed(about.marker, errors)),
            "crate" => self.krate = setting.path(errors),
            _ => return false,
        }
        true
    }

    /// The path to callboard.
    pub(crate) fn krate(&self) -> TokenStream {
        crate_path::resolve(self.krate.as_ref())
    }

    /// The name that was given, or else `default`, where it is one.
    pub(crate) fn name_or(
        &self,
        default: &str,
        at: Span,
        about: &About,
        errors: &mut Errors,
    ) -> Option<Name> {
        if let Some(given) = &self.name {
            return given.clone();
        }
        if let Some(problem) = name::problem(default) {
            let attribute = about.attribute;
            errors.at_span(
                at,
                format!(
                    "{problem}; give the {attribute} another with `#[{attribute}(name = \"…\")]`"
                ),
            );
            return None;
        }
        Some(Name {
            text: default.to_owned(),
            span: at,
        })
    }

    /// The description that was given, or the doc comment, as an expression of type
    /// `&'static str`.
    pub(crate) fn description_or(&self, attributes: &[Attribute]) -> TokenStream {
        match &self.description {
            Some(text) => quote!(#text),
            None => docs::description(attributes),
        }
    }
}
