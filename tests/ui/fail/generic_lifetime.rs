use callboard::{ToolCallContext, tool};

#[tool]
async fn who<'a>(#[inject] ctx: &'a ToolCallContext) -> String {
    ctx.call_id().to_owned()
}

fn main() {}
