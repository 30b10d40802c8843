//! The registry: filled, looked up, written down, sealed and published anew.

#[path = "../common/mod.rs"]
mod common;

mod aliases;
mod collect;
#[cfg(feature = "dynamic")]
mod dynamic;
mod fill;
mod live;
mod seal;
mod snapshot;

use std::error::Error;
use std::sync::Arc;

use callboard::{Agent, BoxFuture, ChatMessage, ChatModel, DispatchError, agent, component, tool};

/// Adds two numbers.
#[tool(read_only, tags("math", "basic"))]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

/// Negates a number.
#[tool(tags("math"))]
async fn negate(n: i64) -> i64 {
    -n
}

/// Says it again.
#[agent(tags("talk"))]
async fn echo(prompt: &str) -> String {
    prompt.to_owned()
}

component!(
    Reducer,
    "append_messages",
    "Appends to a list.",
    tags("chat")
);
component!(Store, "sessions");

/// A model that answers with its own id.
struct Named(&'static str);

impl ChatModel for Named {
    fn model_id(&self) -> &str {
        self.0
    }

    fn chat<'a>(
        &'a self,
        messages: &'a [ChatMessage],
    ) -> BoxFuture<'a, Result<ChatMessage, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move {
            let mut last = messages.last().cloned().ok_or("no message")?;
            last.content = self.0.to_owned();
            Ok(last)
        })
    }
}

fn model(id: &'static str) -> Arc<dyn ChatModel> {
    Arc::new(Named(id))
}

/// An agent that was written by hand.
struct Quiet {
    name: String,
    description: &'static str,
}

fn quiet(name: &str, description: &'static str) -> Quiet {
    Quiet {
        name: name.to_owned(),
        description,
    }
}

impl Agent for Quiet {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn answer<'a>(&'a self, _prompt: &'a str) -> BoxFuture<'a, Result<String, DispatchError>> {
        Box::pin(async { Ok(self.description.to_owned()) })
    }
}
