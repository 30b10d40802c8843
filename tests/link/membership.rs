//! Which crates are part of a program: those that its code names.

use std::sync::LazyLock;

use crate::project::{Build, Package, Project};

/// Prints what the crate `orders-tools` gave, or what `expect_crates` says of it.
const EXPECT: &str = r#"
fn main() {
    let mut reg = callboard::CapabilityRegistry::collect().unwrap();
    match reg.expect_crates(["orders-tools"]) {
        Ok(reg) => println!("{}", reg.names(callboard::ComponentKind::Tool).join(" ")),
        Err(error) => println!("{error}"),
    }
}
"#;

static PROGRAMS: LazyLock<Build> = LazyLock::new(|| {
    let program = |name: &str, first: &str| {
        Package::new(name)
            .needs(&["orders-tools", "orders-by-hand"])
            .bin(&format!("{first}{EXPECT}"))
    };
    let members = [
        Package::new("orders-tools").lib("#[callboard::tool]\nfn find_orders() {}\n"),
        Package::new("orders-by-hand").lib("pub fn count() -> usize {\n    0\n}\n"),
        program("unnamed", ""),
        program("linked", "callboard::link!(orders_tools);\n"),
        program("imported", "use orders_tools as _;\n"),
        program("named_but_empty", "callboard::link!(orders_by_hand);\n"),
    ];
    Project::write("membership", &members, &[]).cargo(&["build", "--workspace"])
});

const NOTHING: &str = "nothing in this registry was declared in `orders-tools`: name the crate in the program with `callboard::link!(orders_tools);`, or take it off the list";

#[test]
fn a_dependency_that_nobody_names_gives_nothing_and_is_missed() {
    assert_eq!(PROGRAMS.assert_clean().run("unnamed"), [NOTHING]);
    assert_eq!(PROGRAMS.run("named_but_empty"), [NOTHING]);
}

#[test]
fn a_dependency_in_link_gives_its_tools() {
    assert_eq!(PROGRAMS.assert_clean().run("linked"), ["find_orders"]);
    assert_eq!(PROGRAMS.run("imported"), ["find_orders"]);
}
