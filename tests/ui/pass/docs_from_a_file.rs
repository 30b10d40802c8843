#[path = "../common.rs"]
mod common;

use callboard::tool;

/// From the source,
#[doc = include_str!("docs_from_a_file.md")]
/// and from the source again.
#[tool]
async fn documented() {}

#[doc = include_str!("docs_from_a_file.md")]
#[callboard::agent]
async fn agent(prompt: String) -> String {
    prompt
}

fn main() {
    let registry = common::sealed();
    let description = registry
        .tool("documented")
        .expect("it is declared")
        .description();
    assert!(description.starts_with("From the source,"), "{description}");
    assert!(description.contains("from a file"), "{description}");
    assert!(
        description.ends_with("and from the source again."),
        "{description}"
    );
    let agent = registry.agent("agent").expect("it is declared");
    assert!(
        agent.description().contains("from a file"),
        "{}",
        agent.description()
    );
}
