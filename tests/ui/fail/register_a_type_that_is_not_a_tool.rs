use callboard::CapabilityRegistry;

struct FindOrders;

fn main() {
    let mut registry = CapabilityRegistry::new();
    let _ = registry.register_tool::<FindOrders>();
}
