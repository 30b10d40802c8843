//! The crates that more than one test builds, and the profiles that they are built in.

use std::sync::LazyLock;

use crate::project::{Build, Package, Project};

/// Prints what was collected, or why nothing was.
pub(crate) const PRINT_COLLECTED: &str = r#"
fn main() {
    match callboard::CapabilityRegistry::collect() {
        Ok(reg) => {
            for kind in callboard::ComponentKind::ALL {
                for name in reg.names(*kind) {
                    println!("{kind} {name}");
                }
            }
        }
        Err(error) => println!("{error}"),
    }
}
"#;

/// A tool `add`, an agent `helper`, a reducer `append`, a model `house` and a route `chat-v1`.
const LEFT: &str = r#"#![forbid(unsafe_code)]

use callboard::{agent, component, tool};

/// Adds.
#[tool(read_only)]
pub fn add(left: i64, right: i64) -> i64 {
    left + right
}

#[agent]
pub async fn helper(prompt: &str) -> String {
    prompt.to_owned()
}

component!(Reducer, "append");

#[callboard::model(provider = "acme", context = 1_000)]
pub struct House;

#[callboard::router]
pub enum LeftWork {
    #[route(alias = "chat-v1", model = House)]
    Chat,
}
"#;

/// The names of [`LEFT`], each in a module of its own and on an item of another name.
const RIGHT: &str = r#"#![forbid(unsafe_code)]

mod deep {
    pub mod er {
        #[callboard::tool(name = "add")]
        fn sum(numbers: Vec<i64>) -> i64 {
            numbers.into_iter().sum()
        }
    }
    mod agents {
        #[callboard::agent(name = "helper")]
        #[derive(Default)]
        struct Assistant;

        impl callboard::Respond for Assistant {
            type Error = String;

            async fn respond(&self, prompt: &str) -> Result<String, String> {
                Ok(prompt.to_owned())
            }
        }
    }
}

pub mod reducers {
    callboard::component!(Reducer, "append", "Appends.");
}

mod models {
    #[callboard::model(provider = "acme", id = "large", name = "house")]
    pub struct Large;

    #[callboard::router]
    pub enum RightWork {
        #[route(alias = "chat-v1", model = Large)]
        Talk,
    }
}
"#;

/// Names that an encoding could confuse, in every place that an item can be in.
const LOWER: &str = r#"#![forbid(unsafe_code)]
#![deny(missing_docs, unused)]
//! Tools in small letters.

use callboard::{agent, component, tool};

#[tool]
fn add() {}

mod a {
    #[callboard::tool(name = "a-b")]
    fn hyphen() {}

    mod b {
        #[callboard::tool(name = "a_b")]
        fn underscore() {}

        #[callboard::tool(name = "a_hb")]
        fn as_if_encoded() {}
    }
}

/// Holds a tool that nothing outside it can name.
pub fn unused() {
    #[tool]
    fn in_a_body() {}
}

/// One name in each of three kinds, which is no conflict.
#[agent(name = "add", marker = Adder)]
async fn add_as_agent(prompt: &str) -> String {
    prompt.to_owned()
}

component!(Reducer, "add", "Adds.");

/// A model.
#[callboard::model(provider = "acme", name = "add")]
#[derive(Debug)]
pub struct SmallModel;

/// A router of the same name.
#[callboard::router(name = "add")]
#[derive(Debug)]
pub enum Adding {
    /// A route.
    #[route(alias = "a-b", model = SmallModel)]
    Plus,
}
"#;

const UPPER: &str = r#"#![forbid(unsafe_code)]

#[callboard::tool(name = "Add")]
pub fn capital() {}

#[callboard::tool(name = "a.b")]
pub fn dot() {}

#[callboard::tool(name = "A-b")]
pub fn capital_hyphen() {}

callboard::component!(TaskStore, "a.b");

#[callboard::model(provider = "acme", name = "Add")]
pub struct LargeModel;

#[callboard::router(name = "Add")]
pub enum Adding {
    #[route(alias = "a_b", model = LargeModel)]
    Plus,
}
"#;

/// What the program `unique` prints: sorted by kind and name.
pub(crate) const UNIQUE_NAMES: &[&str] = &[
    "model Add",
    "model add",
    "tool A-b",
    "tool Add",
    "tool a-b",
    "tool a.b",
    "tool a_b",
    "tool a_hb",
    "tool add",
    "tool in_a_body",
    "tool of_the_program",
    "agent add",
    "router Add",
    "router add",
    "reducer add",
    "task_store a.b",
];

fn program(name: &str, own: &str) -> Package {
    Package::with_bare_callboard(name)
        .bin(&format!("#![forbid(unsafe_code)]\n{own}{PRINT_COLLECTED}"))
}

/// `shared`, of which there are two versions, outside the workspace as crates.io is.
fn shared(version: &str, directory: &str) -> Package {
    Package::with_bare_callboard("shared")
        .version(version, directory)
        .lib("#![forbid(unsafe_code)]\n\n/// Looks it up.\n#[callboard::tool]\npub fn lookup(key: String) -> String {\n    key\n}\n")
}

/// Programs that can link (`unique`) and that can't.
pub(crate) static PROGRAMS: LazyLock<Project> = LazyLock::new(|| {
    let members = [
        Package::with_bare_callboard("left").lib(LEFT),
        Package::with_bare_callboard("right").lib(RIGHT),
        Package::with_bare_callboard("lower").lib(LOWER),
        Package::with_bare_callboard("upper").lib(UPPER),
        program("two_crates", "callboard::link!(left, right);\n").needs(&["left", "right"]),
        program(
            "crate_and_program",
            "callboard::link!(left);\n\n#[callboard::tool]\nfn add() {}\n",
        )
        .needs(&["left"]),
        program("two_versions", "callboard::link!(old, new);\n")
            .dependency(r#"old = { package = "shared", path = "../shared-1" }"#)
            .dependency(r#"new = { package = "shared", path = "../shared-2" }"#),
        program(
            "unique",
            "callboard::link!(lower, upper);\n\n#[callboard::tool]\nfn of_the_program() {}\n",
        )
        .needs(&["lower", "upper"]),
    ];
    let others = [shared("1.0.0", "shared-1"), shared("2.0.0", "shared-2")];
    Project::write("programs", &members, &others)
});

/// Builds those programs that are looked at in each profile.
fn build(settings: &[&str]) -> Build {
    let programs = ["-p=two_crates", "-p=unique"];
    PROGRAMS.cargo(&[&["build", "--keep-going"], &programs[..], settings].concat())
}

/// Symbols meet before anything is optimized, so that is cut short.
fn build_with_lto(lto: &str) -> Build {
    let lto = format!("profile.release.lto='{lto}'");
    let level = "profile.release.opt-level=1";
    build(&["--release", "--config", &lto, "--config", level])
}

pub(crate) static DEV: LazyLock<Build> = LazyLock::new(|| build(&[]));
pub(crate) static RELEASE: LazyLock<Build> = LazyLock::new(|| build(&["--release"]));
pub(crate) static THIN_LTO: LazyLock<Build> = LazyLock::new(|| build_with_lto("thin"));
pub(crate) static FAT_LTO: LazyLock<Build> = LazyLock::new(|| build_with_lto("fat"));

/// Writes a set of tests for each profile. What they look at is built once.
macro_rules! in_each_profile {
    ($($test:ident: $check:path;)+) => {
        in_each_profile!(@profile dev DEV: $($test $check)+);
        in_each_profile!(@profile release RELEASE: $($test $check)+);
        in_each_profile!(@profile thin_lto THIN_LTO: $($test $check)+);
        in_each_profile!(@profile fat_lto FAT_LTO: $($test $check)+);
    };
    (@profile $module:ident $build:ident: $($test:ident $check:path)+) => {
        mod $module {
            use super::*;
            $(
                #[test]
                fn $test() {
                    $check(&crate::programs::$build);
                }
            )+
        }
    };
}
pub(crate) use in_each_profile;
