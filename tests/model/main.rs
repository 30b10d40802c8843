//! `#[model]`: facts, handles, and how they come into a registry.

mod facts;
mod handles;

use std::error::Error;

use callboard::{BoxFuture, ChatMessage, ChatModel, State, model};

#[cfg(feature = "catalog")]
#[model(catalog = "openai/gpt-4o", deny_deprecated, tags("catalog"))]
struct Gpt4o;

/// For everyday work.
#[model(
    tags("default", "vision"),
    provider = "acme",
    id = "house-large",
    context = 32_000,
    output = 4_096,
    supports(tool_calling, json_schema),
    prices(input = 150_000, output = 600_000)
)]
struct House;

#[model(provider = "acme")]
struct NextHouse;

/// What the factories below are given.
struct Endpoint(&'static str);

/// A model that knows where it is.
struct Client {
    id: String,
}

impl ChatModel for Client {
    fn model_id(&self) -> &str {
        &self.id
    }

    fn chat<'a>(
        &'a self,
        messages: &'a [ChatMessage],
    ) -> BoxFuture<'a, Result<ChatMessage, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move {
            messages
                .last()
                .cloned()
                .ok_or_else(|| "nothing was said".into())
        })
    }
}

/// Made when the registry is sealed.
#[model(provider = "anthropic", id = "claude-sonnet-4-5")]
fn claude(#[inject] State(endpoint): State<'_, Endpoint>) -> impl ChatModel {
    Client {
        id: format!("claude at {}", endpoint.0),
    }
}

type Made<T> = Result<T, String>;

#[model(provider = "acme", name = "picky", marker = PickyModel)]
fn picky(#[inject] State(endpoint): State<'_, Endpoint>) -> Made<impl ChatModel> {
    if endpoint.0.is_empty() {
        return Err("there is no endpoint".to_owned());
    }
    Ok(Client {
        id: "picky".to_owned(),
    })
}
