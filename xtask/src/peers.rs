//! The servers and clients that the tests of feature `mcp` speak to: installed by lock files, and only when
//! those changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo;

pub(crate) fn install() -> anyhow::Result<()> {
    let npm = [".npmrc", "package.json", "package-lock.json"];
    install_once("npm", &npm, |place| {
        for file in npm {
            std::fs::copy(locks().join(file), place.join(file))?;
        }
        run(Command::new("npm").arg("ci"), place)
    })?;
    install_once("python", &["requirements.txt"], |place| {
        let environment = ["-m", "venv", "--clear", "."];
        run(Command::new("python3").args(environment), place)?;
        let pip = ["-m", "pip", "--disable-pip-version-check", "install"];
        let locked = ["--quiet", "--require-hashes", "--requirement"];
        let python = match cfg!(windows) {
            true => "Scripts/python.exe",
            false => "bin/python",
        };
        run(
            Command::new(place.join(python))
                .args(pip)
                .args(locked)
                .arg(locks().join("requirements.txt")),
            place,
        )
    })
}

fn locks() -> PathBuf {
    cargo::root().join("tests/mcp/peers")
}

/// Installs what these files list into a folder below `target`, unless what is there came of the
/// same.
fn install_once(
    name: &str,
    files: &[&str],
    install: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let place = cargo::target().join("mcp-peers").join(name);
    let stamp = place.join("installed-from");
    let mut listed = Vec::new();
    for file in files {
        let path = locks().join(file);
        let text =
            std::fs::read(&path).with_context(|| format!("{} is missing", path.display()))?;
        listed.extend(text);
    }
    if std::fs::read(&stamp).is_ok_and(|installed| installed == listed) {
        return Ok(());
    }
    std::fs::create_dir_all(&place)?;
    install(&place)?;
    std::fs::write(&stamp, listed).with_context(|| format!("{} can't be written", stamp.display()))
}

fn run(command: &mut Command, place: &Path) -> anyhow::Result<()> {
    eprintln!("\n$ {command:?}");
    let status = command
        .current_dir(place)
        .status()
        .with_context(|| format!("{:?} can't be run: install it first", command.get_program()))?;
    ensure!(status.success(), "{command:?} failed: {status}");
    Ok(())
}
