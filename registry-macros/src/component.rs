//! `component!(Kind, "name", "description", tags("…"))`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token};

use crate::attribute;
use crate::crate_path;
use crate::declare::Component;
use crate::errors::Errors;
use crate::name::{self, Name};

/// The kinds that are a name and words, with their text.
const KINDS: &[(&str, &str)] = &[
    ("Graph", "graph"),
    ("Router", "router"),
    ("Reducer", "reducer"),
    ("Store", "store"),
    ("Script", "script"),
    ("Middleware", "middleware"),
    ("Checkpointer", "checkpointer"),
    ("TaskStore", "task_store"),
    ("Listener", "listener"),
];

struct Input {
    kind: Ident,
    name: LitStr,
    description: Option<LitStr>,
    settings: TokenStream,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let usage = |input: ParseStream<'_>| {
            input.error("write `component!(Reducer, \"append_messages\", \"What it does.\", tags(\"chat\"))`")
        };
        let kind = input.parse().map_err(|_| usage(input))?;
        input.parse::<Token![,]>().map_err(|_| usage(input))?;
        let name = input.parse().map_err(|_| usage(input))?;
        let mut description = None;
        if input.peek(Token![,]) && input.peek2(LitStr) {
            input.parse::<Token![,]>()?;
            description = Some(input.parse()?);
        }
        if !input.is_empty() {
            input.parse::<Token![,]>().map_err(|_| usage(input))?;
        }
        if input.peek(syn::Lit) {
            return Err(usage(input));
        }
        Ok(Self {
            kind,
            name,
            description,
            settings: input.parse()?,
        })
    }
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input: Input = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::new();
    let kind = input.kind.to_string();
    let kind_text = KINDS
        .iter()
        .find(|(variant, _)| *variant == kind)
        .map_or("", |(_, text)| *text);
    if kind_text.is_empty() {
        let remedy = match kind.as_str() {
            "Tool" => "a tool is a function: put `#[tool]` on it".to_owned(),
            "Agent" => "an agent is a function or a type: put `#[agent]` on it".to_owned(),
            "Model" => "a model has a handle: use `register_model`".to_owned(),
            _ => format!(
                "the kinds are {}",
                KINDS
                    .iter()
                    .map(|(kind, _)| *kind)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        };
        errors.at(
            &input.kind,
            format!("`component!` doesn't declare the kind `{kind}`: {remedy}"),
        );
    }
    if let Some(problem) = name::problem(&input.name.value()) {
        errors.at(&input.name, problem);
    }
    let mut tags = Vec::new();
    let mut crate_given = None;
    for setting in attribute::settings(input.settings, &mut errors) {
        match setting.key().as_str() {
            "tags" => tags = setting.tags(&mut errors),
            "crate" => crate_given = setting.path(&mut errors),
            _ => setting.unknown("component!", &["tags", "crate"], &mut errors),
        }
    }
    if !errors.is_empty() {
        return errors.into_tokens();
    }
    let krate = crate_path::resolve(crate_given.as_ref());
    let description = input
        .description
        .map_or_else(|| quote!(""), |text| quote!(#text));
    let component = Component {
        kind: &kind,
        kind_text,
        name: &Name {
            text: input.name.value(),
            span: input.name.span(),
        },
        description: &description,
        tags: &tags,
    };
    let descriptor = component.descriptor(&krate, input.name.span());
    let declaration =
        component.declaration(&krate, "CALLBOARD_COMPONENTS_V1", "ComponentDescriptor");
    quote! {
        #[allow(non_local_definitions)]
        const _: () = {
            static __CALLBOARD_DESCRIPTOR: #krate::rt::ComponentDescriptor = #descriptor;
            #declaration
        };
    }
}
