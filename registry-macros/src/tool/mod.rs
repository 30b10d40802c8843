//! `#[tool]` on a function: parse, check, expand.

mod expand;
mod function;
mod params;
mod settings;
mod types;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;

use crate::errors::Errors;

pub(crate) use function::{Function, is_function};
use settings::Settings;

/// A tool that was read without error.
pub(crate) struct Tool {
    pub(crate) settings: Settings,
    pub(crate) function: Function,
    /// The type that the function is a method of.
    pub(crate) self_type: Option<TokenStream>,
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut function = match Function::parse.parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    while let Some(again) = function.take_tool_attribute() {
        errors.at(again, "`#[tool]` is on this function already; keep one");
    }
    let cleaned = function.cleaned();
    let generated = read(attribute, function, None, &mut errors).map(|tool| tool.expand());
    let errors = errors.into_tokens();
    quote!(#errors #cleaned #generated)
}

/// Reads and checks everything; `None` when there are errors.
pub(crate) fn read(
    attribute: TokenStream,
    mut function: Function,
    self_type: Option<TokenStream>,
    errors: &mut Errors,
) -> Option<Tool> {
    let settings = Settings::read(attribute, &function, errors);
    function.check(self_type.as_ref(), &settings, errors);
    let settings = settings.checked(&function, errors)?;
    function.check_marker(&settings.marker, self_type.as_ref(), errors);
    errors.is_empty().then_some(Tool {
        settings,
        function,
        self_type,
    })
}
