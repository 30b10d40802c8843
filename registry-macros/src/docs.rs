//! Doc comments as descriptions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of an item's doc comments, as an expression of type `&'static str`.
pub(crate) fn description(attributes: &[Attribute]) -> TokenStream {
    let mut lines = Vec::new();
    let mut parts = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(doc) = &attribute.meta else {
            continue;
        };
        if !doc.path.is_ident("doc") {
            continue;
        }
        match &doc.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => lines.extend(text.value().split('\n').map(str::to_owned)),
            // `#[doc = include_str!("…")]`
            other => {
                if !lines.is_empty() {
                    let before = joined(&std::mem::take(&mut lines));
                    parts.push(quote!(#before));
                    parts.push(quote!("\n"));
                }
                parts.push(quote!(#other));
            }
        }
    }
    let rest = joined(&lines);
    if parts.is_empty() {
        quote!(#rest)
    } else {
        quote!(::core::concat!(#(#parts,)* #rest))
    }
}

/// Lines of a doc comment, without the space that follows `///` and blank ends.
fn joined(lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
        .collect::<Vec<_>>()
        .join("\n")
        .trim_matches('\n')
        .to_owned()
}
