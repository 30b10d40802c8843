//! Each is a name of its own, and so is one in another kind.

#[path = "../common.rs"]
mod common;

use callboard::{agent, component, tool};

#[tool(name = "a-b", marker = Dash)]
fn dash() {}

#[tool(name = "a_b", marker = Underscore)]
fn underscore() {}

#[tool(name = "a.b", marker = Dot)]
fn dot() {}

#[tool(name = "A_b", marker = Capital)]
fn capital() {}

#[tool(name = "a__b", marker = Two)]
fn two() {}

#[tool(name = "9", marker = Digit)]
fn digit() {}

#[tool(name = "-", marker = Alone)]
fn alone() {}

#[tool(name = "a234567890123456789012345678901234567890123456789012345678901234")]
fn longest() {}

#[agent(name = "a_b", marker = Agent)]
async fn agent_of_that_name(prompt: String) -> String {
    prompt
}

component!(Store, "a_b");
component!(Reducer, "a_b");

fn main() {
    let registry = common::sealed();
    assert_eq!(
        registry.names(callboard::ComponentKind::Tool),
        [
            "-",
            "9",
            "A_b",
            "a-b",
            "a.b",
            "a234567890123456789012345678901234567890123456789012345678901234",
            "a__b",
            "a_b",
        ]
    );
}
