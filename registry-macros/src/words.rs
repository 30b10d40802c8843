//! The catalog's vocabulary that attributes take: capabilities, priced parts, a bound.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::errors::Errors;
use crate::name;

/// What `requires(…)` and `supports(…)` list.
pub(crate) const CAPABILITIES: &[&str] = &[
    "streaming",
    "tool_calling",
    "parallel_tool_calling",
    "tool_choice",
    "json_schema",
    "system_messages",
    "vision",
    "audio_input",
    "audio_output",
    "pdf_input",
    "video_input",
    "prompt_caching",
    "reasoning",
    "web_search",
    "computer_use",
];

/// What `prices(…)` sets.
pub(crate) const PARTS: &[&str] = &[
    "input",
    "output",
    "cache_read",
    "cache_read_audio",
    "cache_write_5m",
    "cache_write_1h",
    "audio_input",
    "audio_output",
    "image_input",
    "image_output",
    "video_input",
    "reasoning",
];

/// The largest limit that a model of a catalog can have.
pub(crate) const MOST_TOKENS: u64 = 1_000_000_000;

/// A capability that was written.
pub(crate) struct Capability {
    pub(crate) word: Ident,
    /// `rt::Capability::…`
    pub(crate) path: TokenStream,
}

/// The capabilities of a list; unknown ones and repeats are errors.
pub(crate) fn capabilities(
    words: Vec<Ident>,
    krate: &TokenStream,
    errors: &mut Errors,
) -> Vec<Capability> {
    let mut found: Vec<Capability> = Vec::new();
    for word in words {
        if found.iter().any(|other| other.word == word) {
            errors.at(&word, format!("`{word}` is listed twice; keep one"));
        } else if let Some(variant) = variant(&word, CAPABILITIES) {
            let path = quote!(#krate::rt::Capability::#variant);
            found.push(Capability { word, path });
        } else {
            errors.at(
                &word,
                format!(
                    "there is no capability `{word}`; there are: {}",
                    CAPABILITIES.join(", ")
                ),
            );
        }
    }
    found
}

/// The variant that a word of a list names.
pub(crate) fn variant(word: &Ident, words: &[&str]) -> Option<Ident> {
    let text = word.to_string();
    if !words.contains(&text.as_str()) {
        return None;
    }
    Some(Ident::new(&name::pascal_case(&text)?, Span::call_site()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{Capability, Part};

    fn assert_same(words: &[&str], all: &[(&str, String)]) {
        let variants: Vec<_> = words
            .iter()
            .map(|word| {
                let variant = variant(&Ident::new(word, Span::call_site()), words);
                (
                    *word,
                    variant
                        .map(|variant| variant.to_string())
                        .unwrap_or_default(),
                )
            })
            .collect();
        assert_eq!(variants, all);
    }

    #[test]
    fn words_are_those_of_the_catalog() {
        let all: Vec<_> = Capability::ALL
            .iter()
            .map(|capability| (capability.name(), format!("{capability:?}")))
            .collect();
        assert_same(CAPABILITIES, &all);
        let all: Vec<_> = Part::ALL
            .iter()
            .map(|part| (part.name(), format!("{part:?}")))
            .collect();
        assert_same(PARTS, &all);
    }
}
