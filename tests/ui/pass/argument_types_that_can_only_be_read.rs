//! What a model sends needs no `Serialize`, no `Debug` and no `Clone`.

#[path = "../common.rs"]
mod common;

use callboard::tool;
use callboard::{schemars, serde};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Customer {
    id: u32,
}

#[tool]
async fn orders_of(customer: Customer, others: Vec<Customer>, maybe: Option<Customer>) -> u32 {
    customer.id + others.len() as u32 + maybe.map_or(0, |maybe| maybe.id)
}

#[tool]
async fn whole(#[args] customer: Customer) -> u32 {
    customer.id
}

fn main() {
    let registry = common::sealed();
    let arguments = r#"{"customer":{"id":1},"others":[{"id":2}],"maybe":null}"#;
    assert_eq!(common::dispatch(&registry, "orders_of", arguments), "2");
    assert_eq!(common::dispatch(&registry, "whole", r#"{"id":4}"#), "4");
}
