//! `cargo clippy --all-targets` sees what trybuild, which only runs the compiler, can't ask it.

#[path = "ui/pass/lints_that_a_careful_crate_denies.rs"]
pub mod careful_crate;

#[test]
fn tools_of_each_sort_collect_in_a_crate_that_denies_every_lint() {
    careful_crate::main();
}
