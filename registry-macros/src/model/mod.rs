//! `#[model]` on a struct, which states facts, or on a function, which makes a handle as well.

mod factory;
mod facts;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Attribute;
use syn::parse::Parser;

use crate::attribute::{self, Setting};
use crate::common::{About, Common};
use crate::declare::Component;
use crate::errors::Errors;
use crate::gate;
use crate::plain_fn;
use crate::tool::Function;
use facts::Facts;

const ABOUT: About = About {
    attribute: "model",
    description: "The house model.",
    marker: "Claude",
};
const KNOWN: &[&str] = &[
    "catalog",
    "deny_deprecated",
    "provider",
    "id",
    "context",
    "input",
    "output",
    "supports",
    "prices",
    "name",
    "description",
    "tags",
    "marker",
    "crate",
];

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut settings = Settings(Common::default());
    let mut about_facts = Vec::new();
    for setting in attribute::settings(attribute, &mut errors) {
        if settings.0.take(&setting, &ABOUT, &mut errors) {
            continue;
        }
        if KNOWN.contains(&setting.key().as_str()) {
            about_facts.push(setting);
        } else {
            setting.unknown("#[model]", KNOWN, &mut errors);
        }
    }
    let (item, generated) = if let Ok(ty) = syn::parse2::<syn::ItemStruct>(item.clone()) {
        let generated = settings.for_type(&ty, about_facts, &mut errors);
        (item, generated)
    } else if let Ok(function) = Function::parse.parse2(item.clone()) {
        let generated = settings.for_function(&function, about_facts, &mut errors);
        (function.cleaned(), generated)
    } else {
        errors.at_span(
            Span::call_site(),
            "`#[model]` goes on a struct, or on a function that returns a `ChatModel`",
        );
        (item, None)
    };
    let generated = generated.filter(|_| errors.is_empty());
    let errors = errors.into_tokens();
    quote!(#errors #item #generated)
}

struct Settings(Common);

impl Settings {
    fn for_type(
        self,
        item: &syn::ItemStruct,
        about_facts: Vec<Setting>,
        errors: &mut Errors,
    ) -> Option<TokenStream> {
        if !item.generics.params.is_empty() {
            errors.at(
                &item.generics.params,
                "a model is one set of facts with one name, so its type can't be generic",
            );
        }
        if let Some(Some(marker)) = &self.0.marker {
            errors.at(marker, "the type is its own marker: take `marker` away");
        }
        let factory = quote!(::core::option::Option::None);
        self.implementation(
            &item.ident,
            &item.ident,
            &item.attrs,
            about_facts,
            &factory,
            errors,
        )
    }

    fn for_function(
        mut self,
        function: &Function,
        about_facts: Vec<Setting>,
        errors: &mut Errors,
    ) -> Option<TokenStream> {
        let krate = self.0.krate();
        let ident = &function.signature.ident;
        let marker = plain_fn::marker(self.0.marker.take(), ident, "model", errors);
        let factory = factory::read(function, &krate, errors);
        let marker = marker?;
        let implementation = self.implementation(
            &marker,
            ident,
            &function.attributes,
            about_facts,
            &factory?,
            errors,
        )?;
        let cfgs = function.cfgs();
        let visibility = &function.visibility;
        let doc = format!("The model that [`{ident}`] makes, as a type.");
        Some(quote! {
            #(#cfgs)*
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            #visibility struct #marker;

            #implementation
        })
    }

    fn implementation(
        self,
        ty: &Ident,
        at: &Ident,
        attributes: &[Attribute],
        about_facts: Vec<Setting>,
        factory: &TokenStream,
        errors: &mut Errors,
    ) -> Option<TokenStream> {
        let krate = self.0.krate();
        let facts = Facts::read(about_facts, at, &krate, errors)?;
        let name = self.0.name_or(&facts.id(), at.span(), &ABOUT, errors)?;
        let description = self.0.description_or(attributes);
        let component = Component {
            kind: "Model",
            kind_text: "model",
            name: &name,
            description: &description,
            tags: &self.0.tags,
        };
        let descriptor = component.descriptor(&krate, at.span());
        let declaration = component.declaration(&krate, "CALLBOARD_MODELS_V1", "ModelDescriptor");
        let entry = facts.entry(&krate);
        let gates: TokenStream = facts
            .gates(&krate)
            .iter()
            .map(|(at, gate)| gate::check(*at, gate))
            .collect();
        let cfgs = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"));
        Some(quote! {
            #(#cfgs)*
            #[allow(non_local_definitions, deprecated)]
            const _: () = {
                #entry

                static __CALLBOARD_DESCRIPTOR: #krate::rt::ModelDescriptor =
                    #krate::rt::ModelDescriptor::__new(#descriptor, __CALLBOARD_ENTRY, #factory);

                impl #krate::rt::Model for #ty {
                    const DESCRIPTOR: &'static #krate::rt::ModelDescriptor = &__CALLBOARD_DESCRIPTOR;
                }

                #declaration
                #gates
            };
        })
    }
}
