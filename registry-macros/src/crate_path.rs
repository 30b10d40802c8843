//! The path by which generated code reaches callboard, whatever the user calls it.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// `given`, or the name that this package's Cargo.toml has for callboard.
pub(crate) fn resolve(given: Option<&syn::Path>) -> TokenStream {
    if let Some(path) = given {
        return path.to_token_stream();
    }
    match crate_name("callboard") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        // The package itself: its tests and examples use it as anyone would. A build without
        // Cargo can't rename it.
        Ok(FoundCrate::Itself) | Err(_) => quote!(::callboard),
    }
}
