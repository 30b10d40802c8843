//! What the macros make of representative items, as files that a change of the macros shows in.
//!
//! To accept a change: `INSTA_UPDATE=always cargo test -p callboard-macros expansion`, then read
//! the difference in `snapshots/`.

use proc_macro2::TokenStream;
use quote::quote;

/// Compares the expansion with the file of the test's name. Each item names its `crate`, so that
/// no Cargo.toml decides what the file says.
macro_rules! assert_expansion {
    ($tokens:expr) => {
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(formatted($tokens))
        })
    };
}

fn formatted(tokens: TokenStream) -> String {
    match syn2::parse2(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(error) => panic!("the expansion doesn't parse: {error}\n{tokens}"),
    }
}

fn tool(settings: TokenStream, item: TokenStream) -> TokenStream {
    crate::tool::expand(quote!(crate = ::callboard, #settings), item)
}

#[test]
fn tool_without_parameters() {
    assert_expansion!(tool(
        quote!(),
        quote! {
            /// Answers.
            async fn ping() {}
        }
    ));
}

#[test]
fn tool_with_each_kind_of_parameter_but_args() {
    assert_expansion!(tool(
        quote!(),
        quote! {
            /// Finds orders.
            ///
            /// Newest first.
            pub async fn find_orders(
                #[inject] State(db): State<'_, Database>,
                #[inject] ctx: &ToolCallContext,
                /// The customer's id.
                customer: CustomerId,
                #[serde(default = "ten")] #[schemars(range(max = 50))] limit: u32,
            ) -> Result<Vec<Order>, OrderError> {
                db.find(ctx, customer, limit).await
            }
        }
    ));
}

#[test]
fn tool_with_args() {
    assert_expansion!(tool(
        quote!(),
        quote! {
            async fn search(#[args] query: Query, #[inject] ctx: &ToolCallContext) -> Vec<String> {
                query.run(ctx).await
            }
        }
    ));
}

#[test]
fn tool_that_returns_an_alias() {
    assert_expansion!(tool(
        quote!(),
        quote! {
            fn parse(text: String) -> Fallible<i64> {
                text.parse()
            }
        }
    ));
}

#[test]
fn tool_that_blocks() {
    assert_expansion!(tool(
        quote!(blocking),
        quote! {
            fn read(#[inject] State(root): State<'_, Root>, path: String) -> std::io::Result<String> {
                root.read(&path)
            }
        }
    ));
}

#[test]
fn tool_with_parameters_behind_cfg() {
    assert_expansion!(tool(
        quote!(),
        quote! {
            #[cfg(feature = "maths")]
            fn add(left: i64, #[cfg(feature = "three")] middle: i64, right: i64) -> i64 {
                left + right
            }
        }
    ));
}

#[test]
fn tool_with_a_name_and_a_marker_of_its_own() {
    assert_expansion!(tool(
        quote!(name = "orders.find-v2", marker = Find),
        quote! {
            pub(crate) fn r#match(r#type: String) -> String {
                r#type
            }
        }
    ));
}

#[test]
fn tool_with_every_setting() {
    assert_expansion!(tool(
        quote!(
            title = "List files",
            description = "Lists files.",
            tags("files", "disk"),
            version = "2.1",
            read_only,
            destructive = false,
            idempotent = false,
            open_world = false,
            risk = "high",
            requires_approval,
            timeout = "500ms",
            allow_unknown_fields,
            coerce_strings,
        ),
        quote! {
            fn list_files(#[serde(flatten)] filter: Filter) -> Vec<String> {
                filter.list()
            }
        }
    ));
}

#[test]
fn tool_with_a_field_that_is_read_by_a_function() {
    assert_expansion!(tool(
        quote!(timeout = "none"),
        quote! {
            fn heat(
                #[serde(deserialize_with = "celsius")] #[schemars(with = "f64")] to: Celsius,
            ) -> Result<(), String> {
                to.reach()
            }
        }
    ));
}

#[test]
fn tool_with_errors() {
    assert_expansion!(tool(
        quote!(risk = "none"),
        quote! {
            #[must_use]
            async fn shout(
                #[serde(default)] text: &str,
                #[inject] ctx: &ToolCallContext,
            ) -> impl Display {
                text.to_uppercase()
            }
        }
    ));
}

#[test]
fn methods() {
    assert_expansion!(crate::tools::expand(
        quote!(crate = ::callboard),
        quote! {
            impl Point {
                const ORIGIN: Self = Self { x: 0 };

                /// Adds.
                #[tool(read_only)]
                pub async fn plus(&self, other: Self) -> Option<Self> {
                    self.checked_add(other)
                }

                fn checked_add(&self, other: Self) -> Option<Self> {
                    None
                }
            }
        }
    ));
}

#[test]
fn agent_function() {
    assert_expansion!(crate::agent::expand(
        quote!(crate = ::callboard, tags("text")),
        quote! {
            /// Shortens.
            pub async fn summarizer(prompt: &str) -> Result<String, ModelError> {
                ask(prompt).await
            }
        }
    ));
}

#[test]
fn agent_type() {
    assert_expansion!(crate::agent::expand(
        quote!(crate = ::callboard, description = "Reviews."),
        quote! {
            #[derive(Default)]
            pub struct CodeReviewer;
        }
    ));
}

#[test]
fn model_of_the_catalog() {
    assert_expansion!(crate::model::expand(
        quote!(
            crate = ::callboard,
            catalog = "openai/gpt-4o",
            deny_deprecated = "2027-01-31"
        ),
        quote! {
            /// For everyday work.
            pub struct Gpt4o;
        }
    ));
}

#[test]
fn model_that_a_function_makes() {
    assert_expansion!(crate::model::expand(
        quote!(
            crate = ::callboard,
            provider = "acme",
            id = "house-large",
            context = 32_000,
            supports(tool_calling),
            prices(input = 150_000),
        ),
        quote! {
            fn house(#[inject] State(http): State<'_, Http>) -> Result<impl ChatModel, Error> {
                Client::new(http)
            }
        }
    ));
}

#[test]
fn router_between_models() {
    assert_expansion!(crate::router::expand(
        quote!(crate = ::callboard),
        quote! {
            /// Kinds of work.
            #[derive(Clone)]
            pub enum Workload {
                /// Everyday chat.
                #[route(
                    alias = "chat-v1",
                    model = models::Gpt4o,
                    requires(tool_calling),
                    min_context = 100_000,
                    fallbacks(Claude),
                )]
                Chat,
                #[cfg(feature = "house")]
                #[route(model = House)]
                InHouse,
            }
        }
    ));
}

#[test]
fn router_that_is_a_policy() {
    assert_expansion!(crate::router::expand(
        quote!(crate = ::callboard, name = "by_intent"),
        quote! {
            /// Asks a small model.
            async fn route_by_intent(prompt: &str) -> Workload {
                ask(prompt).await
            }
        }
    ));
}

#[test]
fn component() {
    assert_expansion!(crate::component::expand(quote!(
        Reducer,
        "append_messages",
        "Adds messages.",
        tags("chat"),
        crate = ::callboard
    )));
}
