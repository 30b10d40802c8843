//! From LiteLLM's keys to `provider/model-id`.

/// LiteLLM's `litellm_provider` names a code path. Several lead to one provider.
const SAME_PROVIDER: &[(&str, &str)] = &[
    ("azure_text", "azure"),
    ("bedrock_converse", "bedrock"),
    ("cohere_chat", "cohere"),
    ("fireworks_ai-embedding-models", "fireworks_ai"),
    ("text-completion-codestral", "codestral"),
    ("text-completion-inception", "inception"),
    ("text-completion-openai", "openai"),
];

/// The provider behind a `litellm_provider`. `vertex_ai-anthropic_models` and its kind are Vertex.
pub(crate) fn provider(litellm_provider: &str) -> &str {
    if litellm_provider.starts_with("vertex_ai-") {
        return "vertex_ai";
    }
    SAME_PROVIDER
        .iter()
        .find_map(|(path, provider)| (*path == litellm_provider).then_some(*provider))
        .unwrap_or(litellm_provider)
}

/// A model of a provider, and whether LiteLLM's key named the provider itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) provider: String,
    pub(crate) id: String,
    pub(crate) prefixed: bool,
}

impl Key {
    /// Takes the provider off a LiteLLM key that begins with it. What remains is the model id,
    /// and may contain slashes of its own (a region, an account).
    pub(crate) fn new(key: &str, litellm_provider: &str) -> Self {
        let provider = provider(litellm_provider);
        let dashed = provider.replace('_', "-");
        let without = |prefix: &str| key.strip_prefix(prefix)?.strip_prefix('/');
        let (id, prefixed) = if let Some(id) = without(provider) {
            (id, true)
        } else if let Some(id) = without(litellm_provider).or_else(|| without(&dashed)) {
            (id, false)
        } else {
            (key, false)
        };
        Self {
            provider: provider.to_owned(),
            id: id.to_owned(),
            prefixed,
        }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.provider, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn keys_lose_their_provider_and_nothing_else() {
        for (key, provider, expected) in [
            ("gpt-4o", "openai", "openai/gpt-4o"),
            ("azure/gpt-4o", "azure", "azure/gpt-4o"),
            ("azure/eu/gpt-4o", "azure", "azure/eu/gpt-4o"),
            (
                "us.anthropic.x",
                "bedrock_converse",
                "bedrock/us.anthropic.x",
            ),
            (
                "vertex_ai/claude",
                "vertex_ai-anthropic_models",
                "vertex_ai/claude",
            ),
            (
                "gemini-2.5-pro",
                "vertex_ai-language-models",
                "vertex_ai/gemini-2.5-pro",
            ),
            (
                "amazon-nova/nova-lite-v1",
                "amazon_nova",
                "amazon_nova/nova-lite-v1",
            ),
            ("openai/gpt-x", "openrouter", "openrouter/openai/gpt-x"),
        ] {
            assert_eq!(Key::new(key, provider).to_string(), expected);
        }
    }
}
