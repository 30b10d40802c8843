//! Where the facts of a model come from: the catalog, or the attribute itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::LitStr;

use crate::attribute::Setting;
use crate::errors::Errors;
use crate::name;
use crate::words::{self, Capability};

/// The highest price that a catalog can have.
const MOST_PICODOLLARS: u64 = 1_000_000_000_000_000;

pub(super) enum Facts {
    Catalog {
        key: LitStr,
        deny_deprecated: Option<Deny>,
    },
    Own {
        provider: String,
        id: String,
        context: Option<Limit>,
        input: Option<Limit>,
        output: Option<Limit>,
        supports: Vec<Capability>,
        prices: Vec<(Ident, u64)>,
    },
}

/// A number of tokens, and where it is set.
pub(super) struct Limit {
    tokens: u32,
    at: Span,
}

/// `deny_deprecated`, with or without a date.
pub(super) struct Deny {
    at: Span,
    date: Option<(u16, u8, u8)>,
}

impl Facts {
    pub(super) fn read(
        settings: Vec<Setting>,
        at: &Ident,
        krate: &TokenStream,
        errors: &mut Errors,
    ) -> Option<Self> {
        let catalog = settings.iter().find(|setting| setting.key() == "catalog");
        let Some(catalog) = catalog else {
            return Self::own(settings, at, krate, errors);
        };
        let mut deny_deprecated = None;
        for setting in &settings {
            match setting.key().as_str() {
                "catalog" => {}
                "deny_deprecated" => deny_deprecated = deny(setting, errors),
                key => errors.at_span(
                    setting.span(),
                    format!("the catalog states the facts of this model: take `{key}` away, or state them all with `provider = \"…\"` instead of `catalog = \"…\"`"),
                ),
            }
        }
        let key = catalog.text("openai/gpt-4o", errors)?;
        if key
            .value()
            .split_once('/')
            .is_none_or(|(provider, id)| provider.is_empty() || id.is_empty())
        {
            errors.at(
                &key,
                "write the key of a model as `\"provider/model-id\"`, such as \"openai/gpt-4o\"",
            );
            return None;
        }
        Some(Self::Catalog {
            key,
            deny_deprecated,
        })
    }

    fn own(
        settings: Vec<Setting>,
        at: &Ident,
        krate: &TokenStream,
        errors: &mut Errors,
    ) -> Option<Self> {
        let mut provider = None;
        let mut id = None;
        let (mut context, mut input, mut output) = (None, None, None);
        let mut supports = Vec::new();
        let mut prices = Vec::new();
        for setting in settings {
            match setting.key().as_str() {
                "provider" => {
                    let text = setting.text("acme", errors)?;
                    if !is_provider(&text.value()) {
                        errors.at(&text, "a provider is 1 to 64 of a-z, 0-9, `_`, `.` and `-`");
                    }
                    provider = Some(text.value());
                }
                "id" => {
                    let text = setting.text("house-large", errors)?;
                    if !is_model_id(&text.value()) {
                        errors.at(&text, "a model's id is 1 to 256 visible ASCII characters without quotes and backslashes");
                        return None;
                    }
                    id = Some(text.value());
                }
                "context" => context = limit(&setting, errors),
                "input" => input = limit(&setting, errors),
                "output" => output = limit(&setting, errors),
                "supports" => {
                    let list = setting.list("tool_calling, vision", errors);
                    supports = words::capabilities(list, krate, errors);
                }
                "prices" => prices = read_prices(&setting, errors),
                _ => errors.at_span(
                    setting.span(),
                    "only the catalog knows when a model is deprecated: take `deny_deprecated` away, or name a `catalog = \"provider/model-id\"`",
                ),
            }
        }
        if let Some(Limit { tokens: most, .. }) = context {
            for limit in [&input, &output].into_iter().flatten() {
                if limit.tokens > most {
                    errors.at_span(
                        limit.at,
                        format!("`context` is the most tokens of prompt and answer together, and here it is {most}: neither can be more"),
                    );
                }
            }
        }
        let Some(provider) = provider else {
            errors.at(
                at,
                "say where the facts of this model are: `#[model(catalog = \"provider/model-id\")]`, or, for one that is in no catalog, `#[model(provider = \"acme\", context = 32_000, supports(tool_calling))]`",
            );
            return None;
        };
        Some(Self::Own {
            provider,
            id: id.unwrap_or_else(|| name::snake_case(&name::plain(at))),
            context,
            input,
            output,
            supports,
            prices,
        })
    }

    /// The provider's id of the model: its name, unless another is given.
    pub(super) fn id(&self) -> String {
        match self {
            Self::Catalog { key, .. } => key
                .value()
                .split_once('/')
                .map_or_else(String::new, |(_, id)| id.to_owned()),
            Self::Own { id, .. } => id.clone(),
        }
    }

    /// `__CALLBOARD_ENTRY`, a constant of type `&'static ModelEntry`.
    pub(super) fn entry(&self, krate: &TokenStream) -> TokenStream {
        match self {
            Self::Catalog { key, .. } => quote! {
                const __CALLBOARD_FOUND: ::core::result::Result<
                    &'static #krate::rt::ModelEntry,
                    #krate::rt::GateText,
                > = #krate::rt::catalogued(#key);
                const __CALLBOARD_ENTRY: &#krate::rt::ModelEntry = match __CALLBOARD_FOUND {
                    ::core::result::Result::Ok(entry) => entry,
                    ::core::result::Result::Err(_) => &#krate::rt::UNKNOWN_MODEL,
                };
            },
            Self::Own {
                provider,
                id,
                context,
                input,
                output,
                supports,
                prices,
            } => {
                let key = format!("{provider}/{id}");
                // Both lengths are bounded far below a `u16`.
                let provider_end = u16::try_from(provider.len()).unwrap_or(u16::MAX);
                let key_end = u16::try_from(key.len()).unwrap_or(u16::MAX);
                let limit = |limit: &Option<Limit>| match limit {
                    Some(Limit { tokens, .. }) => quote!(::core::option::Option::Some(#tokens)),
                    None => quote!(::core::option::Option::None),
                };
                let (context, input, output) = (limit(context), limit(input), limit(output));
                let supports = supports.iter().map(|capability| &capability.path);
                let parts = prices.iter().map(|(part, _)| part);
                let prices = prices.iter().map(|(_, price)| price);
                quote! {
                    static __CALLBOARD_DECLARED: #krate::rt::DeclaredModel =
                        #krate::rt::DeclaredModel::__new(
                            ::core::concat!(#key, ::core::file!()),
                            #provider_end,
                            #key_end,
                            #krate::rt::Limits {
                                context: #context,
                                input: #input,
                                output: #output,
                            },
                            #krate::rt::Capabilities::NOT_STATED
                                #(.with(#supports, #krate::rt::Support::Yes))*,
                            &#krate::rt::Prices::NOT_STATED #(.with(
                                #krate::rt::Part::#parts,
                                ::core::option::Option::Some(#prices),
                            ))*,
                        );
                    static __CALLBOARD_OWN_ENTRY: #krate::rt::ModelEntry =
                        #krate::rt::ModelEntry::declared(&__CALLBOARD_DECLARED);
                    const __CALLBOARD_ENTRY: &#krate::rt::ModelEntry = &__CALLBOARD_OWN_ENTRY;
                }
            }
        }
    }

    /// What the compiler is to check, each with the place to say so at.
    pub(super) fn gates(&self, krate: &TokenStream) -> Vec<(Span, TokenStream)> {
        let Self::Catalog {
            key,
            deny_deprecated,
        } = self
        else {
            return Vec::new();
        };
        let mut gates = vec![(key.span(), quote_spanned!(key.span()=> __CALLBOARD_FOUND))];
        if let Some(Deny { at, date }) = deny_deprecated {
            let date = match date {
                Some((year, month, day)) => quote!(#krate::rt::Date::new(#year, #month, #day)),
                None => quote!(::core::option::Option::None),
            };
            gates.push((
                *at,
                quote_spanned!(*at=> #krate::rt::not_deprecated(__CALLBOARD_ENTRY, #date)),
            ));
        }
        gates
    }
}

/// `context = 128_000`
fn limit(setting: &Setting, errors: &mut Errors) -> Option<Limit> {
    let tokens = setting.number(1, words::MOST_TOKENS, errors)?;
    Some(Limit {
        tokens: u32::try_from(tokens).ok()?,
        at: setting.span(),
    })
}

/// `deny_deprecated`, or `deny_deprecated = "2027-01-31"`.
fn deny(setting: &Setting, errors: &mut Errors) -> Option<Deny> {
    let at = setting.span();
    if setting.is_bare() {
        return Some(Deny { at, date: None });
    }
    let text = setting.text("2027-01-31", errors)?;
    match date(&text.value()) {
        Some(date) => Some(Deny {
            at: text.span(),
            date: Some(date),
        }),
        None => {
            errors.at(&text, "write a day of the calendar as \"2027-01-31\"");
            None
        }
    }
}

fn date(text: &str) -> Option<(u16, u8, u8)> {
    let digits = |range: std::ops::Range<usize>| {
        let digits = text.get(range)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse::<u16>().ok())?
    };
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    let valid = text.len() == 10
        && text.as_bytes().get(4) == Some(&b'-')
        && text.as_bytes().get(7) == Some(&b'-')
        && year > 0
        && (1..=days).contains(&day);
    valid.then_some((year, u8::try_from(month).ok()?, u8::try_from(day).ok()?))
}

/// `prices(input = 150_000, output = 600_000)`, in picodollars per token.
fn read_prices(setting: &Setting, errors: &mut Errors) -> Vec<(Ident, u64)> {
    let mut prices = Vec::new();
    for price in setting.settings("input = 150_000, output = 600_000", errors) {
        match words::variant(&price.key, words::PARTS) {
            Some(part) => {
                if let Some(amount) = price.number(0, MOST_PICODOLLARS, errors) {
                    prices.push((part, amount));
                }
            }
            None => errors.at(
                &price.key,
                format!(
                    "there is no part `{}` with a price of its own; there are: {}",
                    price.key,
                    words::PARTS.join(", ")
                ),
            ),
        }
    }
    prices
}

/// The rule that a catalog's document is held to.
fn is_provider(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte)
        })
}

/// The rule that a catalog's document is held to.
fn is_model_id(text: &str) -> bool {
    (1..=256).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        assert_eq!(date("2027-01-31"), Some((2027, 1, 31)));
        assert_eq!(date("2028-02-29"), Some((2028, 2, 29)));
        for wrong in [
            "",
            "2027-1-31",
            "2027-02-29",
            "2027-00-10",
            "2027-13-01",
            "2027-01-00",
            "0000-01-01",
            "2027/01/31",
            "2027-01-311",
            "+027-01-31",
            "２０27-01-3",
        ] {
            assert_eq!(date(wrong), None, "{wrong}");
        }
    }
}
