//! No serde, schemars, linkme or tokio is named.

use callboard::{CapabilityRegistry, ComponentKind, schemars, serde, tool};

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Order {
    id: u64,
}

#[derive(Debug)]
enum OrderError {
    Unknown(u64),
}

impl std::fmt::Display for OrderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::Unknown(id) = self;
        write!(f, "no order {id}")
    }
}

/// Finds an order.
#[tool]
async fn find_order(id: u64) -> Result<Order, OrderError> {
    if id == 0 {
        Err(OrderError::Unknown(id))
    } else {
        Ok(Order { id })
    }
}

#[tool]
async fn cancel_order(order: Order) -> Option<u64> {
    Some(order.id)
}

fn main() {
    let builder = CapabilityRegistry::collect().expect("no conflict");
    assert_eq!(
        builder.names(ComponentKind::Tool),
        ["cancel_order", "find_order"]
    );
    let registry = builder.seal().expect("nothing is missing");
    assert!(
        registry
            .tool("find_order")
            .expect("it is declared")
            .output_schema()
            .is_some()
    );
}
