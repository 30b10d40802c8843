//! The distributed slices: the only file that names linkme.
//!
//! Every attribute puts a reference to its descriptor in the slice of its kind, and a symbol that
//! can exist once in a program beside it. Slices are read by `CapabilityRegistry::collect`.
//!
//! The `unsafe` that linkme's expansion needs (a link section on a static) is allowed here and
//! nowhere else.
#![allow(unsafe_code)]

use crate::agent::AgentDescriptor;
use crate::component::ComponentDescriptor;
use crate::model::ModelDescriptor;
use crate::router::RouterDescriptor;
use crate::tool::ToolDescriptor;

/// Declares a slice under a name that no other crate's slice will have: on ELF and Windows the
/// section is named by this identifier alone.
macro_rules! slice {
    ($slice:ident: $descriptor:ty, $sentinel:ident, $read:ident) => {
        #[cfg(not(target_family = "wasm"))]
        #[doc(hidden)]
        #[linkme::distributed_slice]
        pub static $slice: [Option<&'static $descriptor>];

        // lld-link crashes on a slice without elements.
        #[cfg(not(target_family = "wasm"))]
        #[linkme::distributed_slice($slice)]
        static $sentinel: Option<&'static $descriptor> = None;

        /// What the slice holds in this program, in the linker's order.
        pub(crate) fn $read() -> impl Iterator<Item = &'static $descriptor> {
            #[cfg(not(target_family = "wasm"))]
            return $slice.iter().filter_map(|element| *element);
            // linkme has no wasm: there, an explicit `register_*` is the way in.
            #[cfg(target_family = "wasm")]
            return std::iter::empty();
        }
    };
}

slice!(CALLBOARD_TOOLS_V1: ToolDescriptor, TOOLS_SENTINEL, declared_tools);
slice!(CALLBOARD_MODELS_V1: ModelDescriptor, MODELS_SENTINEL, declared_models);
slice!(CALLBOARD_ROUTERS_V1: RouterDescriptor, ROUTERS_SENTINEL, declared_routers);
slice!(CALLBOARD_AGENTS_V1: AgentDescriptor, AGENTS_SENTINEL, declared_agents);
slice!(CALLBOARD_COMPONENTS_V1: ComponentDescriptor, COMPONENTS_SENTINEL, declared_components);

/// Puts a descriptor in its slice.
#[doc(hidden)]
#[macro_export]
macro_rules! __callboard_declare {
    ($slice:ident, $descriptor:ty, $value:expr) => {
        #[cfg(not(target_family = "wasm"))]
        #[$crate::rt::linkme::distributed_slice($crate::rt::$slice)]
        #[linkme(crate = $crate::rt::linkme)]
        static __CALLBOARD_ELEMENT: ::core::option::Option<&'static $descriptor> =
            ::core::option::Option::Some($value);
    };
}

/// A symbol that can exist once in a program.
///
/// It stands in a module of its own, never on a slice's element: there it would drop the element
/// in silence. Two crates that declare one name fail to link, and the linker's message names the
/// symbol.
#[doc(hidden)]
#[macro_export]
macro_rules! __callboard_guard {
    ($symbol:expr) => {
        mod __callboard_guard {
            #[cfg(all(
                any(
                    target_os = "linux",
                    target_os = "android",
                    target_os = "freebsd",
                    target_os = "netbsd",
                    target_os = "openbsd",
                    target_os = "dragonfly",
                    target_os = "illumos",
                    target_os = "solaris"
                ),
                not(miri)
            ))]
            ::core::arch::global_asm!(::core::concat!(".globl ", $symbol, "\n", $symbol, ":\n"));
        }
    };
}

/// Makes sure that crates which are used for their tools alone are part of the program.
///
/// A dependency that no code names never reaches the linker, and what it declares is missing
/// without a word. Naming it here is enough; `CapabilityRegistry::expect_crates` then checks that
/// each one gave something.
///
/// ```
/// callboard::link!(serde_json);
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! link {
    ($($krate:ident),+ $(,)?) => {
        $(#[allow(unused_imports)] use ::$krate as _;)+
    };
}
