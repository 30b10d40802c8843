//! How many tokens a call took, part by part.

use std::fmt;

use serde_json::Value;

use super::{Part, ServiceTier};

/// The tokens of one call, in parts that don't overlap, and the service it was made with.
///
/// Providers count the same call differently: some include cached tokens in the prompt and
/// reasoning in the answer, some don't. Each constructor takes one provider's usage object as it
/// was received and takes the parts out of the totals, so that nothing is counted twice:
///
/// | object | prompt total | cache reads | cache writes | answer total | reasoning |
/// |---|---|---|---|---|---|
/// | [OpenAI chat](Self::from_openai_chat) | `prompt_tokens` | within | within | `completion_tokens` | within |
/// | [OpenAI responses](Self::from_openai_responses) | `input_tokens` | within | within | `output_tokens` | within |
/// | [Anthropic](Self::from_anthropic) | `input_tokens` | beside | beside | `output_tokens` | within |
/// | [Gemini](Self::from_gemini) | `promptTokenCount` | within | none | `candidatesTokenCount` | beside |
///
/// ```
/// use callboard::catalog::{Part, Usage};
///
/// let usage = Usage::from_openai_chat(&serde_json::json!({
///     "prompt_tokens": 2006,
///     "completion_tokens": 300,
///     "prompt_tokens_details": {"cached_tokens": 1920},
///     "completion_tokens_details": {"reasoning_tokens": 192}
/// }))?;
/// assert_eq!(usage.count(Part::Input), 86);
/// assert_eq!(usage.count(Part::CacheRead), 1920);
/// assert_eq!(usage.count(Part::Output), 108);
/// assert_eq!(usage.count(Part::Reasoning), 192);
/// assert_eq!(usage.prompt_tokens(), 2006);
/// # Ok::<(), callboard::catalog::UsageError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Usage {
    tokens: [u64; Part::COUNT],
    service: ServiceTier,
}

impl Default for Usage {
    fn default() -> Self {
        Self::new()
    }
}

impl Usage {
    /// No tokens at all, with the standard service.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            tokens: [0; Part::COUNT],
            service: ServiceTier::Standard,
        }
    }

    /// The same, with this many tokens of this part.
    #[must_use]
    pub const fn with(mut self, part: Part, tokens: u64) -> Self {
        self.tokens[part as usize] = tokens;
        self
    }

    /// The same, for a call made with this service.
    ///
    /// Of the usage objects only Anthropic's names the service; OpenAI names it beside the object,
    /// as `service_tier` of the response.
    #[must_use]
    pub const fn with_service(mut self, service: ServiceTier) -> Self {
        self.service = service;
        self
    }

    /// The same tokens, with audio counted as text.
    ///
    /// For models whose provider lists one price for both, and so states none for audio. It is
    /// the caller who knows that: a cost never assumes it.
    #[must_use]
    pub const fn with_audio_as_text(self) -> Self {
        self.moved(Part::AudioInput, Part::Input)
            .moved(Part::AudioOutput, Part::Output)
            .moved(Part::CacheReadAudio, Part::CacheRead)
    }

    const fn moved(self, from: Part, to: Part) -> Self {
        let sum = self.count(from).saturating_add(self.count(to));
        self.with(to, sum).with(from, 0)
    }

    /// How many tokens of this part.
    #[must_use]
    pub const fn count(&self, part: Part) -> u64 {
        self.tokens[part as usize]
    }

    /// The service of the call.
    #[must_use]
    pub const fn service(&self) -> ServiceTier {
        self.service
    }

    /// The parts that have tokens, in the order of [`Part::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Part, u64)> {
        Part::ALL
            .iter()
            .map(|part| (*part, self.count(*part)))
            .filter(|(_, tokens)| *tokens > 0)
    }

    /// The size of the prompt, cached or not: what a price tier goes by.
    #[must_use]
    pub fn prompt_tokens(&self) -> u64 {
        self.sum(true)
    }

    /// The size of the answer, with reasoning.
    #[must_use]
    pub fn output_tokens(&self) -> u64 {
        self.sum(false)
    }

    fn sum(&self, prompt: bool) -> u64 {
        self.iter()
            .filter(|(part, _)| part.is_prompt() == prompt)
            .fold(0, |sum, (_, tokens)| sum.saturating_add(tokens))
    }

    /// From the `usage` of an OpenAI chat completion, completion or embedding, and of the many
    /// providers that copy its shape.
    ///
    /// `prompt_tokens` includes `prompt_tokens_details.cached_tokens`, `.cache_write_tokens` and
    /// `.audio_tokens`; `completion_tokens` includes
    /// `completion_tokens_details.reasoning_tokens` and `.audio_tokens`. An embedding has no
    /// completion. Cache writes are counted as [`Part::CacheWrite5m`].
    ///
    /// # Errors
    ///
    /// If `prompt_tokens` is missing, a count isn't a whole number, or the parts are more than
    /// their total.
    pub fn from_openai_chat(usage: &Value) -> Result<Self, UsageError> {
        let read = Fields(usage);
        let cached = read.count("/prompt_tokens_details/cached_tokens")?;
        let written = read.count("/prompt_tokens_details/cache_write_tokens")?;
        let heard = read.count("/prompt_tokens_details/audio_tokens")?;
        let reasoning = read.count("/completion_tokens_details/reasoning_tokens")?;
        let spoken = read.count("/completion_tokens_details/audio_tokens")?;
        let prompt = read.required("/prompt_tokens")?;
        let answer = read.count("/completion_tokens")?;
        Ok(Self::new()
            .with(
                Part::Input,
                rest("/prompt_tokens", prompt, &[cached, written, heard])?,
            )
            .with(Part::CacheRead, cached)
            .with(Part::CacheWrite5m, written)
            .with(Part::AudioInput, heard)
            .with(
                Part::Output,
                rest("/completion_tokens", answer, &[reasoning, spoken])?,
            )
            .with(Part::Reasoning, reasoning)
            .with(Part::AudioOutput, spoken))
    }

    /// From the `usage` of an OpenAI response.
    ///
    /// `input_tokens` includes `input_tokens_details.cached_tokens` and `.cache_write_tokens`;
    /// `output_tokens` includes `output_tokens_details.reasoning_tokens`. Cache writes are counted
    /// as [`Part::CacheWrite5m`].
    ///
    /// # Errors
    ///
    /// If `input_tokens` or `output_tokens` is missing, a count isn't a whole number, or the
    /// parts are more than their total.
    pub fn from_openai_responses(usage: &Value) -> Result<Self, UsageError> {
        let read = Fields(usage);
        let cached = read.count("/input_tokens_details/cached_tokens")?;
        let written = read.count("/input_tokens_details/cache_write_tokens")?;
        let reasoning = read.count("/output_tokens_details/reasoning_tokens")?;
        let prompt = read.required("/input_tokens")?;
        let answer = read.required("/output_tokens")?;
        Ok(Self::new()
            .with(
                Part::Input,
                rest("/input_tokens", prompt, &[cached, written])?,
            )
            .with(Part::CacheRead, cached)
            .with(Part::CacheWrite5m, written)
            .with(Part::Output, rest("/output_tokens", answer, &[reasoning])?)
            .with(Part::Reasoning, reasoning))
    }

    /// From the `usage` of an OpenAI realtime `response.done`.
    ///
    /// `input_tokens` includes `input_token_details.audio_tokens`, `.image_tokens` and
    /// `.cached_tokens`; `cached_tokens_details` says how many of the cached ones are audio and
    /// images. `output_tokens` includes `output_token_details.audio_tokens`.
    ///
    /// # Errors
    ///
    /// If `input_tokens` or `output_tokens` is missing, a count isn't a whole number, or the
    /// parts are more than their total.
    pub fn from_openai_realtime(usage: &Value) -> Result<Self, UsageError> {
        let read = Fields(usage);
        let cached = read.count("/input_token_details/cached_tokens")?;
        let details = "/input_token_details/cached_tokens_details";
        let cached_audio = read.count(&format!("{details}/audio_tokens"))?;
        let cached_image = read.count(&format!("{details}/image_tokens"))?;
        let audio = rest(
            "/input_token_details/audio_tokens",
            read.count("/input_token_details/audio_tokens")?,
            &[cached_audio],
        )?;
        let image = rest(
            "/input_token_details/image_tokens",
            read.count("/input_token_details/image_tokens")?,
            &[cached_image],
        )?;
        let spoken = read.count("/output_token_details/audio_tokens")?;
        let prompt = read.required("/input_tokens")?;
        let answer = read.required("/output_tokens")?;
        Ok(Self::new()
            .with(
                Part::Input,
                rest("/input_tokens", prompt, &[cached, audio, image])?,
            )
            .with(
                Part::CacheRead,
                rest(
                    "/input_token_details/cached_tokens",
                    cached,
                    &[cached_audio],
                )?,
            )
            .with(Part::CacheReadAudio, cached_audio)
            .with(Part::AudioInput, audio)
            .with(Part::ImageInput, image)
            .with(Part::Output, rest("/output_tokens", answer, &[spoken])?)
            .with(Part::AudioOutput, spoken))
    }

    /// From the `usage` of an Anthropic message.
    ///
    /// `input_tokens` counts neither `cache_read_input_tokens` nor `cache_creation_input_tokens`;
    /// `cache_creation` splits the latter by lifetime, and without it they are all of five
    /// minutes. `output_tokens` includes `output_tokens_details.thinking_tokens`, which cost as
    /// output. `service_tier` (`standard`, `batch`, `priority`) is taken over.
    ///
    /// # Errors
    ///
    /// If `input_tokens` or `output_tokens` is missing, a count isn't a whole number, the service
    /// is unknown, or the parts don't make their total.
    pub fn from_anthropic(usage: &Value) -> Result<Self, UsageError> {
        let read = Fields(usage);
        let written = read.count("/cache_creation_input_tokens")?;
        let hour = read.count("/cache_creation/ephemeral_1h_input_tokens")?;
        let minutes = rest("/cache_creation_input_tokens", written, &[hour])?;
        let stated = read.count("/cache_creation/ephemeral_5m_input_tokens")?;
        if stated != minutes
            && usage
                .pointer("/cache_creation")
                .is_some_and(Value::is_object)
        {
            return Err(UsageError::inconsistent("/cache_creation_input_tokens"));
        }
        let service = match usage.get("service_tier") {
            None | Some(Value::Null) => ServiceTier::Standard,
            Some(name) => name
                .as_str()
                .and_then(ServiceTier::from_name)
                .ok_or_else(|| UsageError::at("/service_tier", Wrong::UnknownService))?,
        };
        let thinking = read.count("/output_tokens_details/thinking_tokens")?;
        let answer = read.required("/output_tokens")?;
        Ok(Self::new()
            .with(Part::Input, read.required("/input_tokens")?)
            .with(Part::CacheRead, read.count("/cache_read_input_tokens")?)
            .with(Part::CacheWrite5m, minutes)
            .with(Part::CacheWrite1h, hour)
            .with(Part::Output, rest("/output_tokens", answer, &[thinking])?)
            .with(Part::Reasoning, thinking)
            .with_service(service))
    }

    /// From the `usageMetadata` of a Gemini response.
    ///
    /// `promptTokenCount` includes `cachedContentTokenCount`, but not `toolUsePromptTokenCount`;
    /// `candidatesTokenCount` does not include `thoughtsTokenCount`. The `…TokensDetails` lists
    /// say how many of a total are `AUDIO`, `IMAGE`, `DOCUMENT` (counted as image, which is how a
    /// page is read) or `VIDEO`; what they don't say is text. Counts that are 0 are left out of
    /// the object; that all of them are is taken for a mistake, such as an object of another
    /// provider.
    ///
    /// # Errors
    ///
    /// If it isn't an object with one of these totals or `totalTokenCount`, a count isn't a whole
    /// number, or the parts are more than their total.
    pub fn from_gemini(usage: &Value) -> Result<Self, UsageError> {
        let read = Fields(usage);
        let totals = [
            "promptTokenCount",
            "candidatesTokenCount",
            "totalTokenCount",
            "cachedContentTokenCount",
            "toolUsePromptTokenCount",
            "thoughtsTokenCount",
        ];
        if totals
            .iter()
            .all(|total| usage.get(total).is_none_or(Value::is_null))
        {
            return Err(UsageError::at("/promptTokenCount", Wrong::Missing));
        }
        let cached = read.modalities("/cacheTokensDetails")?;
        let mut prompt = read.modalities("/promptTokensDetails")?;
        prompt.minus(&cached, "/promptTokensDetails")?;
        let tools = read.modalities("/toolUsePromptTokensDetails")?;
        let answer = read.modalities("/candidatesTokensDetails")?;

        let cached_total = read.count("/cachedContentTokenCount")?;
        let prompt_text = rest(
            "/promptTokenCount",
            read.count("/promptTokenCount")?,
            &[cached_total, prompt.audio, prompt.image, prompt.video],
        )?;
        let tool_text = rest(
            "/toolUsePromptTokenCount",
            read.count("/toolUsePromptTokenCount")?,
            &[tools.audio, tools.image, tools.video],
        )?;
        let answer_text = rest(
            "/candidatesTokenCount",
            read.count("/candidatesTokenCount")?,
            &[answer.audio, answer.image],
        )?;
        Ok(Self::new()
            .with(Part::Input, prompt_text.saturating_add(tool_text))
            .with(
                Part::CacheRead,
                rest("/cachedContentTokenCount", cached_total, &[cached.audio])?,
            )
            .with(Part::CacheReadAudio, cached.audio)
            .with(Part::AudioInput, prompt.audio.saturating_add(tools.audio))
            .with(Part::ImageInput, prompt.image.saturating_add(tools.image))
            .with(Part::VideoInput, prompt.video.saturating_add(tools.video))
            .with(Part::Output, answer_text)
            .with(Part::AudioOutput, answer.audio)
            .with(Part::ImageOutput, answer.image)
            .with(Part::Reasoning, read.count("/thoughtsTokenCount")?))
    }
}

impl fmt::Debug for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        map.entry(&"service", &self.service);
        map.entries(self.iter().map(|(part, tokens)| (part.name(), tokens)));
        map.finish()
    }
}

/// What is left of a total without some of its parts.
fn rest(total_at: &str, total: u64, parts: &[u64]) -> Result<u64, UsageError> {
    parts
        .iter()
        .try_fold(total, |total, part| total.checked_sub(*part))
        .ok_or_else(|| UsageError::inconsistent(total_at))
}

/// Reads counts by their JSON pointer.
struct Fields<'a>(&'a Value);

impl Fields<'_> {
    fn required(&self, pointer: &str) -> Result<u64, UsageError> {
        match self.0.pointer(pointer) {
            None => Err(UsageError::at(pointer, Wrong::Missing)),
            Some(count) => as_count(count, pointer),
        }
    }

    /// 0 where the field is absent or null.
    fn count(&self, pointer: &str) -> Result<u64, UsageError> {
        match self.0.pointer(pointer) {
            None | Some(Value::Null) => Ok(0),
            Some(count) => as_count(count, pointer),
        }
    }

    fn modalities(&self, pointer: &str) -> Result<Modalities, UsageError> {
        let mut counts = Modalities::default();
        let list = match self.0.pointer(pointer) {
            None | Some(Value::Null) => return Ok(counts),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(UsageError::at(pointer, Wrong::NotACount)),
        };
        for detail in list {
            let sum = match detail.get("modality").and_then(Value::as_str) {
                Some("AUDIO") => &mut counts.audio,
                Some("IMAGE" | "DOCUMENT") => &mut counts.image,
                Some("VIDEO") => &mut counts.video,
                _ => continue,
            };
            let count = match detail.get("tokenCount") {
                None | Some(Value::Null) => 0,
                Some(count) => as_count(count, pointer)?,
            };
            *sum = sum.saturating_add(count);
        }
        Ok(counts)
    }
}

fn as_count(value: &Value, pointer: &str) -> Result<u64, UsageError> {
    value
        .as_u64()
        .ok_or_else(|| UsageError::at(pointer, Wrong::NotACount))
}

#[derive(Default)]
struct Modalities {
    audio: u64,
    image: u64,
    video: u64,
}

impl Modalities {
    fn minus(&mut self, other: &Self, pointer: &str) -> Result<(), UsageError> {
        self.audio = rest(pointer, self.audio, &[other.audio])?;
        self.image = rest(pointer, self.image, &[other.image])?;
        self.video = rest(pointer, self.video, &[other.video])?;
        Ok(())
    }
}

/// Why a usage object can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError {
    field: String,
    wrong: Wrong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Missing,
    NotACount,
    Inconsistent,
    UnknownService,
}

impl UsageError {
    fn at(pointer: &str, wrong: Wrong) -> Self {
        Self {
            field: pointer.trim_start_matches('/').replace('/', "."),
            wrong,
        }
    }

    fn inconsistent(pointer: &str) -> Self {
        Self::at(pointer, Wrong::Inconsistent)
    }

    /// The field, as a path: `prompt_tokens_details.cached_tokens`.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.wrong {
            Wrong::Missing => "is missing",
            Wrong::NotACount => "is not a count of tokens",
            Wrong::Inconsistent => "doesn't agree with the counts of its parts",
            Wrong::UnknownService => "is not a known service tier",
        };
        write!(f, "{}: {what}", self.field)
    }
}

impl std::error::Error for UsageError {}
