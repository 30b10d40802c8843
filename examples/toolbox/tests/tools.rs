//! Each tool of the toolbox, called as a model calls it, over a directory made for the test.

use std::fs;
use std::process::Command;

use callboard::serde_json::{Value, from_str};
use callboard::{CapabilityRegistry, DispatchError, Registry, ToolCallContext};
use tempfile::TempDir;
use workbench_toolbox::Workspace;

/// A directory with files in it, and a registry of tools that work there.
struct Bench {
    folder: TempDir,
    registry: Registry,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, |workspace| workspace)
    }

    fn with(files: &[(&str, &str)], adjust: impl FnOnce(Workspace) -> Workspace) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut registry = CapabilityRegistry::collect().unwrap();
        registry.expect_crates(["workbench-toolbox"]).unwrap();
        registry.provide(adjust(Workspace::open(folder.path()).unwrap()));
        Self {
            registry: registry.seal().unwrap(),
            folder,
        }
    }

    fn repository(files: &[(&str, &str)]) -> Self {
        let bench = Self::new(files);
        bench.git(&["init", "--quiet", "--initial-branch=main"]);
        bench
    }

    fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .arg("-C")
            .arg(self.folder.path())
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments)
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", subject]);
    }

    fn call(&self, tool: &str, arguments: &str) -> Result<Value, DispatchError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let output = runtime.block_on(self.registry.dispatch(
            tool,
            arguments,
            &ToolCallContext::new("call_1"),
        ))?;
        Ok(from_str(output.as_json().unwrap()).unwrap())
    }

    fn output(&self, tool: &str, arguments: &str) -> Value {
        self.call(tool, arguments).unwrap()
    }

    /// What the model is told of a tool's own failure.
    fn failure(&self, tool: &str, arguments: &str) -> String {
        match self.call(tool, arguments) {
            Err(DispatchError::Failed(failure)) => failure.message().to_owned(),
            other => panic!("{tool} {arguments}: {other:?}"),
        }
    }
}

fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item[field].as_str().unwrap()).collect()
}

#[test]
fn every_output_has_a_schema() {
    let bench = Bench::new(&[]);
    assert_eq!(bench.registry.tools().len(), 8);
    for row in bench.registry.tools() {
        assert!(row.output_schema().is_some(), "{}", row.name());
        assert!(row.policy().read_only, "{}", row.name());
    }
}

#[test]
fn listing_leaves_out_what_git_ignores() {
    let bench = Bench::new(&[
        (".gitignore", "target\n*.log\n"),
        ("a.rs", ""),
        ("b/c.rs", "1"),
        ("b/d.md", ""),
        ("b/e.log", ""),
        ("target/f.rs", ""),
        (".hidden", ""),
    ]);
    let all = bench.output("list_files", "{}");
    assert_eq!(texts(&all["files"], "path"), ["a.rs", "b/c.rs", "b/d.md"]);
    assert_eq!(all["files"][1]["bytes"], 1);
    assert_eq!(all["truncated"], false);
    let rust = bench.output("list_files", r#"{"glob":"*.rs"}"#);
    assert_eq!(texts(&rust["files"], "path"), ["a.rs", "b/c.rs"]);
    // A pattern doesn't bring ignored files back.
    let logs = bench.output("list_files", r#"{"path":"b","glob":"*.log"}"#);
    assert_eq!(texts(&logs["files"], "path"), [""; 0]);
}

#[test]
fn a_list_says_when_it_was_cut() {
    let bench = Bench::new(&[("a", ""), ("b", ""), ("c", "")]);
    let two = bench.output("list_files", r#"{"limit":2}"#);
    assert_eq!(texts(&two["files"], "path"), ["a", "b"]);
    assert_eq!(two["truncated"], true);
    let three = bench.output("list_files", r#"{"limit":3}"#);
    assert_eq!(three["truncated"], false);
}

#[test]
fn a_pattern_for_names_that_cannot_be_read() {
    let message = Bench::new(&[]).failure("list_files", r#"{"glob":"["}"#);
    assert!(message.starts_with("`glob` can't be read"), "{message}");
}

#[test]
fn searching_gives_file_line_and_text() {
    let bench = Bench::new(&[
        ("a.txt", "one\n  Two words\nthree\n"),
        ("b.bin", "two\0two\n"),
        ("c.txt", "two\n"),
    ]);
    let found = bench.output(
        "search_text",
        r#"{"pattern":"(?-u:t)wo","ignore_case":true}"#,
    );
    let first = &found["matches"][0];
    assert_eq!(
        (&first["path"], &first["line"], &first["text"]),
        (&"a.txt".into(), &2.into(), &"Two words".into())
    );
    assert_eq!(texts(&found["matches"], "path"), ["a.txt", "c.txt"]);
    let lower = bench.output("search_text", r#"{"pattern":"two","glob":"a.*"}"#);
    assert_eq!(texts(&lower["matches"], "path"), [""; 0]);
}

#[test]
fn a_search_says_when_it_was_cut() {
    let bench = Bench::new(&[
        ("a", "x\nx\nx\n"),
        ("long", &format!("y{}", "é".repeat(400))),
    ]);
    let two = bench.output("search_text", r#"{"pattern":"x","limit":2}"#);
    assert_eq!(two["matches"].as_array().unwrap().len(), 2);
    assert_eq!(two["truncated"], true);
    let three = bench.output("search_text", r#"{"pattern":"x","limit":3}"#);
    assert_eq!(three["truncated"], false);
    let long = bench.output("search_text", r#"{"pattern":"y"}"#);
    let text = texts(&long["matches"], "text")[0];
    assert_eq!((text.chars().count(), text.ends_with('…')), (301, true));
}

#[test]
fn a_pattern_that_is_no_regular_expression() {
    let message = Bench::new(&[]).failure("search_text", r#"{"pattern":"("}"#);
    assert!(
        message.starts_with("`pattern` is not a regular expression"),
        "{message}"
    );
}

#[test]
fn reading_a_range_of_lines() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\r\nthree\nfour"), ("empty", "")]);
    let middle = bench.output("read_lines", r#"{"path":"a.txt","first":2,"count":2}"#);
    assert_eq!(middle["text"], "two\nthree");
    assert_eq!((&middle["first"], &middle["last"]), (&2.into(), &3.into()));
    assert_eq!(middle["truncated"], true);
    let end = bench.output("read_lines", r#"{"path":"./a.txt","first":4}"#);
    assert_eq!(
        (&end["text"], &end["truncated"]),
        (&"four".into(), &false.into())
    );
    assert_eq!(
        bench.failure("read_lines", r#"{"path":"a.txt","first":9}"#),
        "`a.txt` has 4 lines, and line 9 was asked for"
    );
    assert_eq!(
        bench.output("read_lines", r#"{"path":"empty"}"#)["text"],
        ""
    );
}

#[test]
fn reading_is_bounded() {
    let wide = "x".repeat(3_000);
    let bench = Bench::new(&[
        ("wide", &format!("{wide}\n").repeat(100)),
        ("binary", "a\0b"),
    ]);
    let output = bench.output("read_lines", r#"{"path":"wide","count":1000}"#);
    let text = output["text"].as_str().unwrap();
    assert!(text.len() < 70_000, "{}", text.len());
    assert_eq!(text.lines().next().unwrap().chars().count(), 2_001);
    assert_eq!(output["truncated"], true);
    assert_eq!(
        bench.failure("read_lines", r#"{"path":"binary"}"#),
        "`binary` is not a text file"
    );
}

#[test]
fn counting_lines_by_type() {
    let bench = Bench::new(&[
        ("a.rs", "1\n2\n"),
        ("b/c.RS", "1\n2"),
        ("d.md", "1\n"),
        ("Makefile", "1\n2\n3\n4\n5\n"),
        ("e.bin", "\0"),
    ]);
    let counts = bench.output("count_lines", "{}");
    assert_eq!(texts(&counts["types"], "extension"), ["", "rs", "md"]);
    assert_eq!(
        (&counts["types"][1]["files"], &counts["types"][1]["lines"]),
        (&2.into(), &4.into())
    );
    assert_eq!(
        (&counts["files"], &counts["lines"]),
        (&4.into(), &10.into())
    );
    assert_eq!(counts["skipped"], 1);
}

#[test]
fn facts_about_a_path() {
    let bench = Bench::new(&[("b/a.txt", "1\n2\n")]);
    let file = bench.output("file_info", r#"{"path":"b/a.txt"}"#);
    assert_eq!(
        (&file["kind"], &file["bytes"], &file["lines"]),
        (&"file".into(), &4.into(), &2.into())
    );
    assert!(file["modified"].as_str().unwrap().ends_with('Z'), "{file}");
    assert_eq!(
        bench.output("file_info", r#"{"path":"b"}"#)["kind"],
        "directory"
    );
    assert_eq!(
        bench.failure("file_info", r#"{"path":"c"}"#),
        "there is no `c`; `list_files` shows what there is"
    );
}

/// Every tool that takes a path, with what else it needs.
const TOOLS_WITH_PATHS: &[(&str, &str)] = &[
    ("list_files", ""),
    ("search_text", r#","pattern":"x""#),
    ("read_lines", ""),
    ("count_lines", ""),
    ("file_info", ""),
    ("git_log", ""),
];

#[test]
fn no_tool_goes_up_or_takes_an_absolute_path() {
    let bench = Bench::repository(&[("a/b", "x")]);
    for (tool, rest) in TOOLS_WITH_PATHS {
        for (path, rule) in [
            ("..", "goes up"),
            ("../a", "goes up"),
            ("a/../../a", "goes up"),
            ("a/..", "goes up"),
            ("/etc/passwd", "is absolute"),
            ("/", "is absolute"),
        ] {
            let message = bench.failure(tool, &format!(r#"{{"path":"{path}"{rest}}}"#));
            assert!(message.contains(rule), "{tool} {path}: {message}");
        }
    }
}

#[cfg(unix)]
#[test]
fn no_tool_follows_a_link_out() {
    use std::os::unix::fs::symlink;

    let outside = Bench::new(&[("secret", "x marks the spot\n")]);
    let bench = Bench::new(&[("inside", "x\n")]);
    let here = bench.folder.path();
    symlink(outside.folder.path(), here.join("folder")).unwrap();
    symlink(outside.folder.path().join("secret"), here.join("file")).unwrap();
    symlink("../..", here.join("up")).unwrap();
    symlink("inside", here.join("fine")).unwrap();
    for (tool, arguments) in [
        ("list_files", r#"{"path":"folder"}"#),
        ("list_files", r#"{"path":"up"}"#),
        ("count_lines", r#"{"path":"folder"}"#),
        ("search_text", r#"{"path":"folder","pattern":"x"}"#),
        ("read_lines", r#"{"path":"file"}"#),
        ("read_lines", r#"{"path":"folder/secret"}"#),
        ("file_info", r#"{"path":"folder/secret"}"#),
    ] {
        let message = bench.failure(tool, arguments);
        assert!(
            message.contains("leads out of the workspace"),
            "{tool} {arguments}: {message}"
        );
    }
    // Walking passes links over, and one that stays inside can be read.
    let listed = bench.output("list_files", "{}");
    assert_eq!(texts(&listed["files"], "path"), ["inside"]);
    assert_eq!(
        bench.output("read_lines", r#"{"path":"fine"}"#)["text"],
        "x"
    );
    assert_eq!(
        bench.output("file_info", r#"{"path":"file"}"#)["kind"],
        "symlink"
    );
    let workspace = Workspace::open(here).unwrap();
    for path in ["file", "folder/new", "../new", "/new"] {
        assert!(workspace.write(path, "").is_err(), "{path}");
    }
    assert!(workspace.remove("folder/secret").is_err());
    let secret = fs::read_to_string(outside.folder.path().join("secret")).unwrap();
    assert_eq!(secret, "x marks the spot\n");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_on() {
    let bench = Bench::new(&[]);
    let pipe = bench.folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    assert_eq!(
        bench.failure("read_lines", r#"{"path":"pipe"}"#),
        "`pipe` is not a regular file"
    );
    assert_eq!(
        bench.output("file_info", r#"{"path":"pipe"}"#)["kind"],
        "other"
    );
}

#[test]
fn the_history_and_one_commit() {
    let bench = Bench::repository(&[("a", "1\n2\n"), ("b c", "1\n")]);
    bench.commit("Begin");
    fs::write(bench.folder.path().join("a"), "1\n3\n4\n").unwrap();
    bench.commit("Go on: \"quoted\"");

    let log = bench.output("git_log", "{}");
    assert_eq!(
        texts(&log["commits"], "subject"),
        ["Go on: \"quoted\"", "Begin"]
    );
    assert_eq!(log["commits"][0]["author"], "Ada");
    assert_eq!(log["truncated"], false);
    let latest = bench.output("git_log", r#"{"limit":1}"#);
    assert_eq!(
        (
            latest["commits"].as_array().unwrap().len(),
            &latest["truncated"]
        ),
        (1, &true.into())
    );
    let of_file = bench.output("git_log", r#"{"path":"b c"}"#);
    assert_eq!(texts(&of_file["commits"], "subject"), ["Begin"]);

    let head = bench.output("git_show", "{}");
    assert_eq!(head["subject"], "Go on: \"quoted\"");
    let file = &head["files"][0];
    assert_eq!(
        (&file["path"], &file["added"], &file["deleted"]),
        (&"a".into(), &2.into(), &1.into())
    );
    let first = bench.output("git_show", r#"{"commit":"HEAD~1"}"#);
    assert_eq!(texts(&first["files"], "path"), ["a", "b c"]);
}

#[test]
fn a_commit_is_not_an_option_and_not_a_file() {
    let bench = Bench::repository(&[("a", "secret")]);
    bench.commit("Begin");
    for commit in ["--output=stolen", "HEAD:a", "nonesuch", ""] {
        let message = bench.failure("git_show", &format!(r#"{{"commit":"{commit}"}}"#));
        assert_eq!(message, format!("git knows no commit `{commit}`"));
    }
    assert!(!bench.folder.path().join("stolen").exists());
}

#[test]
fn what_differs_from_the_last_commit() {
    let bench = Bench::repository(&[("a", "1"), ("b", "1")]);
    bench.commit("Begin");
    assert_eq!(
        texts(&bench.output("git_status", "")["changes"], "path"),
        [""; 0]
    );
    fs::write(bench.folder.path().join("a"), "2").unwrap();
    fs::write(bench.folder.path().join("new one"), "").unwrap();
    fs::remove_file(bench.folder.path().join("b")).unwrap();
    let status = bench.output("git_status", "");
    assert_eq!(status["branch"], "main");
    assert_eq!(texts(&status["changes"], "path"), ["a", "b", "new one"]);
    assert_eq!(texts(&status["changes"], "status"), [" M", " D", "??"]);
}

#[test]
fn git_without_a_repository_or_a_commit_or_at_all() {
    let plain = Bench::new(&[]);
    assert_eq!(
        plain.failure("git_log", ""),
        "the workspace is not in a git repository"
    );
    let empty = Bench::repository(&[]);
    assert_eq!(
        empty.failure("git_log", ""),
        "the repository has no commit yet"
    );
    let without = Bench::with(&[], |workspace| workspace.with_git("no-such-git"));
    for tool in ["git_log", "git_show", "git_status"] {
        assert_eq!(
            without.failure(tool, ""),
            "the git program is not installed here (looked for `no-such-git`)"
        );
    }
}
