//! A tool that only models call is used, whatever the compiler sees of it.
#![deny(warnings, unused, dead_code)]

use callboard::{CapabilityRegistry, tool};

#[tool]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

#[tool]
fn ping() {}

mod inner {
    use callboard::tool;

    #[tool]
    async fn hidden(text: Option<String>) -> Option<String> {
        text
    }
}

fn main() {
    let builder = CapabilityRegistry::collect().expect("no conflict");
    assert_eq!(
        builder.names(callboard::ComponentKind::Tool),
        ["add", "hidden", "ping"]
    );
}
