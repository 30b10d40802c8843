//! Nothing in the generated code can meet a parameter's name.

#[path = "../common.rs"]
mod common;

use callboard::{ToolCallContext, tool};

#[tool]
async fn own(args: u32, ctx: u32, context: u32, call: u32, self_: u32, result: u32) -> Vec<u32> {
    vec![args, ctx, context, call, self_, result]
}

#[tool]
fn generated(__args: u32, __call: u32, __returned: u32, registry: u32, tool: u32) -> Vec<u32> {
    vec![__args, __call, __returned, registry, tool]
}

#[tool]
async fn keywords(r#type: String, r#match: u32) -> String {
    format!("{type} {match}")
}

#[tool]
async fn injected(#[inject] args: &ToolCallContext, call: u32) -> String {
    format!("{} {call}", args.call_id())
}

fn main() {
    let registry = common::sealed();
    let dispatch = |name, arguments| common::dispatch(&registry, name, arguments);
    let own = r#"{"args":1,"ctx":2,"context":3,"call":4,"self_":5,"result":6}"#;
    assert_eq!(dispatch("own", own), "[1,2,3,4,5,6]");
    let generated = r#"{"__args":1,"__call":2,"__returned":3,"registry":4,"tool":5}"#;
    assert_eq!(dispatch("generated", generated), "[1,2,3,4,5]");
    assert_eq!(
        dispatch("keywords", r#"{"type":"a","match":1}"#),
        r#""a 1""#
    );
    assert_eq!(dispatch("injected", r#"{"call":7}"#), r#""call-1 7""#);

    let arguments = KeywordsArgs {
        r#type: "b".to_owned(),
        r#match: 2,
    };
    let context = ToolCallContext::new("call-2");
    let output = registry.call::<Keywords>(arguments, &context);
    assert_eq!(common::block_on(output).expect("it can't fail"), "b 2");
}
