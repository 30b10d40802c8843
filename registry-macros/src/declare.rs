//! What every attribute emits beside its item: the element in a slice, and the two guards against
//! a second component of the same kind and name.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::name::{self, Name};

/// A component as an attribute knows it.
pub(crate) struct Component<'a> {
    /// The variant of `ComponentKind`.
    pub(crate) kind: &'a str,
    /// The kind in the names of guards.
    pub(crate) kind_text: &'a str,
    pub(crate) name: &'a Name,
    /// An expression of type `&'static str`.
    pub(crate) description: &'a TokenStream,
    pub(crate) tags: &'a [syn::LitStr],
}

impl Component<'_> {
    /// A `ComponentDescriptor`. The place in it is that of `at`, as the user wrote it.
    pub(crate) fn descriptor(&self, krate: &TokenStream, at: Span) -> TokenStream {
        let Self {
            description, tags, ..
        } = self;
        let kind = Ident::new(self.kind, Span::call_site());
        let name = &self.name.text;
        let source = source(krate, at);
        quote! {
            #krate::rt::ComponentDescriptor::__new(
                #krate::rt::ComponentKind::#kind,
                #name,
                #description,
                &[#(#tags),*],
                #source,
            )
        }
    }

    /// The element of `slice`, whose type is `descriptor`, and the guards.
    pub(crate) fn declaration(
        &self,
        krate: &TokenStream,
        slice: &str,
        descriptor: &str,
    ) -> TokenStream {
        let slice = Ident::new(slice, Span::call_site());
        let descriptor = Ident::new(descriptor, Span::call_site());
        let guards = guards(krate, self.kind_text, self.name);
        quote! {
            #krate::rt::declare!(#slice, #krate::rt::#descriptor, &__CALLBOARD_DESCRIPTOR);

            #guards
        }
    }
}

/// The two guards of a name: within a crate a macro, within a program a symbol.
pub(crate) fn guards(krate: &TokenStream, kind_text: &str, name: &Name) -> TokenStream {
    let encoded = name::encode(&name.text);
    let symbol = format!("__callboard_duplicate_{kind_text}_{encoded}");
    // A second macro of this name in the crate is an error that shows both places.
    let at = name.span;
    let unique = format_ident!("__callboard_{}_{encoded}", kind_text, span = at);
    let unique = quote_spanned! {at=>
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #unique {
            () => {};
        }
    };
    quote! {
        #unique

        #krate::rt::guard!(#symbol);
    }
}

/// A `SourceLocation`: the place of `at`, as the user wrote it.
pub(crate) fn source(krate: &TokenStream, at: Span) -> TokenStream {
    let line = quote_spanned!(at=> ::core::line!());
    let column = quote_spanned!(at=> ::core::column!());
    let file = quote_spanned!(at=> ::core::file!());
    quote! {
        #krate::rt::SourceLocation::__new(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            #file,
            #line,
            #column,
        )
    }
}
