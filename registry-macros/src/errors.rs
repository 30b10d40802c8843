//! All the errors of one item, reported together.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Collects errors. It must be asked for them: one that is dropped with errors inside would hide
/// them, and panics instead.
pub(crate) struct Errors {
    found: Option<Vec<syn::Error>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self {
            found: Some(Vec::new()),
        }
    }

    /// An error at all of these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// An error at one place.
    pub(crate) fn at_span(&mut self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        if let Some(found) = &mut self.found {
            found.push(error);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.as_ref().is_none_or(Vec::is_empty)
    }

    /// `compile_error!` for each; empty when there is none.
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.found
            .take()
            .unwrap_or_default()
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(
            std::thread::panicking() || self.found.as_ref().is_none_or(Vec::is_empty),
            "errors were found and not reported"
        );
    }
}
