//! The code beside an enum under `#[router]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use super::route::{Route, span_of};
use crate::declare::{self, Component};
use crate::gate;

pub(super) fn expand(
    item: &syn::ItemEnum,
    routes: &[Route],
    component: &Component<'_>,
    krate: &TokenStream,
) -> TokenStream {
    let ident = &item.ident;
    let visibility = &item.vis;
    let descriptor = component.descriptor(krate, ident.span());
    let declaration = component.declaration(krate, "CALLBOARD_ROUTERS_V1", "RouterDescriptor");
    let expanded: Vec<_> = routes
        .iter()
        .enumerate()
        .map(|(position, route)| expand_route(position, route, krate))
        .collect();
    let models = expanded.iter().map(|route| &route.models);
    let descriptors = expanded.iter().map(|route| &route.descriptor);
    let checks = expanded.iter().map(|route| &route.checks);
    let variants: Vec<_> = routes
        .iter()
        .map(|Route { cfgs, variant, .. }| quote!(#(#cfgs)* Self::#variant))
        .collect();
    let aliases = routes.iter().map(|route| &route.alias.text);
    let cfgs = item
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        #[allow(non_local_definitions, deprecated)]
        const _: () = {
            #(#models)*

            static __CALLBOARD_DESCRIPTOR: #krate::rt::RouterDescriptor =
                #krate::rt::RouterDescriptor::__new(#descriptor, &[#(#descriptors),*]);

            impl #krate::rt::Router for #ident {
                const DESCRIPTOR: &'static #krate::rt::RouterDescriptor = &__CALLBOARD_DESCRIPTOR;
            }

            #[allow(dead_code)]
            impl #ident {
                /// Every route, in the order in which they are written.
                #visibility const ALL: &'static [Self] = &[#(#variants),*];

                /// The name of the route.
                #visibility const fn alias(&self) -> &'static str {
                    match self {
                        #(#variants => #aliases,)*
                    }
                }

                /// The JSON Schema of the routes' names, for a model to pick one.
                #visibility fn schema() -> #krate::rt::serde_json::Value {
                    #krate::rt::route_schema(&__CALLBOARD_DESCRIPTOR)
                }
            }

            impl ::core::str::FromStr for #ident {
                type Err = #krate::rt::UnknownRoute;

                fn from_str(alias: &str) -> ::core::result::Result<Self, Self::Err> {
                    for route in [#(#variants),*] {
                        if route.alias() == alias {
                            return ::core::result::Result::Ok(route);
                        }
                    }
                    ::core::result::Result::Err(#krate::rt::unknown_route(
                        &__CALLBOARD_DESCRIPTOR,
                        alias,
                    ))
                }
            }

            impl ::core::convert::AsRef<str> for #ident {
                fn as_ref(&self) -> &str {
                    self.alias()
                }
            }

            #declaration
            #(#checks)*
        };
    }
}

struct Expanded {
    /// A constant for the descriptor of each model: where a type is no model, that is said once.
    models: TokenStream,
    descriptor: TokenStream,
    /// The guards of the alias, and the gates.
    checks: TokenStream,
}

fn expand_route(position: usize, route: &Route, krate: &TokenStream) -> Expanded {
    let Route {
        cfgs,
        alias,
        description,
        requires,
        min_context,
        ..
    } = route;
    let names: Vec<_> = (0..=route.fallbacks.len())
        .map(|model| format_ident!("__CALLBOARD_ROUTE_{}_{}", position, model))
        .collect();
    let models = names
        .iter()
        .zip(route.models())
        .map(|(name, ty)| {
            quote_spanned! {span_of(ty)=>
                #(#cfgs)*
                const #name: &#krate::rt::ModelDescriptor =
                    <#ty as #krate::rt::Model>::DESCRIPTOR;
            }
        })
        .collect();
    let (target, fallbacks) = match names.split_first() {
        Some((target, fallbacks)) => (quote!(#target), fallbacks),
        None => (TokenStream::new(), &[][..]),
    };
    let requires = requires.iter().map(|capability| &capability.path);
    let min_context = match min_context {
        Some((tokens, _)) => quote!(::core::option::Option::Some(#tokens)),
        None => quote!(::core::option::Option::None),
    };
    let name = &alias.text;
    let source = declare::source(krate, alias.span);
    let descriptor = quote! {
        #(#cfgs)*
        #krate::rt::RouteDescriptor::__new(
            #name,
            #description,
            #target,
            #krate::rt::CapabilitySet::of(&[#(#requires),*]),
            #min_context,
            &[#(#fallbacks),*],
            #source,
        )
    };
    let guards = declare::guards(krate, "router", alias);
    let gates: TokenStream = route
        .gates(&names, krate)
        .iter()
        .map(|(at, gate)| gate::check(*at, gate))
        .collect();
    let checks = quote! {
        #(#cfgs)*
        const _: () = {
            #guards
            #gates
        };
    };
    Expanded {
        models,
        descriptor,
        checks,
    }
}
