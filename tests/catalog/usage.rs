//! Usage objects in the shapes that the providers publish.

use callboard::catalog::{Part, ServiceTier, Usage};
use serde_json::{Value, json};

fn parts(usage: &Usage) -> Vec<(Part, u64)> {
    usage.iter().collect()
}

#[test]
fn openai_chat() {
    // The chat completion object of OpenAI's API reference, and one with a cached prompt.
    let usage = Usage::from_openai_chat(&json!({
        "prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0, "audio_tokens": 0,
            "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0
        }
    }))
    .unwrap();
    assert_eq!(parts(&usage), [(Part::Input, 19), (Part::Output, 10)]);

    let usage = Usage::from_openai_chat(&json!({
        "prompt_tokens": 2006, "completion_tokens": 300, "total_tokens": 2306,
        "prompt_tokens_details": {"cached_tokens": 1920, "cache_write_tokens": 50},
        "completion_tokens_details": {"reasoning_tokens": 192}
    }))
    .unwrap();
    assert_eq!(
        parts(&usage),
        [
            (Part::Input, 36),
            (Part::Output, 108),
            (Part::CacheRead, 1920),
            (Part::CacheWrite5m, 50),
            (Part::Reasoning, 192)
        ]
    );
    assert_eq!(usage.prompt_tokens(), 2006);
    assert_eq!(usage.output_tokens(), 300);
}

#[test]
fn openai_chat_with_audio() {
    let usage = Usage::from_openai_chat(&json!({
        "prompt_tokens": 120, "completion_tokens": 80,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 100},
        "completion_tokens_details": {"audio_tokens": 60}
    }))
    .unwrap();
    assert_eq!(
        parts(&usage),
        [
            (Part::Input, 20),
            (Part::Output, 20),
            (Part::AudioInput, 100),
            (Part::AudioOutput, 60)
        ]
    );
}

#[test]
fn openai_embedding_has_no_completion() {
    let usage = Usage::from_openai_chat(&json!({"prompt_tokens": 8, "total_tokens": 8})).unwrap();
    assert_eq!(parts(&usage), [(Part::Input, 8)]);
}

#[test]
fn openai_responses() {
    let usage = Usage::from_openai_responses(&json!({
        "input_tokens": 328, "input_tokens_details": {"cached_tokens": 128},
        "output_tokens": 1035, "output_tokens_details": {"reasoning_tokens": 832},
        "total_tokens": 1363
    }))
    .unwrap();
    assert_eq!(
        parts(&usage),
        [
            (Part::Input, 200),
            (Part::Output, 203),
            (Part::CacheRead, 128),
            (Part::Reasoning, 832)
        ]
    );
}

#[test]
fn openai_realtime() {
    let usage = Usage::from_openai_realtime(&json!({
        "total_tokens": 253, "input_tokens": 132, "output_tokens": 121,
        "input_token_details": {
            "text_tokens": 119, "audio_tokens": 13, "image_tokens": 0, "cached_tokens": 64,
            "cached_tokens_details": {"text_tokens": 60, "audio_tokens": 4, "image_tokens": 0}
        },
        "output_token_details": {"text_tokens": 30, "audio_tokens": 91}
    }))
    .unwrap();
    assert_eq!(
        parts(&usage),
        [
            (Part::Input, 59),
            (Part::Output, 30),
            (Part::CacheRead, 60),
            (Part::CacheReadAudio, 4),
            (Part::AudioInput, 9),
            (Part::AudioOutput, 91)
        ]
    );
    assert_eq!(usage.prompt_tokens(), 132);
}

#[test]
fn anthropic() {
    let usage = Usage::from_anthropic(&json!({
        "input_tokens": 50,
        "cache_creation_input_tokens": 248, "cache_read_input_tokens": 1800,
        "cache_creation": {"ephemeral_5m_input_tokens": 148, "ephemeral_1h_input_tokens": 100},
        "output_tokens": 503, "service_tier": "standard",
        "server_tool_use": {"web_search_requests": 0}
    }))
    .unwrap();
    assert_eq!(
        parts(&usage),
        [
            (Part::Input, 50),
            (Part::Output, 503),
            (Part::CacheRead, 1800),
            (Part::CacheWrite5m, 148),
            (Part::CacheWrite1h, 100)
        ]
    );
    assert_eq!(usage.prompt_tokens(), 2098);
    assert_eq!(usage.service(), ServiceTier::Standard);
}

#[test]
fn anthropic_without_the_split_and_with_nulls() {
    let usage = Usage::from_anthropic(&json!({
        "input_tokens": 21, "cache_creation_input_tokens": 188086, "cache_read_input_tokens": 0,
        "cache_creation": null, "output_tokens": 393, "service_tier": "batch"
    }))
    .unwrap();
    assert_eq!(usage.count(Part::CacheWrite5m), 188_086);
    assert_eq!(usage.service(), ServiceTier::Batch);
    let usage = Usage::from_anthropic(&json!({
        "input_tokens": 1, "output_tokens": 20, "service_tier": null,
        "output_tokens_details": {"thinking_tokens": 15}
    }))
    .unwrap();
    assert_eq!(
        parts(&usage),
        [(Part::Input, 1), (Part::Output, 5), (Part::Reasoning, 15)]
    );
}

#[test]
fn gemini() {
    let usage = Usage::from_gemini(&json!({
        "promptTokenCount": 1500, "cachedContentTokenCount": 400, "candidatesTokenCount": 90,
        "thoughtsTokenCount": 210, "toolUsePromptTokenCount": 30, "totalTokenCount": 1830,
        "promptTokensDetails": [
            {"modality": "TEXT", "tokenCount": 742},
            {"modality": "IMAGE", "tokenCount": 258},
            {"modality": "AUDIO", "tokenCount": 500}
        ],
        "cacheTokensDetails": [
            {"modality": "TEXT", "tokenCount": 300}, {"modality": "AUDIO", "tokenCount": 100}
        ],
        "candidatesTokensDetails": [{"modality": "TEXT", "tokenCount": 90}]
    }))
    .unwrap();
    assert_eq!(
        parts(&usage),
        [
            (Part::Input, 442 + 30),
            (Part::Output, 90),
            (Part::CacheRead, 300),
            (Part::CacheReadAudio, 100),
            (Part::AudioInput, 400),
            (Part::ImageInput, 258),
            (Part::Reasoning, 210)
        ]
    );
    assert_eq!(usage.prompt_tokens(), 1530);
    assert_eq!(usage.output_tokens(), 300);
}

#[test]
fn gemini_leaves_out_what_is_zero() {
    let usage = Usage::from_gemini(&json!({
        "promptTokenCount": 7, "totalTokenCount": 7,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 7}]
    }))
    .unwrap();
    assert_eq!(parts(&usage), [(Part::Input, 7)]);
}

type Read = fn(&Value) -> Result<Usage, callboard::catalog::UsageError>;

#[test]
fn what_does_not_add_up_is_refused() {
    let cases: [(Read, Value, &str); 12] = [
        (
            Usage::from_openai_chat,
            json!({}),
            "prompt_tokens: is missing",
        ),
        (
            Usage::from_openai_chat,
            json!(null),
            "prompt_tokens: is missing",
        ),
        (
            Usage::from_openai_chat,
            json!({"prompt_tokens": -1}),
            "prompt_tokens: is not a count of tokens",
        ),
        (
            Usage::from_openai_chat,
            json!({"prompt_tokens": 1.5}),
            "prompt_tokens: is not a count of tokens",
        ),
        (
            Usage::from_openai_chat,
            json!({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 11}}),
            "prompt_tokens: doesn't agree with the counts of its parts",
        ),
        (
            Usage::from_openai_chat,
            json!({"prompt_tokens": 1, "completion_tokens_details": {"reasoning_tokens": "3"}}),
            "completion_tokens_details.reasoning_tokens: is not a count of tokens",
        ),
        (
            Usage::from_openai_responses,
            json!({"input_tokens": 1}),
            "output_tokens: is missing",
        ),
        (
            Usage::from_openai_responses,
            json!({
                "input_tokens": 1, "output_tokens": 5,
                "output_tokens_details": {"reasoning_tokens": 6}
            }),
            "output_tokens: doesn't agree with the counts of its parts",
        ),
        (
            Usage::from_anthropic,
            json!({
                "input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 10,
                "cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 3}
            }),
            "cache_creation_input_tokens: doesn't agree with the counts of its parts",
        ),
        (
            Usage::from_anthropic,
            json!({"input_tokens": 1, "output_tokens": 1, "service_tier": "express"}),
            "service_tier: is not a known service tier",
        ),
        (
            Usage::from_gemini,
            json!({"promptTokenCount": 3, "cachedContentTokenCount": 4}),
            "promptTokenCount: doesn't agree with the counts of its parts",
        ),
        (
            Usage::from_gemini,
            json!({"promptTokenCount": 3, "promptTokensDetails": 4}),
            "promptTokensDetails: is not a count of tokens",
        ),
    ];
    for (read, object, expected) in cases {
        assert_eq!(read(&object).unwrap_err().to_string(), expected, "{object}");
    }
}

#[test]
fn an_object_that_counts_nothing_is_no_usage() {
    let readers: [Read; 5] = [
        Usage::from_openai_chat,
        Usage::from_openai_responses,
        Usage::from_openai_realtime,
        Usage::from_anthropic,
        Usage::from_gemini,
    ];
    for read in readers {
        for object in [
            json!({}),
            json!(null),
            json!([]),
            json!("7"),
            json!({"tokens": 7}),
            json!({"usage": {"prompt_tokens": 7, "promptTokenCount": 7, "input_tokens": 7}}),
        ] {
            let error = read(&object).expect_err("it counts nothing");
            assert!(
                error.to_string().ends_with("is missing"),
                "{object}: {error}"
            );
        }
    }
    // What another provider counts is not nothing, and is no Gemini usage either.
    let openai = json!({"prompt_tokens": 7, "completion_tokens": 1});
    assert_eq!(
        Usage::from_gemini(&openai).unwrap_err().to_string(),
        "promptTokenCount: is missing"
    );
    let blocked = json!({"totalTokenCount": 0});
    assert_eq!(parts(&Usage::from_gemini(&blocked).unwrap()), []);
}
