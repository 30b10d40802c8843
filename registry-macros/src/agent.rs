//! `#[agent]` on an async fn or on a type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Pat, ReturnType};

use crate::attribute;
use crate::common::{About, Common};
use crate::declare::Component;
use crate::errors::Errors;
use crate::name;
use crate::plain_fn;
use crate::tool::Function;

const ABOUT: About = About {
    attribute: "agent",
    description: "Answers.",
    marker: "Summarizer",
};
const KNOWN: &[&str] = &["name", "description", "tags", "marker", "crate"];

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut settings = Settings(Common::default());
    for setting in attribute::settings(attribute, &mut errors) {
        if !settings.0.take(&setting, &ABOUT, &mut errors) {
            setting.unknown("#[agent]", KNOWN, &mut errors);
        }
    }
    let generated = if let Ok(ty) = syn::parse2::<syn::Item>(item.clone())
        && let Some((ident, generics, attributes)) = type_of(&ty)
    {
        if !generics.params.is_empty() {
            errors.at(
                &generics.params,
                "an agent is one value with one name, so its type can't be generic: write the types out",
            );
        }
        settings.for_type(ident, attributes, &mut errors)
    } else if let Ok(function) = Function::parse.parse2(item.clone()) {
        settings.for_function(&function, &mut errors)
    } else {
        errors.at_span(
            Span::call_site(),
            "`#[agent]` goes on an async fn that takes a prompt and returns an answer, or on a struct or enum that implements `Respond` and `Default`",
        );
        None
    };
    let generated = generated.filter(|_| errors.is_empty());
    let errors = errors.into_tokens();
    quote!(#errors #item #generated)
}

fn type_of(item: &syn::Item) -> Option<(&Ident, &syn::Generics, &[Attribute])> {
    match item {
        syn::Item::Struct(item) => Some((&item.ident, &item.generics, &item.attrs)),
        syn::Item::Enum(item) => Some((&item.ident, &item.generics, &item.attrs)),
        _ => None,
    }
}

struct Settings(Common);

impl Settings {
    fn for_type(
        self,
        ident: &Ident,
        attributes: &[Attribute],
        errors: &mut Errors,
    ) -> Option<TokenStream> {
        if let Some(Some(marker)) = &self.0.marker {
            errors.at(marker, "the type is its own marker: take `marker` away");
        }
        let krate = self.0.krate();
        let answer = quote_spanned! {ident.span()=>
            ::std::boxed::Box::pin(async move {
                #krate::rt::answered(<#ident as #krate::rt::Respond>::respond(self, __prompt).await)
            })
        };
        let default = name::snake_case(&name::plain(ident));
        let make = quote!(<#ident as ::core::default::Default>::default());
        self.implementation(ident, ident, &default, attributes, &make, &answer, errors)
    }

    fn for_function(mut self, function: &Function, errors: &mut Errors) -> Option<TokenStream> {
        let krate = self.0.krate();
        let signature = &function.signature;
        if signature.asyncness.is_none() {
            errors.at(
                signature.fn_token,
                "an agent is an `async fn`: write `async` before `fn`",
            );
        }
        plain_fn::refuse_qualifiers(signature, "an agent", errors);
        if !signature.generics.params.is_empty() {
            errors.at(
                &signature.generics.params,
                "an agent can't be generic: write `prompt: &str` or `prompt: String`",
            );
        }
        let mut inputs = signature.inputs.iter();
        let at_prompt = match signature.inputs.first() {
            Some(FnArg::Typed(typed)) => typed.ty.span(),
            _ => signature.ident.span(),
        };
        match (inputs.next(), inputs.next()) {
            (Some(FnArg::Typed(typed)), None) if matches!(&*typed.pat, Pat::Ident(_) | Pat::Wild(_)) => {}
            (Some(FnArg::Receiver(receiver)), _) => errors.at(
                receiver,
                "an agent has no state of the application; a type of its own is an agent with `#[agent]` on it and `Respond`",
            ),
            (None, _) => errors.at(
                &signature.ident,
                "an agent takes one parameter, the prompt: write `prompt: &str` or `prompt: String`",
            ),
            (_, Some(second)) => errors.at(
                second,
                "an agent takes the prompt and nothing else: write what it needs into the prompt, or make it a `#[tool]`",
            ),
            (Some(other), None) => errors.at(other, "an agent takes the prompt whole: give the parameter a name"),
        }
        if matches!(signature.output, ReturnType::Default) {
            errors.at(
                &signature.ident,
                "an agent answers: return a `String`, or a `Result` with one",
            );
        }
        let default = name::plain(&signature.ident);
        let marker = plain_fn::marker(self.0.marker.take(), &signature.ident, "agent", errors)?;
        let returned = match &signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => quote!(#ty),
        };
        let ident = &signature.ident;
        let prompt = quote_spanned!(at_prompt=> #krate::rt::prompt(__prompt));
        let answered = quote_spanned! {returned.span()=>
            #krate::rt::answered(
                <#returned as #krate::rt::Returned<
                    { <#krate::rt::Probe<#returned>>::IS_RESULT },
                >>::into_result(__returned),
            )
        };
        let answer = quote_spanned! {ident.span()=>
            ::std::boxed::Box::pin(async move {
                #[allow(unused_imports)]
                use #krate::rt::Otherwise as _;
                let __returned = #ident(#prompt).await;
                #answered
            })
        };
        let make = quote!(#marker);
        let visibility = &function.visibility;
        let cfgs = function.cfgs();
        let implementation = self.implementation(
            &marker,
            &signature.ident,
            &default,
            &function.attributes,
            &make,
            &answer,
            errors,
        )?;
        let doc = format!("The agent [`{default}`], as a type.");
        Some(quote! {
            #(#cfgs)*
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            #visibility struct #marker;

            #implementation
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the two callers differ in each")]
    fn implementation(
        self,
        ty: &Ident,
        at: &Ident,
        default_name: &str,
        attributes: &[Attribute],
        make: &TokenStream,
        answer: &TokenStream,
        errors: &mut Errors,
    ) -> Option<TokenStream> {
        let name = self.0.name_or(default_name, at.span(), &ABOUT, errors)?;
        let krate = self.0.krate();
        let description = self.0.description_or(attributes);
        let component = Component {
            kind: "Agent",
            kind_text: "agent",
            name: &name,
            description: &description,
            tags: &self.0.tags,
        };
        let descriptor = component.descriptor(&krate, at.span());
        let declaration = component.declaration(&krate, "CALLBOARD_AGENTS_V1", "AgentDescriptor");
        let cfgs = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"));
        Some(quote! {
            #(#cfgs)*
            #[allow(non_local_definitions, deprecated)]
            const _: () = {
                static __CALLBOARD_DESCRIPTOR: #krate::rt::AgentDescriptor = #krate::rt::AgentDescriptor::__new(
                    #descriptor,
                    || ::std::sync::Arc::new(#make),
                );

                impl #krate::rt::Agent for #ty {
                    fn name(&self) -> &str {
                        __CALLBOARD_DESCRIPTOR.component().name()
                    }

                    fn description(&self) -> &str {
                        __CALLBOARD_DESCRIPTOR.component().description()
                    }

                    fn tags(&self) -> ::std::vec::Vec<&str> {
                        __CALLBOARD_DESCRIPTOR.component().tags().to_vec()
                    }

                    fn answer<'a>(
                        &'a self,
                        __prompt: &'a str,
                    ) -> #krate::rt::BoxFuture<
                        'a,
                        ::core::result::Result<::std::string::String, #krate::rt::DispatchError>,
                    > {
                        #answer
                    }
                }

                #declaration
            };
        })
    }
}
