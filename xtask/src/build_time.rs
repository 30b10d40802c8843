//! How long 500 tools take to build: the same functions as they are, with callboard's `#[tool]`
//! and with rmcp's.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::cargo;

/// How many functions, and how often each build is timed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many functions each crate has.
    #[arg(long, default_value_t = 500)]
    tools: usize,
    /// How often each build is timed; the fastest counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Build with optimisation.
    #[arg(long)]
    release: bool,
}

struct Peer {
    name: &'static str,
    dependencies: String,
    source: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = cargo::target().join("build-time");
    let mut measured = Vec::new();
    for peer in peers(arguments.tools) {
        let krate = write(&folder, &peer)?;
        // Once for the dependencies, which are not what is measured.
        build(&krate, arguments.release)?;
        let mut best = Duration::MAX;
        for _ in 0..arguments.runs {
            let source = krate.join("src/lib.rs");
            fs::write(&source, &peer.source)?;
            best = best.min(build(&krate, arguments.release)?);
        }
        println!("{:>10}: {:.2} s", peer.name, best.as_secs_f64());
        measured.push((peer.name, best));
    }
    let plain = measured[0].1;
    println!(
        "\nwhat the attribute adds to {} functions:",
        arguments.tools
    );
    for (name, time) in &measured[1..] {
        println!(
            "{name:>10}: {:.2} s",
            time.saturating_sub(plain).as_secs_f64()
        );
    }
    Ok(())
}

fn peers(tools: usize) -> [Peer; 3] {
    let root = cargo::root();
    let numbers = || 0..tools;
    let body = |n: usize| format!("Ok(format!(\"{{text}} {{}}\", count + {n}))");
    let mut plain = String::from("#![allow(dead_code)]\n");
    let mut ours = plain.clone();
    let mut rmcps = String::from(
        "use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};\n\
         pub struct Server;\n",
    );
    let mut methods = String::new();
    for n in numbers() {
        let body = body(n);
        let signature =
            format!("async fn tool_{n}(text: String, count: u64) -> Result<String, String>");
        // Writing to a String can't fail.
        let _ = writeln!(plain, "/// Tool {n}.\npub {signature} {{ {body} }}");
        let _ = writeln!(
            ours,
            "/// Tool {n}.\n#[callboard::tool]\npub {signature} {{ {body} }}"
        );
        let _ = writeln!(
            rmcps,
            "#[derive(serde::Deserialize, schemars::JsonSchema)]\npub struct Arguments{n} {{ text: String, count: u64 }}"
        );
        let _ = writeln!(
            methods,
            "/// Tool {n}.\n#[tool]\npub async fn tool_{n}(&self, Parameters(Arguments{n} {{ text, count }}): Parameters<Arguments{n}>) -> Result<String, String> {{ {body} }}"
        );
    }
    let _ = writeln!(
        rmcps,
        "#[tool_router(vis = \"pub\")]\nimpl Server {{ {methods} }}"
    );
    [
        Peer {
            name: "plain",
            dependencies: String::new(),
            source: plain,
        },
        Peer {
            name: "callboard",
            dependencies: format!("callboard = {{ path = {root:?}, default-features = false }}\n"),
            source: ours,
        },
        Peer {
            name: "rmcp",
            dependencies: "rmcp = { version = \"3.11\", features = [\"server\", \"macros\"] }\nserde = { version = \"1\", features = [\"derive\"] }\nschemars = \"1\"\n".into(),
            source: rmcps,
        },
    ]
}

fn write(folder: &Path, peer: &Peer) -> anyhow::Result<PathBuf> {
    let krate = folder.join(peer.name);
    fs::create_dir_all(krate.join("src"))?;
    fs::write(
        krate.join("Cargo.toml"),
        format!(
            "[package]\nname = \"five-hundred-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n[workspace]\n",
            peer.name, peer.dependencies
        ),
    )?;
    fs::write(krate.join("src/lib.rs"), &peer.source)?;
    Ok(krate)
}

fn build(krate: &Path, release: bool) -> anyhow::Result<Duration> {
    let words = if release {
        "build --quiet --release"
    } else {
        "build --quiet"
    };
    let mut command = cargo::cargo(words);
    command.current_dir(krate).env("CARGO_INCREMENTAL", "0");
    let begun = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("`cargo {words}` can't be run"))?;
    anyhow::ensure!(
        status.success(),
        "`cargo {words}` failed in {}",
        krate.display()
    );
    Ok(begun.elapsed())
}
