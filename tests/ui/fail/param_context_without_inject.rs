use callboard::{ToolCallContext, tool};

#[tool]
async fn who(ctx: &ToolCallContext) -> String {
    ctx.call_id().to_owned()
}

fn main() {}
