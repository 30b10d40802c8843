//! 10,000 tools: descriptors as `#[tool]` makes them, with one function behind all, so that they
//! build in seconds.

use std::any::TypeId;

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

const fn descriptor(name: &'static str, type_id: TypeId) -> rt::ToolDescriptor {
    rt::ToolDescriptor::__new(rt::ToolParts {
        component: rt::ComponentDescriptor::__new(
            rt::ComponentKind::Tool,
            name,
            "Fills a row.",
            &["filler"],
            rt::SourceLocation::__new(None, None, module_path!(), file!(), line!(), column!()),
        ),
        title: None,
        version: "1",
        policy: rt::ToolPolicy::unstated(),
        io_mode: rt::ToolIoMode::Unary,
        coerce_strings: false,
        args_are_declared: false,
        type_id,
        requires: |_| {},
        input_schema: rt::Probe::<FillerArgs>::INPUT_SCHEMA,
        output_schema: None,
        args_to_json: None,
        invoke: rt::Probe::<rt::JsonDoorOf<Filler, false>>::INVOKE,
    })
}

/// One array of digits for each place of a number.
macro_rules! each {
    ($($before:literal)*) => { each!(@ ($($before)*) 0 1 2 3 4 5 6 7 8 9) };
    (@ ($a:literal $b:literal $c:literal) $($d:literal)*) => {
        [$(descriptor(
            concat!("filler_", $a, $b, $c, $d),
            TypeId::of::<([(); $a], [(); $b], [(); $c], [(); $d])>(),
        )),*]
    };
    (@ ($a:literal $b:literal) $($c:literal)*) => { [$(each!($a $b $c)),*] };
    (@ ($a:literal) $($b:literal)*) => { [$(each!($a $b)),*] };
    (@ () $($a:literal)*) => { [$(each!($a)),*] };
}

static DESCRIPTORS: [[[[rt::ToolDescriptor; 10]; 10]; 10]; 10] = each!();

/// The fillers' place in the slice: what ten thousand `#[tool]`s would put there, as one static.
/// A static each would build for minutes.
#[allow(unsafe_code, reason = "a section is named, as linkme names it on ELF")]
#[used]
#[unsafe(link_section = "linkme_CALLBOARD_TOOLS_V1")]
static ELEMENTS: [Option<&'static rt::ToolDescriptor>; 10_000] = {
    let mut elements = [None; 10_000];
    let mut n = 0;
    while n < elements.len() {
        elements[n] = Some(&DESCRIPTORS[n / 1000][n / 100 % 10][n / 10 % 10][n % 10]);
        n += 1;
    }
    elements
};
