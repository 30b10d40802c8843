//! A workspace of small crates that a test writes, cargo builds, and the test looks at from
//! outside: what the linker says, and what the programs print.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// One crate of a [`Project`].
pub(crate) struct Package {
    name: String,
    directory: String,
    version: String,
    edition: String,
    dependencies: String,
    features: String,
    files: Vec<(String, String)>,
}

impl Package {
    /// A crate of edition 2024 that depends on callboard.
    pub(crate) fn new(name: &str) -> Self {
        let callboard = format!("callboard = {{ path = {:?} }}", env!("CARGO_MANIFEST_DIR"));
        Self::without_callboard(name).dependency(&callboard)
    }

    /// As [`new`](Self::new), without callboard's features: it builds sooner.
    pub(crate) fn with_bare_callboard(name: &str) -> Self {
        Self::without_callboard(name).dependency(&format!(
            "callboard = {{ path = {:?}, default-features = false }}",
            env!("CARGO_MANIFEST_DIR")
        ))
    }

    /// A crate of edition 2024 without any dependency.
    pub(crate) fn without_callboard(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            directory: name.to_owned(),
            version: "0.1.0".to_owned(),
            edition: "2024".to_owned(),
            dependencies: String::new(),
            features: String::new(),
            files: Vec::new(),
        }
    }

    /// A crate that depends on callboard under another name.
    pub(crate) fn with_callboard_as(name: &str, renamed: &str) -> Self {
        Self::without_callboard(name).dependency(&format!(
            "{renamed} = {{ package = \"callboard\", path = {:?} }}",
            env!("CARGO_MANIFEST_DIR")
        ))
    }

    /// A version, and the directory where it is, since two versions can't be in one.
    pub(crate) fn version(mut self, version: &str, directory: &str) -> Self {
        self.version = version.to_owned();
        self.directory = directory.to_owned();
        self
    }

    pub(crate) fn edition(mut self, edition: &str) -> Self {
        self.edition = edition.to_owned();
        self
    }

    /// A line of `[dependencies]`.
    pub(crate) fn dependency(mut self, line: &str) -> Self {
        writeln!(self.dependencies, "{line}").unwrap();
        self
    }

    /// Dependencies on other crates of the project.
    pub(crate) fn needs(mut self, names: &[&str]) -> Self {
        for name in names {
            self = self.dependency(&format!("{name} = {{ path = \"../{name}\" }}"));
        }
        self
    }

    /// A line of `[features]`.
    pub(crate) fn feature(mut self, line: &str) -> Self {
        writeln!(self.features, "{line}").unwrap();
        self
    }

    pub(crate) fn lib(self, text: &str) -> Self {
        self.file("src/lib.rs", text)
    }

    pub(crate) fn bin(self, text: &str) -> Self {
        self.file("src/main.rs", text)
    }

    pub(crate) fn file(mut self, path: &str, text: &str) -> Self {
        self.files.push((path.to_owned(), text.to_owned()));
        self
    }

    fn manifest(&self) -> String {
        format!(
            "[package]\nname = {:?}\nversion = {:?}\nedition = {:?}\npublish = false\n\n[dependencies]\n{}\n[features]\n{}",
            self.name, self.version, self.edition, self.dependencies, self.features
        )
    }
}

/// A cargo workspace below the target directory.
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// Writes the workspace. Crates that `members` leaves out can be depended on by path.
    pub(crate) fn write(name: &str, members: &[Package], others: &[Package]) -> Self {
        let root = scratch().join(name);
        let _lock = lock();
        let names = |packages: &[Package]| {
            let names: Vec<&str> = packages.iter().map(|p| p.directory.as_str()).collect();
            format!("{names:?}")
        };
        // What is optimized least is built soonest; how the whole is linked stays as it is.
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = {}\nexclude = {}\n\n[profile.release.package.\"*\"]\nopt-level = 1\n",
            names(members),
            names(others)
        );
        write_if_changed(&root.join("Cargo.toml"), &manifest);
        // The versions that are on this machine already.
        let locked = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
        if !root.join("Cargo.lock").exists() && locked.exists() {
            fs::copy(&locked, root.join("Cargo.lock")).unwrap();
        }
        for package in members.iter().chain(others) {
            let directory = root.join(&package.directory);
            write_if_changed(&directory.join("Cargo.toml"), &package.manifest());
            for (path, text) in &package.files {
                write_if_changed(&directory.join(path), text);
            }
        }
        Self { root }
    }

    /// Runs `cargo` with these arguments, to its end even where a crate fails.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Build {
        let _lock = lock();
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        let (subcommand, rest) = arguments.split_first().unwrap();
        command
            .current_dir(&self.root)
            .arg(subcommand)
            .args(["--offline", "--message-format=json", "--target-dir"])
            .arg(scratch().join("target"))
            .args(rest);
        let output = command.output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let mut build = Build {
            command: format!("{command:?}"),
            succeeded: output.status.success(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            diagnostics: BTreeMap::new(),
            executables: BTreeMap::new(),
            printed: String::new(),
        };
        for line in stdout.lines() {
            build.read(line);
        }
        build.keep_executables(&self.root.join("bin").join(slug(arguments)));
        build
    }
}

/// What one run of cargo gave.
pub(crate) struct Build {
    command: String,
    succeeded: bool,
    stderr: String,
    /// What the compiler and the linker said, by target.
    diagnostics: BTreeMap<String, String>,
    executables: BTreeMap<String, PathBuf>,
    /// What is no message of cargo, such as the output of tests.
    printed: String,
}

impl Build {
    fn read(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line).unwrap_or(Value::Null);
        let target = message["target"]["name"].as_str().unwrap_or_default();
        match message["reason"].as_str() {
            Some("compiler-message") => {
                let rendered = message["message"]["rendered"].as_str().unwrap_or_default();
                self.diagnostics
                    .entry(target.to_owned())
                    .or_default()
                    .push_str(rendered);
            }
            Some("compiler-artifact") => {
                if let Some(executable) = message["executable"].as_str() {
                    self.executables
                        .insert(target.to_owned(), executable.into());
                }
            }
            Some(_) => {}
            None => {
                self.printed.push_str(line);
                self.printed.push('\n');
            }
        }
    }

    /// Builds of one profile with different settings put their programs in one place, so each
    /// build keeps its own.
    fn keep_executables(&mut self, directory: &Path) {
        fs::create_dir_all(directory).unwrap();
        for (program, executable) in &mut self.executables {
            let kept = directory.join(program);
            // Linked anew, since a copy over a file that runs is refused.
            let _ = fs::remove_file(&kept);
            fs::copy(&*executable, &kept).unwrap();
            *executable = kept;
        }
    }

    fn report(&self) -> String {
        let mut report = format!("$ {}\n{}", self.command, self.stderr);
        for (target, text) in &self.diagnostics {
            write!(report, "\n--- {target}\n{text}").unwrap();
        }
        report
    }

    /// Everything was built, and nothing was said about it.
    #[track_caller]
    pub(crate) fn assert_clean(&self) -> &Self {
        assert!(
            self.succeeded && self.diagnostics.is_empty(),
            "this was to build without a word:\n{}",
            self.report()
        );
        self
    }

    /// What cargo's own children printed, such as tests.
    pub(crate) fn printed(&self) -> &str {
        &self.printed
    }

    /// What the compiler said of a crate that it refused.
    #[track_caller]
    pub(crate) fn refusal(&self, target: &str) -> &str {
        assert!(!self.succeeded, "this was not to build:\n{}", self.report());
        self.diagnostics.get(target).map_or("", String::as_str)
    }

    /// What was said of a program whose crates compiled, and which could not be put together: by
    /// the linker, or by the assembler where fat LTO makes one object of everything.
    #[track_caller]
    pub(crate) fn link_error(&self, program: &str) -> &str {
        assert!(
            !self.executables.contains_key(program),
            "`{program}` was not to link:\n{}",
            self.report()
        );
        match self.diagnostics.get(program) {
            Some(text) if text.contains("linking with") || text.contains("inline asm") => text,
            _ => panic!("`{program}` was to reach the linker:\n{}", self.report()),
        }
    }

    /// The lines that a program prints; it is to succeed.
    #[track_caller]
    pub(crate) fn run(&self, program: &str) -> Vec<String> {
        let Some(executable) = self.executables.get(program) else {
            panic!("`{program}` was not built:\n{}", self.report());
        };
        let output = Command::new(executable).output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success(),
            "$ {}\n{}\n{stdout}{}",
            executable.display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        stdout.lines().map(str::to_owned).collect()
    }
}

/// Where projects are, with one target directory for all, so that dependencies are built once for
/// each profile.
fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("link")
}

/// Held while files are written or built, by threads and processes alike.
fn lock() -> File {
    fs::create_dir_all(scratch()).unwrap();
    let file = File::create(scratch().join("lock")).unwrap();
    file.lock().unwrap();
    file
}

/// The arguments of cargo as the name of a directory.
fn slug(arguments: &[&str]) -> String {
    arguments
        .join("_")
        .replace(|character: char| !character.is_ascii_alphanumeric(), "_")
}

/// An unchanged file keeps its time, and what was built from it.
fn write_if_changed(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
