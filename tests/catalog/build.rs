//! A build with a catalog of its own, which stops on a bad one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::common::good;

/// Checks the library with this catalog, apart from other builds.
fn check(catalog: &Path) -> Output {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own-catalog");
    Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--offline", "--lib", "--package", "callboard"])
        .args([
            "--no-default-features",
            "--features",
            "catalog",
            "--color=never",
        ])
        .arg("--target-dir")
        .arg(target)
        .env("CALLBOARD_CATALOG", catalog)
        .output()
        .expect("cargo")
}

fn written(name: &str, document: &Value) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, document.to_string()).unwrap();
    path
}

#[test]
fn a_catalog_of_ones_own_is_built_in_or_stops_the_build() {
    let mut bad = good();
    bad["models"][0]["pricing"]["input"] = json!(-1);
    bad["models"][1]["source"] = json!(null);
    let path = written("bad-catalog.json", &bad);
    let output = check(&path);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    for line in [
        "acme/large: pricing.input: must not be negative",
        "acme/small: source: must be a text, not null",
    ] {
        let line = format!("{}: {line}\n", path.display());
        assert!(errors.contains(&line), "{errors}");
    }
    assert!(!errors.contains("panicked"), "{errors}");

    let output = check(Path::new("catalog.json"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        errors.contains("`catalog.json` is not an absolute path"),
        "{errors}"
    );

    let output = check(&written("good-catalog.json", &good()));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
