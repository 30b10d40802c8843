use callboard::{Registry, ToolCallContext};

struct FindOrders;

async fn host(registry: Registry) {
    let _ = registry
        .call::<FindOrders>((), &ToolCallContext::new("1"))
        .await;
}

fn main() {
    let _ = host;
}
