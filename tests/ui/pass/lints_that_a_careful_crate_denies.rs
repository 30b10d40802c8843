//! A public tool of each sort, with docs: nothing that was generated is reported.
//!
//! `tests/lints.rs` shows the same program to clippy.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unused,
    rust_2018_idioms,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    unused_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    let_underscore_drop,
    non_local_definitions,
    explicit_outlives_requirements,
    redundant_lifetimes,
    unit_bindings,
    clippy::all,
    clippy::pedantic
)]

pub mod tools {
    //! The tools.

    use callboard::{Content, Respond, State, ToolCallContext, agent, component, tool, tools};

    /// Orders.
    #[derive(Debug)]
    pub struct Orders(Vec<String>);

    impl Orders {
        /// With these.
        #[must_use]
        pub fn new(orders: Vec<String>) -> Self {
            Self(orders)
        }
    }

    /// Adds.
    #[tool(read_only, risk = "low", tags("math"))]
    #[must_use]
    pub fn add(left: i64, right: i64) -> i64 {
        left + right
    }

    /// Finds orders.
    ///
    /// # Errors
    ///
    /// When there are none.
    #[tool(timeout = "5s", coerce_strings)]
    pub async fn find_orders(
        #[inject] State(orders): State<'_, Orders>,
        #[inject] ctx: &ToolCallContext,
        /// The customer's id.
        customer: String,
        #[serde(default)] limit: Option<u32>,
    ) -> Result<Vec<String>, std::io::Error> {
        let limit = limit.map_or(usize::MAX, |limit| limit as usize);
        let found = orders.0.iter().take(limit).cloned();
        tracing_of(ctx, &customer);
        std::future::ready(Ok(found.collect())).await
    }

    fn tracing_of(ctx: &ToolCallContext, customer: &str) {
        eprintln!("{} {customer}", ctx.call_id());
    }

    /// Nothing in, nothing out.
    #[tool]
    pub async fn ping() {
        std::future::ready(()).await;
    }

    /// A picture.
    #[tool(blocking, allow_unknown_fields)]
    #[must_use]
    pub fn picture(side: u8) -> Content {
        Content::image(vec![side], "image/png")
    }

    #[tools]
    impl Orders {
        /// How many there are.
        #[tool]
        #[must_use]
        pub fn count_orders(&self) -> usize {
            self.0.len()
        }
    }

    /// Echoes.
    #[agent]
    pub async fn echo(prompt: &str) -> String {
        std::future::ready(prompt.to_owned()).await
    }

    /// Shouts.
    #[agent]
    #[derive(Debug, Default, Clone, Copy)]
    pub struct Shouter;

    impl Respond for Shouter {
        type Error = String;

        async fn respond(&self, prompt: &str) -> Result<String, String> {
            std::future::ready(Ok(prompt.to_uppercase())).await
        }
    }

    component!(Reducer, "append_messages", "Adds messages.", tags("chat"));
}

/// Collects and seals them.
///
/// # Panics
///
/// When that fails.
pub fn main() {
    let mut builder = callboard::CapabilityRegistry::collect().expect("no conflict");
    let _ = builder.provide(tools::Orders::new(Vec::new()));
    assert_eq!(builder.tools().count(), 5);
    drop(builder.seal().expect("nothing is missing"));
}
