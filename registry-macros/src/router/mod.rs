//! `#[router]` on an enum, whose variants are routes, or on a function, which is a policy by name.

mod expand;
mod route;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::Parser;

use crate::attribute;
use crate::common::{About, Common};
use crate::declare::Component;
use crate::errors::Errors;
use crate::name::{self, Name};
use crate::tool::Function;
use route::Route;

const ABOUT: About = About {
    attribute: "router",
    description: "Picks a model.",
    marker: "",
};
const KNOWN: &[&str] = &["name", "description", "tags", "crate"];

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut settings = Settings(Common::default());
    for setting in attribute::settings(attribute, &mut errors) {
        if !KNOWN.contains(&setting.key().as_str())
            || !settings.0.take(&setting, &ABOUT, &mut errors)
        {
            setting.unknown("#[router]", KNOWN, &mut errors);
        }
    }
    let (item, generated) = if let Ok(mut routes) = syn::parse2::<syn::ItemEnum>(item.clone()) {
        let generated = settings.for_enum(&mut routes, &mut errors);
        (quote!(#routes), generated)
    } else if let Ok(function) = Function::parse.parse2(item.clone()) {
        let generated = settings.for_function(&function, &mut errors);
        (item, generated)
    } else {
        errors.at_span(
            Span::call_site(),
            "`#[router]` goes on an enum with `#[route(model = …)]` on each variant, or on a function that is a policy of your own",
        );
        (item, None)
    };
    let generated = generated.filter(|_| errors.is_empty());
    let errors = errors.into_tokens();
    quote!(#errors #item #generated)
}

struct Settings(Common);

impl Settings {
    fn for_enum(self, item: &mut syn::ItemEnum, errors: &mut Errors) -> Option<TokenStream> {
        if !item.generics.params.is_empty() {
            errors.at(
                &item.generics.params,
                "a router is one choice with one name, so its type can't be generic",
            );
        }
        if item.variants.is_empty() {
            errors.at(
                &item.ident,
                "a router has a route at least: write a variant with `#[route(model = …)]` on it",
            );
        }
        let krate = self.0.krate();
        let routes: Vec<Route> = item
            .variants
            .iter_mut()
            .filter_map(|variant| Route::read(variant, &krate, errors))
            .collect();
        let name = self.resolved_name(&item.ident, errors)?;
        let mut taken = vec![(name.text.clone(), "the router itself")];
        for route in &routes {
            let alias = &route.alias;
            if let Some((_, by)) = taken.iter().find(|(taken, _)| *taken == alias.text) {
                errors.at_span(
                    alias.span,
                    format!(
                        "`{}` is the name of {by}: give the route another with `alias = \"…\"`",
                        alias.text
                    ),
                );
            }
            taken.push((alias.text.clone(), "a route before it"));
        }
        let description = self.0.description_or(&item.attrs);
        let component = self.component(&name, &description);
        errors
            .is_empty()
            .then(|| expand::expand(item, &routes, &component, &krate))
    }

    fn for_function(self, function: &Function, errors: &mut Errors) -> Option<TokenStream> {
        let krate = self.0.krate();
        let ident = &function.signature.ident;
        let name = self.resolved_name(ident, errors)?;
        let description = self.0.description_or(&function.attributes);
        let component = self.component(&name, &description);
        let descriptor = component.descriptor(&krate, ident.span());
        let declaration =
            component.declaration(&krate, "CALLBOARD_COMPONENTS_V1", "ComponentDescriptor");
        let cfgs = function.cfgs();
        Some(quote! {
            #(#cfgs)*
            #[allow(non_local_definitions)]
            const _: () = {
                static __CALLBOARD_DESCRIPTOR: #krate::rt::ComponentDescriptor = #descriptor;
                #declaration
            };
        })
    }

    fn resolved_name(&self, ident: &Ident, errors: &mut Errors) -> Option<Name> {
        let default = name::snake_case(&name::plain(ident));
        self.0.name_or(&default, ident.span(), &ABOUT, errors)
    }

    fn component<'a>(&'a self, name: &'a Name, description: &'a TokenStream) -> Component<'a> {
        Component {
            kind: "Router",
            kind_text: "router",
            name,
            description,
            tags: &self.0.tags,
        }
    }
}
