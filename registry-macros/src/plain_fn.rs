//! What the attributes on functions other than tools have in common.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Signature;

use crate::errors::Errors;
use crate::name;

/// Reports `const`, `unsafe` and `extern`; `what` is "an agent", say.
pub(crate) fn refuse_qualifiers(signature: &Signature, what: &str, errors: &mut Errors) {
    let unsafety = match &signature.safety {
        syn::Safety::Unsafe(token) => Some(token.to_token_stream()),
        _ => None,
    };
    let constness = signature.constness.map(ToTokens::into_token_stream);
    let abi = signature.abi.as_ref().map(ToTokens::to_token_stream);
    for token in [constness, unsafety, abi].into_iter().flatten() {
        let message = format!("{what} can't be `{token}`: take it away");
        errors.at(token, message);
    }
}

/// The name of the struct beside a function: the one given, or the function's in the form of a
/// type's.
pub(crate) fn marker(
    given: Option<Option<Ident>>,
    function: &Ident,
    attribute: &str,
    errors: &mut Errors,
) -> Option<Ident> {
    if let Some(given) = given {
        return given;
    }
    let plain = name::plain(function);
    match name::pascal_case(&plain) {
        Some(marker) if !name::is_in_prelude(&marker) => Some(Ident::new(&marker, function.span())),
        _ => {
            errors.at(
                function,
                format!(
                    "no type can be named after `{plain}`; name one with `#[{attribute}(marker = Name)]`"
                ),
            );
            None
        }
    }
}
