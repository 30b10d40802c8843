#![deny(warnings, unreachable_pub, private_interfaces, private_bounds)]

#[path = "../common.rs"]
#[allow(unreachable_pub)]
mod common;

mod orders {
    pub(crate) mod api {
        use callboard::tool;

        /// Known in this module alone.
        #[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
        #[serde(crate = "callboard::serde")]
        #[schemars(crate = "callboard::schemars")]
        struct Customer {
            id: u32,
        }

        #[tool]
        async fn of_customer(customer: Customer) -> u32 {
            customer.id
        }

        #[tool]
        pub(crate) async fn in_crate(id: u32) -> u32 {
            id
        }

        #[tool]
        pub(super) async fn in_parent(id: u32) -> u32 {
            id
        }

        #[tool]
        pub(in crate::orders) async fn in_orders(id: u32) -> u32 {
            id
        }
    }

    pub(crate) fn named() -> (u32, u32) {
        (
            api::InParentArgs { id: 1 }.id,
            api::InOrdersArgs { id: 2 }.id,
        )
    }
}

fn main() {
    let registry = common::sealed();
    assert_eq!(orders::named(), (1, 2));
    let of_customer = r#"{"customer":{"id":5}}"#;
    assert_eq!(common::dispatch(&registry, "of_customer", of_customer), "5");
    let call = callboard::ToolCallContext::new("1");
    let output = registry.call::<orders::api::InCrate>(orders::api::InCrateArgs { id: 6 }, &call);
    assert_eq!(common::block_on(output).expect("it can't fail"), 6);
    for name in ["in_parent", "in_orders"] {
        assert_eq!(common::dispatch(&registry, name, r#"{"id":7}"#), "7");
    }
}
