//! Whoever calls it is told; the registry isn't.
#![deny(warnings, deprecated)]

#[path = "../common.rs"]
mod common;

use callboard::tool;

#[deprecated(note = "use `sum`")]
#[tool]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

#[tool]
#[deprecated]
fn after_the_attribute() -> u32 {
    1
}

fn main() {
    let registry = common::sealed();
    assert_eq!(
        common::dispatch(&registry, "add", r#"{"left":1,"right":2}"#),
        "3"
    );
    assert_eq!(
        common::dispatch(&registry, "after_the_attribute", "{}"),
        "1"
    );
}
