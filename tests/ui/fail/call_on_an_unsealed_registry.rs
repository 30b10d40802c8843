use callboard::{CapabilityRegistry, ToolCallContext};

async fn host(registry: CapabilityRegistry) {
    let _ = registry
        .dispatch("add", "{}", &ToolCallContext::new("1"))
        .await;
}

fn main() {
    let _ = host;
}
