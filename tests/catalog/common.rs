//! A small good catalog, as a JSON value that tests change.

use callboard::catalog::{ModelCatalog, ModelEntry};
use serde_json::{Value, json};

pub(crate) fn good() -> Value {
    let hash = "0".repeat(64);
    json!({
        "schema_version": 1,
        "snapshot_id": format!("sha256:{hash}"),
        "provenance": [{
            "source": "sheet", "version": "1", "sha256": hash, "date": "2026-11-30",
            "license": "CC0-1.0",
        }],
        "models": [
            {
                "provider": "acme", "id": "large", "aliases": ["large-latest", "big"],
                "mode": "chat",
                "limits": {"context": 100_000, "input": 90_000, "output": 20_000},
                "pricing": {
                    "input": 1_000, "output": 4_000, "cache_read": 100, "cache_write_5m": 1_250,
                    "cache_write_1h": 2_000, "image_output": 0,
                    "tiers": [{"above": 50_000, "input": 2_000, "output": 6_000}],
                    "batch": {"input": 500, "output": 2_000},
                    "priority": {
                        "input": 3_000, "output": 9_000,
                        "tiers": [{"above": 50_000, "input": 5_000}],
                    },
                    "dated": [
                        {"from": "2027-01-01", "input": 1_500, "output": 5_000},
                        {"from": "2027-06-01", "input": 1_600, "batch": {"input": 800}},
                    ],
                },
                "capabilities": {"tool_calling": true, "vision": true, "audio_input": false},
                "deprecation_date": "2027-12-31",
                "successor": "acme/larger",
                "source": "sheet",
            },
            {
                "provider": "acme", "id": "small", "mode": "chat",
                "limits": {"input": 8_000, "output": 16_000},
                "pricing": {"input": 10, "output": 20, "reasoning": 30},
                "source": "https://acme.example/prices",
            },
            {
                "provider": "other", "id": "large", "mode": "embedding",
                "limits": {"context": 4_096},
                "source": "sheet",
            },
        ],
    })
}

pub(crate) fn load(document: &Value) -> ModelCatalog {
    ModelCatalog::from_json(&document.to_string()).expect("a good catalog")
}

/// The first entry of the good catalog, with this instead of its pricing.
pub(crate) fn priced(pricing: Value) -> ModelEntry {
    let mut document = good();
    document["models"][0]["pricing"] = pricing;
    load(&document).get("acme", "large").unwrap().clone()
}
