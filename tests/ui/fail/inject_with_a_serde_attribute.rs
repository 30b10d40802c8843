use callboard::{ToolCallContext, tool};

#[tool]
async fn who(
    #[inject]
    #[serde(default)]
    ctx: &ToolCallContext,
) -> String {
    ctx.call_id().to_owned()
}

fn main() {}
