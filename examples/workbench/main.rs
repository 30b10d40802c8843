//! A small host on callboard: tools over a directory, a board that shows them, and recorded
//! conversations to replay against them.
//!
//! ```sh
//! cargo run --example workbench
//! cargo run --example workbench -- call search_text '{"pattern": "fn main"}'
//! cargo run --example workbench --features mcp-server -- serve
//! cargo run --example workbench -- --help
//! ```

mod arithmetic;
mod board;
mod cli;
mod clock;
mod consent;
mod host;
mod models;
mod models_board;
mod notes;
mod replay;
mod terminal;
mod wire;

use std::process::ExitCode;

use clap::Parser;

callboard::link!(workbench_toolbox);

fn main() -> ExitCode {
    let command_line = cli::CommandLine::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return cli::Failure::from(error).report(),
    };
    let outcome = runtime.block_on(command_line.run());
    // A tool on a thread of its own may still be on its way to noticing that it was stopped.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
