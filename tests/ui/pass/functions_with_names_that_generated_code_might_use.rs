#[path = "../common.rs"]
mod common;

use callboard::tool;

#[tool]
fn t() -> u32 {
    1
}

#[tool]
async fn call() -> u32 {
    2
}

#[tool]
async fn r#loop() -> u32 {
    3
}

#[tool]
fn descriptor() -> u32 {
    4
}

#[tool]
fn tool_() -> u32 {
    5
}

fn main() {
    let registry = common::sealed();
    for (name, output) in [
        ("t", "1"),
        ("call", "2"),
        ("loop", "3"),
        ("descriptor", "4"),
        ("tool_", "5"),
    ] {
        assert_eq!(common::dispatch(&registry, name, "{}"), output);
    }
    assert_eq!(
        (t(), descriptor(), tool_()),
        (1, 4, 5),
        "the functions stay callable"
    );
    let _ = (T, Call, Loop, Descriptor, Tool);
}
