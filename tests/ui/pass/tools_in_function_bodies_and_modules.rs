#![deny(warnings, non_local_definitions)]

#[path = "../common.rs"]
mod common;

mod outer {
    pub mod inner {
        #[callboard::tool]
        pub async fn nested() -> u32 {
            1
        }
    }
}

fn declares() {
    /// Stands in a function that is never called.
    #[callboard::tool]
    async fn in_a_function() -> u32 {
        2
    }

    callboard::component!(Store, "in_a_function");

    #[callboard::agent]
    async fn agent_in_a_function(prompt: String) -> String {
        prompt
    }
}

fn main() {
    #[callboard::tool]
    fn in_main() -> u32 {
        3
    }

    struct Local;

    #[callboard::tools]
    impl Local {
        #[tool]
        fn method_in_main() -> u32 {
            4
        }
    }

    let _ = declares as fn();
    let registry = common::sealed();
    for (name, output) in [
        ("nested", "1"),
        ("in_a_function", "2"),
        ("in_main", "3"),
        ("method_in_main", "4"),
    ] {
        assert_eq!(common::dispatch(&registry, name, "{}"), output);
    }
    assert!(registry.has(callboard::ComponentKind::Store, "in_a_function"));
    assert!(registry.agent("agent_in_a_function").is_some());
}
