//! The project's own commands: `cargo xtask <command>`.

mod bench;
mod build_time;
mod cargo;
mod catalog;
mod check;
mod peers;

use clap::{Parser, Subcommand};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run all tests, doctests and examples.
    Test,
    /// Check format, lints and docs, and each feature alone.
    Lint,
    /// Install the MCP servers that the tests speak to, by their lock files.
    ///
    /// It needs npm, and Python 3.10 or newer.
    Peers,
    /// Run the benchmarks and write their results as tables of ratios.
    Bench,
    /// Compare the build time of 500 functions as they are, with callboard's `#[tool]` and with
    /// rmcp's.
    BuildTime(build_time::Arguments),
    /// The model catalog: import it, check it, time its build.
    #[command(subcommand)]
    Catalog(catalog::Command),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Test => check::test(),
        Command::Lint => check::lint(),
        Command::Peers => peers::install(),
        Command::Bench => bench::run(),
        Command::BuildTime(arguments) => build_time::run(&arguments),
        Command::Catalog(command) => command.run(),
    }
}
