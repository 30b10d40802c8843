//! What stands in the brackets of an attribute: `key`, `key = value` and `key(list)`.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{LitBool, LitInt, LitStr, Token};

use crate::errors::Errors;
use crate::name::{self, Name};

/// One setting of an attribute.
pub(crate) struct Setting {
    pub(crate) key: Ident,
    value: Value,
}

enum Value {
    None,
    Is(TokenStream),
    List(TokenStream),
}

/// Reads the settings; what can't be read is an error, and so is a key that comes twice.
pub(crate) fn settings(tokens: TokenStream, errors: &mut Errors) -> Vec<Setting> {
    let mut settings: Vec<Setting> = match parse.parse2(tokens) {
        Ok(settings) => settings,
        Err(error) => {
            errors.push(error);
            Vec::new()
        }
    };
    let mut seen: Vec<String> = Vec::new();
    settings.retain(|setting| {
        let key = setting.key.to_string();
        let first = !seen.contains(&key);
        if first {
            seen.push(key);
        } else {
            errors.at(&setting.key, format!("`{key}` is set twice; keep one"));
        }
        first
    });
    settings
}

fn parse(input: ParseStream<'_>) -> syn::Result<Vec<Setting>> {
    let mut settings = Vec::new();
    while !input.is_empty() {
        let key = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(
                error.span(),
                "write settings as `key`, `key = value` or `key(\"one\", \"two\")`",
            )
        })?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            let mut value = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                value.extend([input.parse::<TokenTree>()?]);
            }
            if value.is_empty() {
                return Err(syn::Error::new(
                    key.span(),
                    format!("`{key} =` has no value: write one, or take the `=` away"),
                ));
            }
            Value::Is(value)
        } else if input.peek(syn::token::Paren) {
            let list;
            syn::parenthesized!(list in input);
            Value::List(list.parse()?)
        } else {
            Value::None
        };
        settings.push(Setting { key, value });
        if !input.is_empty() {
            input
                .parse::<Token![,]>()
                .map_err(|error| syn::Error::new(error.span(), "write a comma between settings"))?;
        }
    }
    Ok(settings)
}

impl Setting {
    pub(crate) fn key(&self) -> String {
        self.key.to_string()
    }

    pub(crate) fn span(&self) -> Span {
        self.key.span()
    }

    /// `key` or `key = true` or `key = false`.
    pub(crate) fn flag(&self, errors: &mut Errors) -> bool {
        match &self.value {
            Value::None => return true,
            Value::Is(value) => {
                if let Ok(value) = syn::parse2::<LitBool>(value.clone()) {
                    return value.value;
                }
                errors.at(value, format!("write `{0}` or `{0} = false`", self.key));
            }
            Value::List(_) => {
                errors.at(
                    &self.key,
                    format!(
                        "`{0}` takes no list; write `{0}` or `{0} = false`",
                        self.key
                    ),
                );
            }
        }
        false
    }

    /// `key = "text"`.
    pub(crate) fn text(&self, example: &str, errors: &mut Errors) -> Option<LitStr> {
        if let Value::Is(value) = &self.value
            && let Ok(text) = syn::parse2(value.clone())
        {
            return Some(text);
        }
        errors.at(self, format!("write `{} = \"{example}\"`", self.key));
        None
    }

    /// `key = Name`, or another thing that is written without quotes.
    pub(crate) fn parsed<T: Parse>(&self, example: &str, errors: &mut Errors) -> Option<T> {
        if let Value::Is(value) = &self.value
            && let Ok(parsed) = syn::parse2(value.clone())
        {
            return Some(parsed);
        }
        errors.at(
            self,
            format!("write `{} = {example}`, without quotes", self.key),
        );
        None
    }

    /// `crate = path`.
    pub(crate) fn path(&self, errors: &mut Errors) -> Option<syn::Path> {
        if let Value::Is(value) = &self.value
            && let Ok(path) = syn::Path::parse_mod_style.parse2(value.clone())
        {
            return Some(path);
        }
        errors.at(
            self,
            format!("write `{} = path::to::callboard`, without quotes", self.key),
        );
        None
    }

    /// `key("one", "two")`.
    pub(crate) fn texts(&self, errors: &mut Errors) -> Vec<LitStr> {
        if let Value::List(list) = &self.value {
            match Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(list.clone()) {
                Ok(texts) => return texts.into_iter().collect(),
                Err(error) => errors.at_span(
                    error.span(),
                    format!(
                        "`{0}` is a list of texts in quotes: write `{0}(\"one\", \"two\")`",
                        self.key
                    ),
                ),
            }
        } else {
            errors.at(self, format!("write `{0}(\"one\", \"two\")`", self.key));
        }
        Vec::new()
    }

    /// `key = 1_000`, from `least` to `most`.
    pub(crate) fn number(&self, least: u64, most: u64, errors: &mut Errors) -> Option<u64> {
        if let Value::Is(value) = &self.value
            && let Ok(literal) = syn::parse2::<LitInt>(value.clone())
            && let Ok(number) = literal.base10_parse::<u64>()
            && (least..=most).contains(&number)
        {
            return Some(number);
        }
        errors.at(
            self,
            format!(
                "write `{} = 128_000`, a whole number from {least} to {most}",
                self.key
            ),
        );
        None
    }

    /// `key(One, two)`.
    pub(crate) fn list<T: Parse>(&self, example: &str, errors: &mut Errors) -> Vec<T> {
        if let Value::List(list) = &self.value {
            match Punctuated::<T, Token![,]>::parse_terminated.parse2(list.clone()) {
                Ok(items) => return items.into_iter().collect(),
                Err(error) => errors.at_span(
                    error.span(),
                    format!("write `{}({example})`, without quotes", self.key),
                ),
            }
        } else {
            errors.at(self, format!("write `{}({example})`", self.key));
        }
        Vec::new()
    }

    /// `key(one = …, two = …)`.
    pub(crate) fn settings(&self, example: &str, errors: &mut Errors) -> Vec<Setting> {
        if let Value::List(list) = &self.value {
            return settings(list.clone(), errors);
        }
        errors.at(self, format!("write `{}({example})`", self.key));
        Vec::new()
    }

    /// Whether the key stands alone.
    pub(crate) fn is_bare(&self) -> bool {
        matches!(self.value, Value::None)
    }

    /// `name = "…"`, by the rule of names.
    pub(crate) fn name(&self, errors: &mut Errors) -> Option<Name> {
        let text = self.text("find_orders", errors)?;
        match name::problem(&text.value()) {
            None => Some(Name {
                text: text.value(),
                span: text.span(),
            }),
            Some(problem) => {
                errors.at(&text, problem);
                None
            }
        }
    }

    /// Labels, without blanks and repeats.
    pub(crate) fn tags(&self, errors: &mut Errors) -> Vec<LitStr> {
        let mut tags: Vec<LitStr> = Vec::new();
        for tag in self.texts(errors) {
            if tag.value().trim().is_empty() {
                errors.at(&tag, "this tag is blank: write a word, or take it away");
            } else if tags.iter().any(|other| other.value() == tag.value()) {
                errors.at(
                    &tag,
                    format!("the tag {:?} is given twice; keep one", tag.value()),
                );
            } else {
                tags.push(tag);
            }
        }
        tags
    }

    /// `timeout = "5s"`; `Some(None)` is `"none"`.
    pub(crate) fn duration(&self, errors: &mut Errors) -> Option<Option<Duration>> {
        let text = self.text("5s", errors)?;
        let duration = duration(&text.value());
        if duration.is_none() {
            errors.at(
                &text,
                "write a whole number of `ms`, `s`, `m` or `h`, above 0, such as \"500ms\" or \"5s\"; \"none\" is without limit",
            );
        }
        duration
    }

    /// The error for a key that the attribute doesn't know.
    pub(crate) fn unknown(&self, attribute: &str, known: &[&str], errors: &mut Errors) {
        errors.at(
            &self.key,
            format!(
                "`{attribute}` has no setting `{}`; it has: {}",
                self.key,
                known.join(", ")
            ),
        );
    }
}

impl ToTokens for Setting {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.key.to_tokens(tokens);
        match &self.value {
            Value::None => {}
            Value::Is(value) | Value::List(value) => value.to_tokens(tokens),
        }
    }
}

fn duration(text: &str) -> Option<Option<Duration>> {
    if text == "none" {
        return Some(None);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok().filter(|number| *number > 0)?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(Some(Duration::from_millis(number.checked_mul(millis)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("5s"), Some(Some(Duration::from_secs(5))));
        assert_eq!(duration("250ms"), Some(Some(Duration::from_millis(250))));
        assert_eq!(duration("2m"), Some(Some(Duration::from_secs(120))));
        assert_eq!(duration("1h"), Some(Some(Duration::from_secs(3600))));
        assert_eq!(duration("none"), Some(None));
        for wrong in [
            "",
            "5",
            "s",
            "0s",
            "-1s",
            "1.5s",
            "5 s",
            "99999999999999999999s",
        ] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }
}
