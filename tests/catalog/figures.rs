//! Prices of well-known models, as LiteLLM 1.110.2 writes them: dollars per token.

use callboard::catalog::{ModelCatalog, Part};

const FIGURES: [(&str, &str, &str, &str); 32] = [
    // model, input, output, cache read; "" where the source states none
    ("openai/gpt-4o", "2.5e-06", "1e-05", "1.25e-06"),
    ("openai/gpt-4o-mini", "1.5e-07", "6e-07", "7.5e-08"),
    ("openai/gpt-4.1", "2e-06", "8e-06", "5e-07"),
    ("openai/gpt-4.1-mini", "4e-07", "1.6e-06", "1e-07"),
    ("openai/gpt-5", "1.25e-06", "1e-05", "1.25e-07"),
    ("openai/gpt-5-mini", "2.5e-07", "2e-06", "2.5e-08"),
    ("openai/o3", "2e-06", "8e-06", "5e-07"),
    ("openai/o4-mini", "1.1e-06", "4.4e-06", "2.75e-07"),
    ("openai/gpt-6-astra", "1e-05", "5e-05", "1e-06"),
    ("openai/gpt-4-turbo", "1e-05", "3e-05", ""),
    ("openai/text-embedding-3-large", "1.3e-07", "0.0", ""),
    ("anthropic/claude-sonnet-4-5", "3e-06", "1.5e-05", "3e-07"),
    ("anthropic/claude-opus-4-5", "5e-06", "2.5e-05", "5e-07"),
    ("anthropic/claude-haiku-4-5", "1e-06", "5e-06", "1e-07"),
    ("anthropic/claude-sonnet-4-6", "3e-06", "1.5e-05", "3e-07"),
    ("anthropic/claude-opus-5", "5e-06", "2.5e-05", "5e-07"),
    ("anthropic/claude-haiku-5-5", "1e-07", "5e-07", "1e-08"),
    ("anthropic/claude-opus-5-5", "4e-06", "2e-05", "2e-07"),
    ("gemini/gemini-2.5-pro", "1.25e-06", "1e-05", "1.25e-07"),
    ("gemini/gemini-2.5-flash", "3e-07", "2.5e-06", "3e-08"),
    ("gemini/gemini-2.5-flash-lite", "1e-07", "4e-07", "1e-08"),
    ("gemini/gemini-3.1-pro-preview", "2e-06", "1.2e-05", "2e-07"),
    ("gemini/gemini-3-flash-preview", "5e-07", "3e-06", "5e-08"),
    ("mistral/mistral-large-latest", "5e-07", "1.5e-06", "5e-08"),
    (
        "mistral/mistral-small-latest",
        "1.5e-07",
        "6e-07",
        "1.5e-08",
    ),
    ("mistral/codestral-latest", "3e-07", "9e-07", "3e-08"),
    (
        "mistral/mistral-medium-latest",
        "1.5e-06",
        "7.5e-06",
        "1.5e-07",
    ),
    ("mistral/open-mistral-nemo", "3e-07", "3e-07", "3e-08"),
    ("xai/grok-4.6", "2e-06", "6e-06", "5e-07"),
    ("xai/grok-code-fast-1", "1e-06", "2e-06", "2e-07"),
    ("deepseek/deepseek-chat", "2.8e-07", "4.2e-07", "2.8e-08"),
    (
        "deepseek/deepseek-reasoner",
        "2.8e-07",
        "4.2e-07",
        "2.8e-08",
    ),
];

/// The source's figures have few digits, so that a float holds them closely enough.
fn picodollars(figure: &str) -> Option<u64> {
    let dollars: f64 = figure.parse().ok()?;
    Some((dollars * 1e12).round() as u64)
}

#[test]
fn prices_are_the_sources() {
    for (key, input, output, cache_read) in FIGURES {
        let entry = ModelCatalog::seed().find(key).expect(key);
        assert_eq!(entry.price(Part::Input), picodollars(input), "{key}");
        assert_eq!(entry.price(Part::Output), picodollars(output), "{key}");
        assert_eq!(
            entry.price(Part::CacheRead),
            picodollars(cache_read),
            "{key}"
        );
    }
}

#[test]
fn cache_writes_are_the_sources() {
    let sonnet = ModelCatalog::seed()
        .find("anthropic/claude-sonnet-4-5")
        .unwrap();
    assert_eq!(sonnet.price(Part::CacheWrite5m), Some(3_750_000));
    assert_eq!(sonnet.price(Part::CacheWrite1h), Some(6_000_000));
    assert_eq!(sonnet.price(Part::Reasoning), None);
}

#[test]
fn tiers_given_as_a_list_are_taken() {
    // dashscope/qwen3-coder-plus: to 32k, 128k, 256k and 1M.
    let coder = ModelCatalog::seed()
        .find("dashscope/qwen3-coder-plus")
        .unwrap();
    for (prompt, input, output) in [
        (32_000, 1_000_000, 5_000_000),
        (32_001, 1_800_000, 9_000_000),
        (128_001, 3_000_000, 15_000_000),
        (256_001, 6_000_000, 60_000_000_u64),
    ] {
        let cost = coder.estimate(prompt, 7).unwrap().picodollars();
        assert_eq!(cost, u128::from(prompt * input + 7 * output));
    }
}

#[test]
fn what_is_no_language_model_is_left_out() {
    let seed = ModelCatalog::seed();
    for key in ["openai/dall-e-3", "openai/sora-2", "cohere/rerank-v3.5"] {
        assert!(seed.find(key).is_none(), "{key}");
    }
    assert_eq!(seed.models().len(), 3_914);
}
