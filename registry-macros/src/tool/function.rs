//! The function under `#[tool]`: its signature is read, its body is not.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, ReturnType, Signature, Token, Type, Visibility};

use super::params::{Param, Source};
use super::settings::Written;
use super::types::{self, Borrow};
use crate::docs;
use crate::errors::Errors;

pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    /// The block; for a function without one, what stands there instead.
    pub(crate) body: TokenStream,
    /// Filled by `check`.
    pub(super) params: Vec<Param>,
    /// Where `&self` stands, in a method that has it.
    pub(super) receiver: Option<Span>,
}

impl Function {
    pub(crate) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if !begins_function(input) {
            return Err(input.error(
                "`#[tool]` goes on a function; for the methods of an `impl`, put `#[tools]` on the `impl` and `#[tool]` on each method",
            ));
        }
        let signature = input.parse()?;
        Ok(Self {
            attributes,
            visibility,
            signature,
            body: input.parse()?,
            params: Vec::new(),
            receiver: None,
        })
    }

    /// A method of an `impl` block, where other items follow.
    pub(crate) fn parse_method(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse()?;
        let body: proc_macro2::TokenTree = input.parse()?;
        Ok(Self {
            attributes,
            visibility,
            signature,
            body: body.into(),
            params: Vec::new(),
            receiver: None,
        })
    }

    /// The method with everything that stands on it.
    pub(crate) fn whole(&self) -> TokenStream {
        let Self {
            attributes,
            visibility,
            signature,
            body,
            ..
        } = self;
        quote!(#(#attributes)* #visibility #signature #body)
    }

    /// The function as the user wrote it, without what is ours on its parameters: it stays
    /// callable, and where there are errors, it causes no others.
    pub(crate) fn cleaned(&self) -> TokenStream {
        let Self {
            attributes,
            visibility,
            body,
            ..
        } = self;
        let mut signature = self.signature.clone();
        signature.variadic = None;
        for input in &mut signature.inputs {
            let attributes = match input {
                FnArg::Receiver(receiver) => &mut receiver.attrs,
                FnArg::Typed(typed) => &mut typed.attrs,
            };
            attributes.retain(Param::stays_on_the_function);
        }
        quote!(#(#attributes)* #visibility #signature #body)
    }

    pub(crate) fn description(&self) -> TokenStream {
        docs::description(&self.attributes)
    }

    /// The attributes that decide whether the function exists, for all that stands beside it.
    pub(crate) fn cfgs(&self) -> Vec<&Attribute> {
        self.attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .collect()
    }

    /// The type that is returned; `()` where none is written.
    pub(super) fn returned(&self) -> TokenStream {
        match &self.signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, returned) => returned.to_token_stream(),
        }
    }

    /// Takes the attribute off that stands on the method of an `impl` under `#[tools]`, or that
    /// stands on a function a second time.
    pub(crate) fn take_tool_attribute(&mut self) -> Option<Attribute> {
        let position = self.attributes.iter().position(|attribute| {
            attribute
                .path()
                .segments
                .last()
                .is_some_and(|segment| segment.ident == "tool")
        })?;
        Some(self.attributes.remove(position))
    }

    /// Sorts the parameters, and reports everything that can't be a tool.
    pub(super) fn check(
        &mut self,
        self_type: Option<&TokenStream>,
        settings: &Written,
        errors: &mut Errors,
    ) {
        self.check_qualifiers(errors);
        self.check_generics(errors);
        self.check_output(errors);
        if !self
            .body
            .clone()
            .into_iter()
            .next()
            .is_some_and(|token| matches!(token, proc_macro2::TokenTree::Group(_)))
        {
            errors.at(
                &self.signature.ident,
                "a tool has a body, so a method that a trait only declares and a foreign function can't be one: write a function that calls it, and put `#[tool]` on that",
            );
        }
        let mut params = Vec::new();
        for input in &self.signature.inputs {
            match input {
                FnArg::Typed(typed) => {
                    params.extend(Param::read(typed, self_type, settings, errors));
                }
                FnArg::Receiver(receiver) if self_type.is_none() => errors.at(
                    receiver,
                    "`self` is for methods: put `#[tools]` on the `impl` block and `#[tool]` on the method; there, `&self` is a value that the registry was given",
                ),
                FnArg::Receiver(receiver) => {
                    self.receiver = Some(receiver.self_token.span());
                    let plain = matches!(
                        &receiver.kind,
                        syn::ReceiverKind::Reference(_, lifetime, None)
                            if lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static")
                    );
                    if !plain {
                        errors.at(
                            receiver,
                            "a tool shares its value with every other call: write `&self`, and put what changes behind a lock",
                        );
                    }
                }
            }
        }
        if let Some(args) = params
            .iter()
            .find(|param| matches!(param.source, Source::Args))
        {
            for other in params.iter().filter(|param| !std::ptr::eq(*param, args)) {
                match other.source {
                    Source::Args => errors.at(
                        &other.pattern,
                        "`#[args]` is the one parameter that the model fills in; there is one already",
                    ),
                    Source::Json => errors.at(
                        &other.pattern,
                        "with `#[args]`, that parameter is all that the model sends: make this one a field of its struct, or put `#[inject]` on it",
                    ),
                    Source::Inject => {}
                }
            }
            if settings.allow_unknown_fields {
                errors.at(
                    &args.pattern,
                    "`allow_unknown_fields` is about the generated struct; your own says so itself, with or without `#[serde(deny_unknown_fields)]`",
                );
            }
        }
        // Each doubles the ways in which the function is called.
        const MOST_CONDITIONAL: usize = 6;
        if let Some(param) = params
            .iter()
            .filter(|param| !param.cfgs.is_empty())
            .nth(MOST_CONDITIONAL)
        {
            errors.at(
                &param.pattern,
                "at most 6 parameters of a tool can have a `#[cfg]`: put what belongs together in a struct, and the `#[cfg]`s on its fields",
            );
            params.retain(|param| param.cfgs.is_empty());
        }
        self.params = params;
    }

    /// Refuses a type in the signature that has the name of a struct that is made beside the
    /// function: rustc would tell of it in many words, and none that help.
    pub(super) fn check_marker(
        &self,
        marker: &Ident,
        self_type: Option<&TokenStream>,
        errors: &mut Errors,
    ) {
        let generated = format_ident!("{marker}Args");
        let makes_args = !self
            .params
            .iter()
            .any(|param| matches!(param.source, Source::Args));
        let types = self
            .params
            .iter()
            .map(|param| param.ty.clone())
            .chain([self.returned()])
            .chain(self.receiver.and(self_type.cloned()));
        for ty in types {
            let found = types::named(ty.clone(), marker)
                .or_else(|| makes_args.then(|| types::named(ty, &generated)).flatten());
            if let Some(ident) = found {
                errors.at(
                    &ident,
                    format!(
                        "the attribute makes a struct `{ident}` for this tool, and this type has its name: name the struct with `#[tool(marker = {marker}Tool)]`"
                    ),
                );
                return;
            }
        }
    }

    fn check_qualifiers(&self, errors: &mut Errors) {
        let signature = &self.signature;
        if let Some(token) = &signature.constness {
            errors.at(
                token,
                "a tool can't be `const`, since it runs for a model: take `const` away",
            );
        }
        if let syn::Safety::Unsafe(token) = &signature.safety {
            errors.at(
                token,
                "a tool can't be `unsafe`, since a model would call it: check what has to be checked inside a safe function",
            );
        }
        if let Some(token) = &signature.abi {
            errors.at(token, "a tool can't be `extern`: take it away");
        }
        if let Some(token) = &signature.variadic {
            errors.at(
                token,
                "a tool has a fixed list of parameters: for any number of values, take a `Vec`",
            );
        }
    }

    fn check_generics(&self, errors: &mut Errors) {
        let generics = &self.signature.generics;
        if !generics.params.is_empty() {
            errors.at(
                &generics.params,
                "a tool can't be generic, since a model names no types and no lifetimes: write the types out, and leave lifetimes to be inferred (`&ToolCallContext`, `State<'_, T>`)",
            );
        } else if let Some(clause) = &generics.where_clause {
            errors.at(
                clause,
                "a tool isn't generic, so it has no `where`: take it away",
            );
        }
    }

    fn check_output(&self, errors: &mut Errors) {
        let ReturnType::Type(_, returned) = &self.signature.output else {
            return;
        };
        let tokens = returned.to_token_stream();
        if let Type::ImplTrait(opaque) = &**returned {
            let bounds = opaque.bounds.to_token_stream().to_string();
            let remedy = if bounds.contains("Stream") {
                "streams can't be returned yet: collect the items, and return a `Vec`"
            } else if bounds.contains("Future") {
                "write `async fn`, and return what the future gives"
            } else {
                "write the type out; it needs `serde::Serialize`"
            };
            errors.at(
                returned,
                format!("the output of a tool has a name in its descriptor, which `impl Trait` has not: {remedy}"),
            );
        } else if let Some(word) = types::keyword(tokens.clone(), "impl") {
            errors.at(
                word,
                "the output of a tool has a name in its descriptor, which `impl Trait` has not: write the type out",
            );
        } else if let Type::Never(never) = &**returned {
            errors.at(never, "a tool returns: write the type of its output");
        }
        match types::borrow(tokens, false) {
            Some(Borrow::Reference(span)) => errors.at_span(
                span,
                "the output of a tool outlives the call, so it can't be borrowed: return an owned value, such as `String`",
            ),
            Some(Borrow::Lifetime(name, span)) => errors.at_span(
                span,
                format!("the output of a tool outlives the call, so it can't hold `{name}`: return an owned value"),
            ),
            None => {}
        }
    }
}

/// Whether a function comes next, after attributes and visibility.
pub(crate) fn is_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer).is_ok()
        && ahead.parse::<Visibility>().is_ok()
        && begins_function(&ahead)
}

/// Whether a signature comes next: `fn`, after any of the words that can stand before it.
fn begins_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while ahead.peek(Token![const])
        || ahead.peek(Token![async])
        || ahead.peek(Token![unsafe])
        || ahead.peek(Token![extern])
        || ahead.peek(syn::LitStr)
    {
        if ahead.parse::<proc_macro2::TokenTree>().is_err() {
            return false;
        }
    }
    ahead.peek(Token![fn])
}
