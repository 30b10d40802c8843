use callboard::{CapabilityRegistry, tool};

#[tool]
async fn find_orders(customer: String) -> Vec<String> {
    vec![customer]
}

fn main() {
    let mut registry = CapabilityRegistry::new();
    let _ = registry.register_tool::<find_orders>();
}
