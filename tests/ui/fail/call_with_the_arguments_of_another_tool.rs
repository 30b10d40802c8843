use callboard::{Registry, ToolCallContext, tool};

#[tool]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

#[tool]
async fn negate(number: i64) -> i64 {
    -number
}

async fn host(registry: Registry) {
    let args = NegateArgs { number: 1 };
    let _ = registry.call::<Add>(args, &ToolCallContext::new("1")).await;
}

fn main() {
    let _ = host;
}
