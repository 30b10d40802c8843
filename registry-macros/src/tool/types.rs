//! What can be known of a type from its tokens alone.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Something in a type that a tool can't have there.
pub(super) enum Borrow {
    /// `&`, at this place.
    Reference(Span),
    /// A lifetime other than `'static`, with its place.
    Lifetime(String, Span),
}

/// The first borrow in a type. References to `'static` count only where `statics` is set.
pub(super) fn borrow(tokens: TokenStream, statics: bool) -> Option<Borrow> {
    let mut tokens = tokens.into_iter().peekable();
    let mut behind_reference = None;
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                if let Some(span) = behind_reference.replace(punct.span()) {
                    return Some(Borrow::Reference(span));
                }
                continue;
            }
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                let Some(TokenTree::Ident(name)) = tokens.next() else {
                    continue;
                };
                if name == "static" {
                    if statics && let Some(span) = behind_reference {
                        return Some(Borrow::Reference(span));
                    }
                    behind_reference = None;
                    continue;
                }
                if let Some(span) = behind_reference {
                    return Some(Borrow::Reference(span));
                }
                return Some(Borrow::Lifetime(format!("'{name}"), punct.span()));
            }
            _ => {}
        }
        if let Some(span) = behind_reference {
            return Some(Borrow::Reference(span));
        }
        if let TokenTree::Group(group) = token
            && let Some(found) = borrow(group.stream(), statics)
        {
            return Some(found);
        }
    }
    behind_reference.map(Borrow::Reference)
}

/// The first `impl` or `dyn` in a type that isn't behind a pointer.
pub(super) fn keyword(tokens: TokenStream, word: &str) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == word => Some(ident),
        TokenTree::Group(group) => keyword(group.stream(), word),
        _ => None,
    })
}

/// The first place in a type where this name stands by itself, and not at the end of a path to
/// somewhere else.
pub(super) fn named(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    let mut in_path = false;
    for token in tokens {
        let found = match &token {
            TokenTree::Ident(ident) if !in_path && ident == name => Some(ident.clone()),
            TokenTree::Group(group) => named(group.stream(), name),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        in_path = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
    }
    None
}

/// The tokens, as if they stood at this place: where a message about them is to point.
pub(super) fn moved(tokens: TokenStream, at: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = token {
                let mut at_place =
                    proc_macro2::Group::new(group.delimiter(), moved(group.stream(), at));
                at_place.set_span(at);
                return at_place.into();
            }
            token.set_span(at);
            token
        })
        .collect()
}

/// The tokens with `Self` written out: outside the `impl` it means something else.
pub(super) fn without_self(tokens: impl ToTokens, self_type: Option<&TokenStream>) -> TokenStream {
    let tokens = tokens.to_token_stream();
    let Some(self_type) = self_type else {
        return tokens;
    };
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => self_type.clone(),
            TokenTree::Group(group) => {
                let mut replaced = proc_macro2::Group::new(
                    group.delimiter(),
                    without_self(group.stream(), Some(self_type)),
                );
                replaced.set_span(group.span());
                TokenTree::Group(replaced).into()
            }
            other => other.into(),
        })
        .collect()
}
