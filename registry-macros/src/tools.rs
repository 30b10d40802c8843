//! `#[tools]` on an `impl` block, whose methods under `#[tool]` become tools.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::parse::Parser;
use syn::{Attribute, Generics, ImplItem, Meta, Token, Type};

use crate::attribute;
use crate::errors::Errors;
use crate::tool::{self, Function, is_function};

/// The block: its head is read, and of its methods the signatures.
struct Block {
    attributes: Vec<Attribute>,
    unsafety: Option<Token![unsafe]>,
    keyword: Token![impl],
    generics: Generics,
    /// The type, or the trait with the type after it.
    self_type: Type,
    of_trait: Option<(Token![for], Type)>,
    items: Vec<Item>,
}

enum Item {
    Method(Box<Function>),
    Other(TokenStream),
}

fn parse(input: ParseStream<'_>) -> syn::Result<Block> {
    let attributes = input.call(Attribute::parse_outer)?;
    let unsafety = input.parse()?;
    let keyword = input.parse().map_err(|error: syn::Error| {
        syn::Error::new(
            error.span(),
            "`#[tools]` goes on an `impl` block; for a function, use `#[tool]`",
        )
    })?;
    let mut generics = if input.peek(Token![<]) {
        input.parse()?
    } else {
        Generics::default()
    };
    let self_type = input.parse()?;
    let of_trait = match input.parse()? {
        Some(token) => Some((token, input.parse()?)),
        None => None,
    };
    generics.where_clause = input.parse()?;
    let body;
    syn::braced!(body in input);
    let mut items = Vec::new();
    while !body.is_empty() {
        items.push(if is_function(&body) {
            Item::Method(Box::new(Function::parse_method(&body)?))
        } else {
            Item::Other(body.parse::<ImplItem>()?.into_token_stream())
        });
    }
    Ok(Block {
        attributes,
        unsafety,
        keyword,
        generics,
        self_type,
        of_trait,
        items,
    })
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let block = match parse.parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    let mut krate = None;
    for setting in attribute::settings(attribute, &mut errors) {
        match setting.key().as_str() {
            "crate" => krate = setting.path(&mut errors),
            _ => setting.unknown("#[tools]", &["crate"], &mut errors),
        }
    }
    if let Some((token, _)) = &block.of_trait {
        errors.at(
            token,
            "tools are declared in the type's own `impl`, not in one for a trait: write a method there that calls this one",
        );
    }
    if !block.generics.params.is_empty() {
        errors.at(
            &block.generics.params,
            "the methods of a generic type can't be tools, since a model names no types: put them on an `impl` of one type, such as `impl Cache<String>`",
        );
    }
    let self_type = block.self_type.to_token_stream();
    let mut methods = TokenStream::new();
    let mut generated = TokenStream::new();
    let mut found = false;
    for item in block.items {
        let mut method = match item {
            Item::Other(tokens) => {
                methods.extend(tokens);
                continue;
            }
            Item::Method(method) => method,
        };
        let Some(attribute) = method.take_tool_attribute() else {
            methods.extend(method.whole());
            continue;
        };
        while let Some(again) = method.take_tool_attribute() {
            errors.at(again, "`#[tool]` is on this method already; keep one");
        }
        found = true;
        let settings = match attribute.meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        let settings = match &krate {
            Some(path) => quote!(crate = #path, #settings),
            None => settings,
        };
        methods.extend(method.cleaned());
        if let Some(tool) = tool::read(settings, *method, Some(self_type.clone()), &mut errors) {
            generated.extend(tool.expand());
        }
    }
    if !found && errors.is_empty() {
        errors.at(
            block.keyword,
            "no method here is a tool: put `#[tool]` on those that are",
        );
    }
    if !errors.is_empty() {
        generated = TokenStream::new();
    }
    let errors = errors.into_tokens();
    let (attributes, unsafety, keyword, generics) = (
        &block.attributes,
        &block.unsafety,
        &block.keyword,
        &block.generics,
    );
    let clause = &generics.where_clause;
    let of_trait = block.of_trait.map(|(token, ty)| quote!(#token #ty));
    quote! {
        #errors
        #(#attributes)*
        #unsafety #keyword #generics #self_type #of_trait #clause {
            #methods
        }
        #generated
    }
}
