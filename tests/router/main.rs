//! Routers between models: as data, in a registry, when it is sealed, and at run time.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/spans.rs"]
mod spans;

mod declared;
mod definition;
mod lookup;
mod properties;
mod register;
mod run;
mod seal;
mod select;

use std::error::Error;
use std::sync::Arc;

use callboard::catalog::{Capability, Date, ModelCatalog};
use callboard::{
    BoxFuture, CapabilityRegistry, ChatMessage, ChatModel, ComponentKind, Registry,
    RouterDefinition, WorkloadRoute,
};
use serde_json::json;

/// A client that is never called.
struct Client(&'static str);

impl ChatModel for Client {
    fn model_id(&self) -> &str {
        self.0
    }

    fn chat<'a>(
        &'a self,
        _messages: &'a [ChatMessage],
    ) -> BoxFuture<'a, Result<ChatMessage, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Err("not a client".into()) })
    }
}

/// Prices are in picodollars per token.
fn catalog() -> ModelCatalog {
    let document = json!({
        "schema_version": 1,
        "snapshot_id": format!("sha256:{:064}", 0),
        "provenance": [{
            "source": "sheet", "version": "1", "sha256": format!("{:064}", 0),
            "date": "2026-11-30", "license": "CC0-1.0",
        }],
        "models": [
            {
                "provider": "acme", "id": "small", "mode": "chat", "source": "sheet",
                "limits": {"input": 8_000, "output": 4_000},
                "pricing": {
                    "input": 100, "output": 400,
                    "dated": [{"from": "2027-06-01", "input": 1_000, "output": 4_000}],
                },
                "capabilities": {"tool_calling": true, "vision": false},
                "deprecation_date": "2027-12-31", "successor": "acme/large",
            },
            {
                "provider": "acme", "id": "large", "mode": "chat", "source": "sheet",
                "limits": {"context": 200_000, "output": 16_000},
                "pricing": {"input": 2_000, "output": 8_000},
                "capabilities": {"tool_calling": true, "vision": true, "json_schema": true},
            },
            {
                "provider": "acme", "id": "unpriced", "mode": "chat", "source": "sheet",
                "limits": {"context": 50_000},
                "capabilities": {"tool_calling": true},
            },
            {
                "provider": "acme", "id": "silent", "mode": "chat", "source": "sheet",
                "deprecation_date": "2027-01-01",
            },
        ],
    });
    ModelCatalog::from_json(&document.to_string()).expect("a good catalog")
}

/// Models of which something is known, `bare`, of which nothing is, and `mini`, an alias of
/// `small`.
fn models() -> CapabilityRegistry {
    let mut reg = CapabilityRegistry::new();
    for name in ["small", "large", "unpriced", "silent", "bare"] {
        reg.register_model(name, Arc::new(Client(name)))
            .expect("the name is free");
        if let Some(entry) = catalog().get("acme", name) {
            reg.set_model_entry(name, entry.clone())
                .expect("it was just registered");
        }
    }
    reg.alias(ComponentKind::Model, "mini", "small")
        .expect("the name is free");
    reg
}

fn routed(routes: impl IntoIterator<Item = WorkloadRoute>) -> RouterDefinition {
    routes
        .into_iter()
        .fold(RouterDefinition::new("workload"), RouterDefinition::route)
}

/// A sealed registry of these routes.
fn sealed(routes: impl IntoIterator<Item = WorkloadRoute>) -> Registry {
    let mut reg = models();
    reg.register_model_router(routed(routes))
        .expect("it is well-formed");
    reg.seal().expect("the routes can use their models")
}

/// A chat route over all models, from the smallest to the one of which nothing is known.
fn chat() -> WorkloadRoute {
    WorkloadRoute::new("chat-v1", "small")
        .description("Everyday chat.")
        .fallback("unpriced")
        .fallback("large")
        .fallback("bare")
}

fn vision() -> WorkloadRoute {
    WorkloadRoute::new("vision-v1", "large")
        .requires([Capability::Vision, Capability::ToolCalling])
        .min_context(100_000)
}

fn day(text: &str) -> Date {
    text.parse().expect("a date")
}
