//! The attributes of callboard. Depend on `callboard`, which re-exports them with their
//! documentation.

mod agent;
mod attribute;
mod common;
mod component;
mod crate_path;
mod declare;
mod docs;
mod errors;
#[cfg(test)]
mod expansion;
mod gate;
mod model;
mod name;
mod plain_fn;
/// The rule that the registry applies to names at run time; this crate can't depend on it.
#[cfg(test)]
#[allow(dead_code, unreachable_pub, reason = "one function of it is compared")]
#[path = "../../registry/component/name.rs"]
mod registry_name;
mod router;
mod tool;
mod tools;
/// The words of the catalog; this crate can't depend on it.
#[cfg(test)]
#[allow(dead_code, unreachable_pub, reason = "the names are compared")]
#[path = "../../registry/catalog/document/vocabulary.rs"]
mod vocabulary;
mod words;

use proc_macro::TokenStream;

#[allow(missing_docs, reason = "documented where callboard re-exports it")]
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs, reason = "documented where callboard re-exports it")]
#[proc_macro_attribute]
pub fn tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tools::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs, reason = "documented where callboard re-exports it")]
#[proc_macro_attribute]
pub fn agent(attribute: TokenStream, item: TokenStream) -> TokenStream {
    agent::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs, reason = "documented where callboard re-exports it")]
#[proc_macro_attribute]
pub fn model(attribute: TokenStream, item: TokenStream) -> TokenStream {
    model::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs, reason = "documented where callboard re-exports it")]
#[proc_macro_attribute]
pub fn router(attribute: TokenStream, item: TokenStream) -> TokenStream {
    router::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs, reason = "documented where callboard re-exports it")]
#[proc_macro]
pub fn component(input: TokenStream) -> TokenStream {
    component::expand(input.into()).into()
}
