//! Two components of one name: the program doesn't link, and where it was made to, it says at
//! start-up which names and where.

use crate::programs::{PROGRAMS, in_each_profile};
use crate::project::Build;

in_each_profile! {
    one_name_in_two_crates: two_crates;
}

#[track_caller]
fn assert_names(link_error: &str, symbols: &[&str]) {
    for symbol in symbols {
        // The whole symbol: `…_add` is the beginning of `…_address`.
        assert!(
            link_error
                .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .any(|word| word == *symbol),
            "no `{symbol}` in:\n{link_error}"
        );
    }
}

const OF_ALL_KINDS: &[&str] = &[
    "__callboard_duplicate_tool_add",
    "__callboard_duplicate_agent_helper",
    "__callboard_duplicate_reducer_append",
    "__callboard_duplicate_model_house",
    "__callboard_duplicate_router_chat_hv1",
];

fn two_crates(build: &Build) {
    assert_names(build.link_error("two_crates"), OF_ALL_KINDS);
}

#[test]
fn one_name_in_a_crate_and_the_program() {
    let build = PROGRAMS.cargo(&["build", "--package=crate_and_program"]);
    let error = build.link_error("crate_and_program");
    assert_names(error, &["__callboard_duplicate_tool_add"]);
    assert!(!error.contains("duplicate_agent"), "{error}");
}

#[test]
fn one_crate_in_two_versions() {
    let build = PROGRAMS.cargo(&["build", "--package=two_versions"]);
    let error = build.link_error("two_versions");
    assert_names(error, &["__callboard_duplicate_tool_lookup"]);
}

#[test]
fn each_number_of_codegen_units_keeps_the_guard() {
    for units in ["1", "16"] {
        let of = |krate: &str| format!("profile.dev.package.{krate}.codegen-units={units}");
        let build = PROGRAMS.cargo(&[
            "build",
            "--package=two_crates",
            "--config",
            &of("left"),
            "--config",
            &of("right"),
            "--config",
            &of("two_crates"),
        ]);
        two_crates(&build);
    }
}

#[test]
fn the_linker_that_is_not_the_default_keeps_the_guard() {
    // rustc 1.90 and later link with lld on x86_64 Linux; this is the system's own.
    two_crates(&with_flag("two_crates", "-Clinker-features=-lld"));
}

/// Builds a program with a flag for the compiler of that program alone.
fn with_flag(program: &str, flag: &str) -> Build {
    PROGRAMS.cargo(&["rustc", "--package", program, "--", flag])
}

const ALLOW_DUPLICATES: &str = "-Clink-arg=-Wl,--allow-multiple-definition";

#[test]
fn duplicates_that_the_linker_was_told_to_allow_are_one_error_at_start_up() {
    let build = with_flag("two_crates", ALLOW_DUPLICATES);
    assert_eq!(
        build.run("two_crates"),
        [
            "5 names are declared more than once; rename all but one of each, with `name = \"…\"` for example",
            "  the model `house` is declared 2 times:",
            "    left/src/lib.rs:19:12 (in left 0.1.0)",
            "    right/src/lib.rs:31:16 (in right 0.1.0)",
            "  the tool `add` is declared 2 times:",
            "    left/src/lib.rs:7:8 (in left 0.1.0)",
            "    right/src/lib.rs:6:12 (in right 0.1.0)",
            "  the agent `helper` is declared 2 times:",
            "    left/src/lib.rs:12:14 (in left 0.1.0)",
            "    right/src/lib.rs:13:16 (in right 0.1.0)",
            "  the router `chat-v1` is declared 2 times:",
            "    left/src/lib.rs:23:21 (in left 0.1.0)",
            "    right/src/lib.rs:35:25 (in right 0.1.0)",
            "  the reducer `append` is declared 2 times:",
            "    left/src/lib.rs:16:21 (in left 0.1.0)",
            "    right/src/lib.rs:26:36 (in right 0.1.0)",
        ]
    );
}

#[test]
fn two_versions_of_one_crate_are_told_apart_at_start_up() {
    let build = with_flag("two_versions", ALLOW_DUPLICATES);
    assert_eq!(
        build.run("two_versions")[1..],
        [
            "  the tool `lookup` is declared 2 times:",
            "    shared-1/src/lib.rs:5:8 (in shared 1.0.0)",
            "    shared-2/src/lib.rs:5:8 (in shared 2.0.0)",
        ]
    );
}
