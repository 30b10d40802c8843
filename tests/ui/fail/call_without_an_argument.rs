use callboard::{Registry, ToolCallContext, tool};

#[tool]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

async fn host(registry: Registry) {
    let _ = registry
        .call::<Add>(AddArgs { left: 1 }, &ToolCallContext::new("1"))
        .await;
}

fn main() {
    let _ = host;
}
