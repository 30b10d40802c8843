//! 10,000 tools, declared as `#[tool]` declares them but for their names: one function stands
//! behind all, so that they build in seconds.

use callboard::{CapabilityRegistry, Registry, rt, tool};

/// Fills a row.
#[tool(name = "filler", tags("filler"))]
pub async fn filler(text: String) -> String {
    text
}

/// A registry with this many of the fillers, and whatever else `also` keeps.
pub fn registry(rows: usize, also: impl Fn(&callboard::ComponentDescriptor) -> bool) -> Registry {
    let mut left = rows;
    CapabilityRegistry::collect_where(|declared| {
        also(declared)
            || declared.has_tag("filler") && {
                let kept = left > 0;
                left = left.saturating_sub(1);
                kept
            }
    })
    .expect("every name is there once")
    .seal()
    .expect("fillers need nothing")
}

macro_rules! declare {
    ($a:literal $b:literal $c:literal $d:literal) => {
        const _: () = {
            static DESCRIPTOR: rt::ToolDescriptor = rt::ToolDescriptor::__new(rt::ToolParts {
                component: rt::ComponentDescriptor::__new(
                    rt::ComponentKind::Tool,
                    concat!("filler_", $a, $b, $c, $d),
                    "Fills a row.",
                    &["filler"],
                    rt::SourceLocation::__new(
                        option_env!("CARGO_PKG_NAME"),
                        option_env!("CARGO_PKG_VERSION"),
                        module_path!(),
                        file!(),
                        line!(),
                        column!(),
                    ),
                ),
                title: None,
                version: "1",
                policy: rt::ToolPolicy::unstated(),
                io_mode: rt::ToolIoMode::Unary,
                coerce_strings: false,
                args_are_declared: false,
                type_id: std::any::TypeId::of::<[(); 1000 * $a + 100 * $b + 10 * $c + $d]>(),
                requires: |_| {},
                input_schema: rt::input_schema::<FillerArgs>,
                output_schema: None,
                args_to_json: None,
                invoke: rt::invoke::<Filler, false>,
            });
            // Without the guard against a second one: ten thousand symbols would take longer to
            // assemble than all the rest.
            #[rt::linkme::distributed_slice(rt::CALLBOARD_TOOLS_V1)]
            #[linkme(crate = rt::linkme)]
            static ELEMENT: Option<&'static rt::ToolDescriptor> = Some(&DESCRIPTOR);
        };
    };
}

/// Every number of four digits that begin with these.
macro_rules! digits {
    ($($digit:literal)*) => { $(digits!(@b $digit);)* };
    (@b $a:literal) => { digits!(@each_b $a 0 1 2 3 4 5 6 7 8 9); };
    (@each_b $a:literal $($b:literal)*) => { $(digits!(@c $a $b);)* };
    (@c $a:literal $b:literal) => { digits!(@each_c $a $b 0 1 2 3 4 5 6 7 8 9); };
    (@each_c $a:literal $b:literal $($c:literal)*) => { $(digits!(@d $a $b $c);)* };
    (@d $a:literal $b:literal $c:literal) => { digits!(@each_d $a $b $c 0 1 2 3 4 5 6 7 8 9); };
    (@each_d $a:literal $b:literal $c:literal $($d:literal)*) => { $(declare!($a $b $c $d);)* };
}

digits!(0 1 2 3 4 5 6 7 8 9);
