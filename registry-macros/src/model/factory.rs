//! The function of a model: called once, when the registry is sealed.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ReturnType};

use crate::errors::Errors;
use crate::plain_fn;
use crate::tool::Function;

/// Checks the function; gives the expression of its `ModelFactory`.
pub(super) fn read(
    function: &Function,
    krate: &TokenStream,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let signature = &function.signature;
    plain_fn::refuse_qualifiers(signature, "a model's function", errors);
    if let Some(token) = &signature.asyncness {
        errors.at(
            token,
            "a model is made while the registry is sealed, which waits for nothing: take `async` away, and connect at the first message",
        );
    }
    if !signature.generics.params.is_empty() {
        errors.at(
            &signature.generics.params,
            "a model's function can't be generic: write the types out, and leave lifetimes to be inferred (`State<'_, T>`)",
        );
    }
    let mut requires = TokenStream::new();
    let mut values = TokenStream::new();
    for input in &signature.inputs {
        let typed = match input {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => {
                errors.at(
                    receiver,
                    "a model is made by a function, not by a method: take `#[inject] State(value): State<'_, T>`",
                );
                continue;
            }
        };
        if !typed
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("inject"))
        {
            errors.at(
                typed,
                "no one sends arguments to a model's function: put `#[inject]` on what the registry was given, as in `#[inject] State(http): State<'_, Http>`",
            );
            continue;
        }
        let ty = &typed.ty;
        requires.extend(quote_spanned! {ty.span()=>
            <#ty as #krate::rt::FromProvided<'_>>::requires(__requirements);
        });
        values.extend(quote_spanned!(ty.span()=> #krate::rt::provided::<#ty>(__provided)?,));
    }
    let ReturnType::Type(_, returned) = &signature.output else {
        errors.at(
            &signature.ident,
            "a model's function returns a model: write `-> impl ChatModel`, or a `Result` with one",
        );
        return None;
    };
    let ident = &signature.ident;
    let made = quote_spanned!(returned.span()=> #krate::rt::made(__made));
    Some(quote! {
        ::core::option::Option::Some(#krate::rt::ModelFactory::new(
            |__requirements| { let _ = &__requirements; #requires },
            |__provided| {
                #[allow(unused_imports)]
                use #krate::rt::NotResult as _;
                let _ = __provided;
                let __made = #krate::rt::Made(#ident(#values)).into_result();
                #made
            },
        ))
    })
}
