//! Makes the catalog's tables of `model-catalog.snapshot.json`, or stops the build with every
//! fault of it.

#[cfg(feature = "catalog")]
#[path = "registry/catalog/document/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    missing_docs,
    reason = "a part of the library, of which the build script needs the checker"
)]
mod document;

#[cfg(feature = "catalog")]
#[path = "registry/catalog/generate.rs"]
mod generate;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "catalog")]
    catalog::build();
}

#[cfg(feature = "catalog")]
mod catalog {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    use super::{document, generate};

    const VARIABLE: &str = "CALLBOARD_CATALOG";

    pub(crate) fn build() {
        println!("cargo::rerun-if-env-changed={VARIABLE}");
        for file in ["registry/catalog/document", "registry/catalog/generate.rs"] {
            println!("cargo::rerun-if-changed={file}");
        }
        if let Err(lines) = tables() {
            for line in lines {
                println!("cargo::error={line}");
            }
        }
    }

    fn tables() -> Result<(), Vec<String>> {
        let (path, name) = match env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
            None => {
                let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
                (
                    root.join(document::DOCUMENT_NAME),
                    document::DOCUMENT_NAME.to_owned(),
                )
            }
            Some(path) => (PathBuf::from(&path), path.to_string_lossy().into_owned()),
        };
        if !path.is_absolute() {
            // A build script runs in its own package's directory, wherever that is: a relative
            // path would mean something else than where it was written.
            return Err(vec![format!(
                "{VARIABLE}: `{name}` is not an absolute path; in the [env] table of \
                 .cargo/config.toml, `relative = true` makes it one"
            )]);
        }
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| vec![format!("{name}: {error}")])?;
        let snapshot = document::parse(&text)
            .map_err(|faults| faults.in_document(&name).lines().collect::<Vec<_>>())?;
        let out = env::var_os("OUT_DIR").unwrap_or_default();
        generate::write(snapshot, Path::new(&out))
            .map_err(|error| vec![format!("{name}: the tables can't be written: {error}")])
    }
}
