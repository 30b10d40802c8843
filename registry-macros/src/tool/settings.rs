//! The settings in `#[tool(…)]`.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::LitStr;

use super::function::Function;
use crate::attribute::{self, Setting};
use crate::errors::Errors;
use crate::name::{self, Name};

const KNOWN: &[&str] = &[
    "name",
    "title",
    "description",
    "tags",
    "version",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "risk",
    "requires_approval",
    "timeout",
    "allow_unknown_fields",
    "coerce_strings",
    "blocking",
    "marker",
    "crate",
];

/// The settings, as they were written.
#[derive(Default)]
pub(crate) struct Written {
    name: Option<Option<Name>>,
    marker: Option<Option<Ident>>,
    title: Option<LitStr>,
    description: Option<LitStr>,
    tags: Vec<LitStr>,
    version: Option<LitStr>,
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
    open_world: Option<bool>,
    risk: Option<Risk>,
    requires_approval: bool,
    timeout: Option<Option<Duration>>,
    pub(super) allow_unknown_fields: bool,
    coerce_strings: bool,
    pub(super) blocking: Option<Span>,
    krate: Option<syn::Path>,
    destructive_at: Option<Ident>,
}

/// The settings, with everything that was left out filled in.
pub(crate) struct Settings {
    pub(crate) name: Name,
    pub(crate) marker: Ident,
    pub(crate) title: Option<LitStr>,
    /// An expression of type `&'static str`.
    pub(crate) description: TokenStream,
    pub(crate) tags: Vec<LitStr>,
    pub(crate) version: Option<LitStr>,
    pub(crate) policy: Policy,
    pub(crate) allow_unknown_fields: bool,
    pub(crate) coerce_strings: bool,
    pub(crate) blocking: bool,
    pub(crate) krate: TokenStream,
}

pub(crate) struct Policy {
    read_only: bool,
    destructive: bool,
    idempotent: bool,
    open_world: bool,
    risk: Risk,
    requires_approval: bool,
    timeout: Option<Option<Duration>>,
}

#[derive(Clone, Copy)]
enum Risk {
    Low,
    Medium,
    High,
}

impl Settings {
    pub(crate) fn read(
        attribute: TokenStream,
        function: &Function,
        errors: &mut Errors,
    ) -> Written {
        let mut written = Written::default();
        for setting in attribute::settings(attribute, errors) {
            written.set(&setting, errors);
        }
        if let Some(at) = &written.destructive_at
            && written.read_only == Some(true)
        {
            errors.at(
                at,
                "a tool that is `read_only` destroys nothing; keep one of the two",
            );
        }
        if let (Some(at), Some(asyncness)) = (written.blocking, &function.signature.asyncness) {
            errors.at_span(
                at,
                "`blocking` moves a plain function to a thread that may block, and this one is async; take `blocking` or `async` away",
            );
            let _ = asyncness;
        }
        written
    }
}

impl Written {
    fn set(&mut self, setting: &Setting, errors: &mut Errors) {
        match setting.key().as_str() {
            "name" => self.name = Some(setting.name(errors)),
            "title" => self.title = setting.text("Find orders", errors),
            "description" => self.description = setting.text("Finds orders.", errors),
            "tags" => self.tags = setting.tags(errors),
            "version" => self.version = setting.text("1.0", errors),
            "read_only" => self.read_only = Some(setting.flag(errors)),
            "destructive" => {
                let flag = setting.flag(errors);
                self.destructive = Some(flag);
                self.destructive_at = flag.then(|| setting.key.clone());
            }
            "idempotent" => self.idempotent = Some(setting.flag(errors)),
            "open_world" => self.open_world = Some(setting.flag(errors)),
            "risk" => self.risk = risk(setting, errors),
            "requires_approval" => self.requires_approval = setting.flag(errors),
            "timeout" => self.timeout = setting.duration(errors),
            "allow_unknown_fields" => self.allow_unknown_fields = setting.flag(errors),
            "coerce_strings" => self.coerce_strings = setting.flag(errors),
            "blocking" => self.blocking = setting.flag(errors).then(|| setting.span()),
            "marker" => self.marker = Some(setting.parsed("FindOrders", errors)),
            "crate" => self.krate = setting.path(errors),
            _ => setting.unknown("#[tool]", KNOWN, errors),
        }
    }

    /// Fills in what was left out; `None` where that can't be done, with an error.
    pub(super) fn checked(self, function: &Function, errors: &mut Errors) -> Option<Settings> {
        let ident = &function.signature.ident;
        let name = self.name.unwrap_or_else(|| name_of(ident, errors));
        let marker = self.marker.unwrap_or_else(|| marker_of(ident, errors));
        let read_only = self.read_only.unwrap_or(false);
        Some(Settings {
            name: name?,
            marker: marker?,
            title: self.title,
            description: self
                .description
                .map_or_else(|| function.description(), |text| quote!(#text)),
            tags: self.tags,
            version: self.version,
            policy: Policy {
                read_only,
                destructive: self.destructive.unwrap_or(!read_only),
                idempotent: self.idempotent.unwrap_or(read_only),
                open_world: self.open_world.unwrap_or(true),
                risk: self.risk.unwrap_or(Risk::Medium),
                requires_approval: self.requires_approval,
                timeout: self.timeout,
            },
            allow_unknown_fields: self.allow_unknown_fields,
            coerce_strings: self.coerce_strings,
            blocking: self.blocking.is_some(),
            krate: crate::crate_path::resolve(self.krate.as_ref()),
        })
    }
}

fn risk(setting: &Setting, errors: &mut Errors) -> Option<Risk> {
    let text = setting.text("low", errors)?;
    match text.value().as_str() {
        "low" => Some(Risk::Low),
        "medium" => Some(Risk::Medium),
        "high" => Some(Risk::High),
        _ => {
            errors.at(&text, "a risk is \"low\", \"medium\" or \"high\"");
            None
        }
    }
}

fn name_of(ident: &Ident, errors: &mut Errors) -> Option<Name> {
    let text = name::plain(ident);
    if let Some(problem) = name::problem(&text) {
        errors.at(
            ident,
            format!("{problem}; give the tool another with `#[tool(name = \"…\")]`"),
        );
        return None;
    }
    Some(Name {
        text,
        span: ident.span(),
    })
}

fn marker_of(ident: &Ident, errors: &mut Errors) -> Option<Ident> {
    let function = name::plain(ident);
    let Some(marker) = name::pascal_case(&function) else {
        errors.at(
            ident,
            format!(
                "no type can be named after `{function}`; name one with `#[tool(marker = Name)]`"
            ),
        );
        return None;
    };
    if name::is_in_prelude(&marker) {
        errors.at(
            ident,
            format!(
                "the struct for this tool would be called `{marker}` and hide the standard one; name it with `#[tool(marker = {marker}Tool)]`"
            ),
        );
        return None;
    }
    Some(Ident::new(&marker, ident.span()))
}

impl Policy {
    pub(super) fn tokens(&self, krate: &TokenStream) -> TokenStream {
        let Self {
            destructive,
            idempotent,
            open_world,
            requires_approval,
            ..
        } = self;
        let start = if self.read_only {
            quote!(read_only)
        } else {
            quote!(unstated)
        };
        let risk = match self.risk {
            Risk::Low => quote!(Low),
            Risk::Medium => quote!(Medium),
            Risk::High => quote!(High),
        };
        let timeout = match self.timeout {
            None => TokenStream::new(),
            Some(None) => quote!(.with_timeout(::core::option::Option::None)),
            Some(Some(timeout)) => {
                let millis = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
                quote! {
                    .with_timeout(::core::option::Option::Some(
                        ::core::time::Duration::from_millis(#millis),
                    ))
                }
            }
        };
        quote! {
            #krate::rt::ToolPolicy::#start()
                .with_destructive(#destructive)
                .with_idempotent(#idempotent)
                .with_open_world(#open_world)
                .with_risk(#krate::rt::Risk::#risk)
                .with_approval(#requires_approval)
                #timeout
        }
    }
}
