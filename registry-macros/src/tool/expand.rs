//! What `#[tool]` makes beside the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::LitStr;
use syn::spanned::Spanned;

use super::Tool;
use super::params::{Param, Source};
use super::types;
use crate::declare::Component;

impl Tool {
    /// The struct that names the tool, its arguments, and everything registered about them.
    pub(crate) fn expand(&self) -> TokenStream {
        let cfgs = self.function.cfgs();
        let visibility = &self.function.visibility;
        let marker = &self.settings.marker;
        let doc = format!(
            "The tool `{}`, as a type: see [`{}`].",
            self.settings.name.text, self.function.signature.ident
        );
        let doc = if self.self_type.is_some() {
            format!("The tool `{}`, as a type.", self.settings.name.text)
        } else {
            doc
        };
        // Before the struct of the arguments: what it asserts is to be reported before what
        // the derives find wrong.
        let arguments = self.arguments();
        // Where this name is taken, the function is what it was made from.
        let at = Span::call_site().located_at(marker.span());
        let item = quote_spanned!(at=> #visibility struct #marker;);
        let implementation = self.implementation();
        quote! {
            #(#cfgs)*
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            #item

            #implementation
            #arguments
        }
    }

    fn fields(&self) -> impl Iterator<Item = &Param> {
        self.function
            .params
            .iter()
            .filter(|param| param.source == Source::Json)
    }

    /// The `#[args]` parameter, if there is one.
    fn declared_args(&self) -> Option<&Param> {
        self.function
            .params
            .iter()
            .find(|param| param.source == Source::Args)
    }

    fn args_type(&self) -> TokenStream {
        match self.declared_args() {
            Some(args) => args.ty.clone(),
            None => self.generated_args().to_token_stream(),
        }
    }

    fn generated_args(&self) -> Ident {
        format_ident!("{}Args", self.settings.marker)
    }

    /// The generated struct; nothing where the user wrote one.
    fn arguments(&self) -> TokenStream {
        if self.declared_args().is_some() {
            return TokenStream::new();
        }
        let krate = &self.settings.krate;
        let cfgs = self.function.cfgs();
        let visibility = &self.function.visibility;
        let ident = self.generated_args();
        let doc = format!("The arguments of the tool `{}`.", self.settings.name.text);
        let serde = format!("{}", quote!(#krate::rt::serde)).replace(' ', "");
        let schemars = format!("{}", quote!(#krate::rt::schemars)).replace(' ', "");
        let deny = (!self.settings.allow_unknown_fields).then(|| quote!(deny_unknown_fields,));
        let fields = self.fields().map(|param| {
            let Param {
                field,
                ty,
                field_attributes,
                ..
            } = param;
            // The field would otherwise need a doc comment where the parameter needs none.
            let undocumented = (!param.has_docs()).then(|| quote!(#[allow(missing_docs)]));
            let bounds = serde_bounds(krate, param);
            quote! {
                #(#field_attributes)*
                #undocumented
                #bounds
                #visibility #field: #ty,
            }
        });
        let empty = self.fields().next().is_none();
        let default = empty.then(|| quote!(::core::default::Default,));
        let traits = self.arguments_traits();
        quote! {
            #(#cfgs)*
            #[doc = #doc]
            #[derive(
                #default
                #krate::rt::serde::Serialize,
                #krate::rt::serde::Deserialize,
                #krate::rt::schemars::JsonSchema,
            )]
            #[serde(crate = #serde, #deny)]
            #[schemars(crate = #schemars)]
            #visibility struct #ident {
                #(#fields)*
            }

            #traits
        }
    }

    /// `Clone` and `Debug` of the generated struct, for as far as its fields have them.
    fn arguments_traits(&self) -> TokenStream {
        let krate = &self.settings.krate;
        let cfgs = self.function.cfgs();
        let ident = self.generated_args();
        let name = ident.to_string();
        let bounds = |of: &str| -> TokenStream {
            let of = Ident::new(of, Span::call_site());
            self.fields()
                .filter(|param| param.cfgs.is_empty())
                .map(|param| {
                    let ty = &param.ty;
                    quote!(for<'__callboard> #ty: #krate::rt::#of<'__callboard>,)
                })
                .collect()
        };
        // A bound can't be behind a `cfg`; a field that is, is left out.
        let whole = self.fields().all(|param| param.cfgs.is_empty());
        let shown: Vec<&Ident> = self
            .fields()
            .filter(|param| param.cfgs.is_empty())
            .map(|param| &param.field)
            .collect();
        let shown_names = shown.iter().map(|field| crate::name::plain(field));
        let finish = if whole {
            quote!(finish)
        } else {
            quote!(finish_non_exhaustive)
        };
        let debug_bounds = bounds("DebugIf");
        let clone = whole.then(|| {
            let bounds = bounds("CloneIf");
            quote! {
                #(#cfgs)*
                #[automatically_derived]
                impl ::core::clone::Clone for #ident where #bounds {
                    fn clone(&self) -> Self {
                        Self { #(#shown: ::core::clone::Clone::clone(&self.#shown),)* }
                    }
                }
            }
        });
        quote! {
            #clone

            #(#cfgs)*
            #[automatically_derived]
            impl ::core::fmt::Debug for #ident where #debug_bounds {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    let mut shown = ::core::fmt::Formatter::debug_struct(f, #name);
                    #(::core::fmt::DebugStruct::field(&mut shown, #shown_names, &self.#shown);)*
                    ::core::fmt::DebugStruct::#finish(&mut shown)
                }
            }
        }
    }

    fn implementation(&self) -> TokenStream {
        let krate = &self.settings.krate;
        let cfgs = self.function.cfgs();
        let marker = &self.settings.marker;
        let args_type = self.args_type();
        let returned = types::without_self(self.function.returned(), self.self_type.as_ref());
        let at_output = match &self.function.signature.output {
            syn::ReturnType::Default => self.function.signature.ident.span(),
            syn::ReturnType::Type(_, ty) => ty.span(),
        };
        let is_result = quote!({ <#krate::rt::Probe<#returned>>::IS_RESULT });
        let of_returned = quote_spanned! {at_output=>
            <#returned as #krate::rt::Returned<#is_result>>
        };
        let types = quote_spanned! {at_output=>
            type Output = #of_returned::Output;
            type Error = #of_returned::Error;
        };
        let output = quote!(<#marker as #krate::rt::Tool>::Output);
        let assert_output = quote_spanned! {at_output=>
            #krate::rt::assert_output::<#of_returned::Output, { <#krate::rt::Probe<#of_returned::Output>>::IS_CONTENT }>();
        };
        let assert_arguments = self
            .fields()
            .chain(self.declared_args())
            .filter(|param| !param.replaced.reading && !param.replaced.schema)
            .map(|param| {
                let cfg = param.cfg();
                let ty = &param.ty;
                quote_spanned!(param.ty.span()=> #cfg #krate::rt::assert_argument::<#ty>();)
            });
        let call = self.call();
        let descriptor = self.descriptor(&args_type, &output);
        let declaration =
            self.component()
                .declaration(krate, "CALLBOARD_TOOLS_V1", "ToolDescriptor");
        quote! {
            #(#cfgs)*
            #[allow(non_local_definitions, deprecated, clippy::manual_async_fn)]
            const _: () = {
                #[allow(unused_imports)]
                use #krate::rt::Otherwise as _;

                #(#assert_arguments)*
                #assert_output

                static __CALLBOARD_DESCRIPTOR: #krate::rt::ToolDescriptor = #descriptor;

                impl #krate::rt::Tool for #marker {
                    type Args = #args_type;
                    #types

                    fn descriptor() -> &'static #krate::rt::ToolDescriptor {
                        // The struct is a name for the tool; a program that never calls it by
                        // type has no other use of it.
                        let _ = #marker;
                        &__CALLBOARD_DESCRIPTOR
                    }

                    #call
                }

                #declaration
            };
        }
    }

    /// `Tool::call`: what is injected is taken from the call, and the function is called.
    fn call(&self) -> TokenStream {
        let krate = &self.settings.krate;
        // At the function's name, where a future that isn't `Send` is reported, but not as if the
        // user had written it: lints would have things to say.
        let span = Span::call_site().located_at(self.function.signature.ident.span());
        let args = Ident::new("__args", Span::mixed_site());
        let call = Ident::new("__call", Span::mixed_site());
        let returned = Ident::new("__returned", Span::mixed_site());
        let receiver = Ident::new("__self", Span::mixed_site());
        let mut injections = TokenStream::new();
        let mut passed: Vec<(&Param, TokenStream)> = Vec::new();
        if let Some(at) = self.function.receiver {
            let self_type = &self.self_type;
            let state = types::moved(quote!(#krate::rt::State<'_, #self_type>), at);
            injections.extend(quote_spanned! {at=>
                let #receiver = #krate::rt::inject::<#state>(&#call)?.0;
            });
        }
        for (position, param) in self.function.params.iter().enumerate() {
            let ty = &param.ty;
            let value = match param.source {
                Source::Json => {
                    let field = &param.field;
                    quote!(#args.#field)
                }
                Source::Args => quote!(#args),
                Source::Inject => {
                    let injected =
                        format_ident!("__injected_{}", position, span = Span::mixed_site());
                    let cfg = param.cfg();
                    injections.extend(quote_spanned! {ty.span()=>
                        #cfg
                        let #injected = #krate::rt::inject::<#ty>(&#call)?;
                    });
                    quote!(#injected)
                }
            };
            passed.push((param, value));
        }
        let first = self.function.receiver.map(|_| quote!(#receiver,));
        let function = match &self.self_type {
            None => self.function.signature.ident.to_token_stream(),
            Some(self_type) => {
                let ident = &self.function.signature.ident;
                quote!(<#self_type>::#ident)
            }
        };
        let awaited = self.function.signature.asyncness.map(|_| quote!(.await));
        let statements = calls(
            &passed,
            |values| quote!(let #returned = #function(#first #(#values),*) #awaited;),
        );
        let result = self.result_of(&returned);
        let body = if self.settings.blocking {
            let returned_type =
                types::without_self(self.function.returned(), self.self_type.as_ref());
            quote! {
                let #returned = #krate::rt::run_blocking(
                    #call,
                    move |#call: #krate::rt::ToolCall<'_>| -> ::core::result::Result<
                        #returned_type,
                        #krate::rt::DispatchError,
                    > {
                        #injections
                        #statements
                        ::core::result::Result::Ok(#returned)
                    },
                )
                .await??;
                #result
            }
        } else {
            quote! {
                #injections
                #statements
                #result
            }
        };
        quote_spanned! {span=>
            fn call(
                #args: Self::Args,
                #call: #krate::rt::ToolCall<'_>,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<Self::Output, #krate::rt::CallError<Self::Error>>,
            > + ::core::marker::Send {
                async move { #body }
            }
        }
    }

    /// What the function returned, as a `Result` with the error of a call.
    fn result_of(&self, returned: &Ident) -> TokenStream {
        let krate = &self.settings.krate;
        let ty = types::without_self(self.function.returned(), self.self_type.as_ref());
        quote! {
            <#ty as #krate::rt::Returned<{ <#krate::rt::Probe<#ty>>::IS_RESULT }>>::into_result(#returned)
                .map_err(#krate::rt::CallError::Failed)
        }
    }

    fn component(&self) -> Component<'_> {
        Component {
            kind: "Tool",
            kind_text: "tool",
            name: &self.settings.name,
            description: &self.settings.description,
            tags: &self.settings.tags,
        }
    }

    fn descriptor(&self, args_type: &TokenStream, output: &TokenStream) -> TokenStream {
        let krate = &self.settings.krate;
        let marker = &self.settings.marker;
        let component = self
            .component()
            .descriptor(krate, self.function.signature.ident.span());
        let title = match &self.settings.title {
            None => quote!(::core::option::Option::None),
            Some(title) => quote!(::core::option::Option::Some(#title)),
        };
        let version = match &self.settings.version {
            Some(version) => quote!(#version),
            None => quote! {
                match ::core::option_env!("CARGO_PKG_VERSION") {
                    ::core::option::Option::Some(version) => version,
                    ::core::option::Option::None => "",
                }
            },
        };
        let policy = self.settings.policy.tokens(krate);
        let coerce_strings = self.settings.coerce_strings;
        let args_are_declared = self.declared_args().is_some();
        let receiver = self.function.receiver.map(|_| {
            let self_type = &self.self_type;
            quote!((<#krate::rt::Probe<#krate::rt::State<'_, #self_type>>>::REQUIRES)(__requirements);)
        });
        let injected = self
            .function
            .params
            .iter()
            .filter(|param| param.source == Source::Inject)
            .map(|param| {
                let cfg = param.cfg();
                let ty = &param.ty;
                quote!(#cfg (<#krate::rt::Probe<#ty>>::REQUIRES)(__requirements);)
            });
        quote! {
            #krate::rt::ToolDescriptor::__new(#krate::rt::ToolParts {
                component: #component,
                title: #title,
                version: #version,
                policy: #policy,
                io_mode: #krate::rt::ToolIoMode::Unary,
                coerce_strings: #coerce_strings,
                args_are_declared: #args_are_declared,
                type_id: ::core::any::TypeId::of::<#marker>(),
                requires: |__requirements| {
                    let _ = &__requirements;
                    #receiver
                    #(#injected)*
                },
                input_schema: <#krate::rt::Probe<#args_type>>::INPUT_SCHEMA,
                output_schema: <#krate::rt::Probe<#output>>::OUTPUT_SCHEMA,
                args_to_json: <#krate::rt::Probe<#args_type>>::ARGS_TO_JSON,
                invoke: <#krate::rt::Probe<#krate::rt::JsonDoorOf<
                    #marker,
                    { <#krate::rt::Probe<#output>>::IS_CONTENT },
                >>>::INVOKE,
            })
        }
    }
}

/// What serde's derives ask of a field's type, as attributes on the field.
///
/// Such a bound makes the `impl` disappear where the type falls short, instead of an error inside
/// it: a missing `Serialize` is allowed, and a missing `Deserialize` is reported once, by
/// `assert_argument`.
fn serde_bounds(krate: &TokenStream, param: &Param) -> TokenStream {
    let ty = &param.ty;
    // serde reads the predicate from a text, and gives its tokens the text's place.
    let text = |predicate: TokenStream| LitStr::new(&predicate.to_string(), ty.span());
    let serialize = (!param.replaced.writing).then(|| {
        let bound = text(quote!(for<'__callboard> #ty: #krate::rt::SerializeIf<'__callboard>));
        quote!(#[serde(bound(serialize = #bound))])
    });
    let deserialize = (!param.replaced.reading).then(|| {
        let bound =
            text(quote!(for<'__callboard> #ty: #krate::rt::DeserializeIf<'__callboard, 'de>));
        quote!(#[serde(bound(deserialize = #bound))])
    });
    quote!(#serialize #deserialize)
}

/// The call, once for each way in which the `cfg`s of its parameters can turn out: an argument
/// of a call can't have a `cfg` of its own.
fn calls(
    passed: &[(&Param, TokenStream)],
    call: impl Fn(&[&TokenStream]) -> TokenStream,
) -> TokenStream {
    let conditional: Vec<&Param> = passed
        .iter()
        .map(|(param, _)| *param)
        .filter(|param| !param.cfgs.is_empty())
        .collect();
    let mut statements = TokenStream::new();
    for present in 0..1_u32 << conditional.len() {
        let is_present = |param: &Param| {
            conditional
                .iter()
                .position(|other| std::ptr::eq(*other, param))
                .is_none_or(|position| present & (1 << position) != 0)
        };
        let predicates = conditional.iter().map(|param| {
            let cfgs = &param.cfgs;
            if is_present(param) {
                quote!(all(#(#cfgs),*))
            } else {
                quote!(not(all(#(#cfgs),*)))
            }
        });
        let cfg = (!conditional.is_empty()).then(|| quote!(#[cfg(all(#(#predicates),*))]));
        let values: Vec<&TokenStream> = passed
            .iter()
            .filter(|(param, _)| is_present(param))
            .map(|(_, value)| value)
            .collect();
        let statement = call(&values);
        statements.extend(quote!(#cfg #statement));
    }
    statements
}
