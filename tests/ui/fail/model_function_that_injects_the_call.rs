use callboard::{ChatModel, ToolCallContext, model};

#[model(provider = "acme")]
fn house(#[inject] context: &ToolCallContext) -> std::sync::Arc<dyn ChatModel> {
    loop {
        let _ = context;
    }
}

fn main() {}
