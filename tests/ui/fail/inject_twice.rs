use callboard::{ToolCallContext, tool};

#[tool]
async fn who(
    #[inject]
    #[inject]
    ctx: &ToolCallContext,
) -> String {
    ctx.call_id().to_owned()
}

fn main() {}
