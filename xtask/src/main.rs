//! The project's own commands: `cargo xtask <command>`.

mod catalog;

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
    /// The model catalog: import it, check it, time its build.
    #[command(subcommand)]
    Catalog(catalog::Command),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Catalog(command) => command.run(),
    }
}
