//! What the programs in `pass/` share.

use callboard::{CapabilityRegistry, Registry, ToolCallContext};

/// Everything that the program declares.
pub fn collect() -> CapabilityRegistry {
    CapabilityRegistry::collect().expect("no two components have one name")
}

/// Everything that the program declares, sealed; nothing is provided.
pub fn sealed() -> Registry {
    collect().seal().expect("nothing is missing")
}

/// The output of a tool, as JSON.
pub fn dispatch(registry: &Registry, name: &str, arguments: &str) -> String {
    let context = ToolCallContext::new("call-1");
    let output = block_on(registry.dispatch(name, arguments, &context));
    match output {
        Ok(output) => output.as_json().expect("the output is JSON").to_owned(),
        Err(error) => panic!("{name}({arguments}): {error}"),
    }
}

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
        .block_on(future)
}
