//! Checks that only the compiler can make, since they need what a type's constants say.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// Fails the build at this place, with the gate's text, where it isn't passed. `gate` is of type
/// `Result<_, GateText>`.
pub(crate) fn check(at: Span, gate: &TokenStream) -> TokenStream {
    quote_spanned! {at=>
        const _: () = {
            if let ::core::result::Result::Err(__callboard_text) = &#gate {
                ::core::panic!("{}", __callboard_text.as_str())
            }
        };
    }
}
