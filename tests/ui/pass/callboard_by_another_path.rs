//! As a crate sees it that gets callboard through another one.

#[path = "../common.rs"]
mod common;

mod framework {
    pub mod vendor {
        pub use callboard as board;
    }
}

use framework::vendor::board::{agent, component, tool, tools};

#[tool(crate = crate::framework::vendor::board)]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

struct Counter(u32);

#[tools(crate = crate::framework::vendor::board)]
impl Counter {
    #[tool(name = "count")]
    fn counted(&self) -> u32 {
        self.0
    }
}

#[agent(crate = crate::framework::vendor::board)]
async fn echo(prompt: String) -> String {
    prompt
}

component!(Store, "orders", crate = crate::framework::vendor::board);

fn main() {
    let mut builder = common::collect();
    builder.provide(Counter(3));
    let registry = builder.seal().expect("nothing is missing");
    assert_eq!(
        common::dispatch(&registry, "add", r#"{"left":1,"right":2}"#),
        "3"
    );
    assert_eq!(common::dispatch(&registry, "count", "{}"), "3");
    assert!(registry.agent("echo").is_some());
    assert!(registry.has(callboard::ComponentKind::Store, "orders"));
}
