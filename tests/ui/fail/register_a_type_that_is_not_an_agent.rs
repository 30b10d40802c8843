use callboard::CapabilityRegistry;

struct Summarizer;

fn main() {
    let mut registry = CapabilityRegistry::new();
    let _ = registry.register_agent(Summarizer);
}
