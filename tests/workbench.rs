//! The workbench example, run as a person runs it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The example's binary. `cargo test` builds it, `cargo test --test workbench` doesn't; asking
/// cargo is right in both cases, and quick where nothing is left to do.
static WORKBENCH: LazyLock<PathBuf> = LazyLock::new(|| {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut build = Command::new(cargo);
    build
        .args(["build", "--example", "workbench"])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit());
    // As this test was built, so that nothing is built twice.
    for (feature, is_on) in [
        ("dynamic", cfg!(feature = "dynamic")),
        ("mcp", cfg!(feature = "mcp")),
        ("mcp-server", cfg!(feature = "mcp-server")),
    ] {
        if is_on {
            build.args(["--features", feature]);
        }
    }
    let here = std::env::current_exe().unwrap();
    let profile = here.ancestors().nth(2).and_then(Path::file_name);
    if let Some(profile) = profile.filter(|profile| *profile != OsStr::new("debug")) {
        build.arg("--profile").arg(profile);
    }
    let output = build.output().unwrap();
    assert!(output.status.success(), "the example can't be built");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "workbench")
        .find_map(|message| Some(message["executable"].as_str()?.into()))
        .expect("cargo names the binary that it built")
});

/// A directory for the workbench to work in.
struct Bench {
    root: TempDir,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(root.path().join(name), text).unwrap();
        }
        Self { root }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&*WORKBENCH);
        command
            .arg("--root")
            .arg(self.root.path())
            .args(arguments)
            .stdin(Stdio::null())
            .env_remove("CLICOLOR_FORCE")
            .env("COLUMNS", "100");
        command
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(&self.command(arguments).output().unwrap())
    }
}

/// How the program ended, and what it wrote.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ended {
    fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    #[track_caller]
    fn ok(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""));
        self.out
    }

    #[track_caller]
    fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// Nothing on standard output, this code, and a message with a remedy.
    #[track_caller]
    fn refuses(self, code: i32, parts: &[&str]) {
        assert_eq!(
            (self.code, self.out.as_str()),
            (Some(code), ""),
            "{}",
            self.err
        );
        assert!(self.err.starts_with("error: "), "{}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in\n{}", self.err);
        }
    }
}

fn recording(name: &str) -> String {
    format!("{}/examples/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The outcome and the tool of each call that a replay shows.
fn outcomes(replay: &str) -> Vec<(&str, &str)> {
    replay
        .lines()
        .filter(|line| line.starts_with("  ") && line.trim_start().starts_with(char::is_numeric))
        .map(|line| {
            let mut words = line.split_whitespace().skip(1);
            (words.next().unwrap(), words.next().unwrap())
        })
        .collect()
}

#[test]
fn without_a_command_it_shows_the_board_and_replays_against_this_repository() {
    let output = Command::new(&*WORKBENCH)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let shown = Ended::of(&output).ok();
    assert!(shown.starts_with("callboard workbench  14 tools from 2 crates\n"));
    for part in [
        "workbench-toolbox 0.1.0",
        "workbench of callboard 0.1.0",
        "search.rs:",
        "notes.rs:",
        // What the catalog, or the program, says of a model, and where a route goes.
        " gpt-4o                 openai       128,000   16,384  $2.50   $1.25  $10.00  ",
        " coder-14b              program       32,000    8,000  $0.00       —   $0.00  tools",
        " survey  claude-sonnet-4-6  gemini-3.1-flash-lite",
        // What the recordings cost: cached tokens at their own price.
        "$0.004295  input: 458 tokens, $0.001145 · output: 187 tokens, $0.00187 · cache_read: 1024 tokens, $0.00128",
        "$0.0142908  input: 2095 tokens, $0.006285 · output: 503 tokens, $0.007545 · cache_read: 1536 tokens, $0.0004608",
    ] {
        assert!(shown.contains(part), "{part}");
    }
    assert!(
        !shown.contains('\x1b'),
        "colours where there is no terminal"
    );
    let (openai, anthropic) = shown.split_once("anthropic-message.json").unwrap();
    assert_eq!(
        outcomes(openai),
        [
            ("ok", "list_files"),
            ("ok", "grep"),
            ("ok", "read_lines"),
            ("ok", "calculate"),
            ("invalid", "read_lines"),
            ("failed", "read_lines"),
            ("unknown", "search_web"),
        ]
    );
    // A checkout without its history has no log to show.
    assert_eq!(
        outcomes(anthropic)[1..],
        [
            ("ok", "count_lines"),
            ("ok", "add_days"),
            ("invalid", "days_between"),
            ("failed", "search_text"),
            ("refused", "write_note"),
        ]
    );
    for told in [
        r#""path":"registry/capability/registry.rs""#,
        "42.1648128 km",
        "Invalid arguments at `first`: invalid type: text \"one\"",
        "`../.ssh/id_ed25519` goes up with `..`",
        "The tool `search_web` is not available.",
        "The call of `write_note` needs an approval, and was not made.",
    ] {
        assert!(shown.contains(told), "{told}");
    }
    assert!(shown.lines().last().unwrap().starts_with("13 calls  "));
}

#[test]
fn the_replies_have_each_providers_shape() {
    let bench = Bench::new(&[("Cargo.toml", "[package]\n")]);
    let replies = |name: &str| {
        let shown = bench
            .run(&["replay", "--show-replies", &recording(name)])
            .ok();
        let (_, behind) = shown.split_once("back to the model\n").unwrap();
        let (messages, _) = behind.rsplit_once("\n\n").unwrap();
        serde_json::Deserializer::from_str(messages)
            .into_iter::<Value>()
            .collect::<Result<Vec<_>, _>>()
            .unwrap()
    };
    let openai = replies("openai-chat-completion.json");
    assert_eq!(openai.len(), 7);
    assert_eq!(
        openai[6],
        json!({
            "role": "tool",
            "tool_call_id": "call_Lp9vF4qUm4",
            "content": "The tool `search_web` is not available.",
        })
    );
    let anthropic = replies("anthropic-message.json");
    assert_eq!(anthropic.len(), 1);
    assert_eq!(anthropic[0]["role"], "user");
    assert_eq!(anthropic[0]["content"].as_array().unwrap().len(), 6);
    assert_eq!(
        anthropic[0]["content"][2],
        json!({
            "type": "tool_result",
            "tool_use_id": "toolu_01H2kWv7fXoYq3Zr9NsLbT4e",
            "content": r#"{"date":"2024-03-01","weekday":"Friday"}"#,
            "is_error": false,
        })
    );
    assert_eq!(anthropic[0]["content"][5]["is_error"], true);
    assert!(!bench.root.path().join("notes").exists());
}

#[test]
fn a_recording_whose_arguments_were_cut_off() {
    let bench = Bench::new(&[(
        "cut.json",
        r#"{"object":"chat.completion","model":"m","usage":{"prompt_tokens":1,"completion_tokens":2},
            "choices":[{"message":{"tool_calls":[
                {"id":"1","function":{"name":"read_lines","arguments":"{\"path\":\"Car"}},
                {"id":"2","function":{"name":"git_status","arguments":""}}]},"finish_reason":"length"}]}"#,
    )]);
    let file = bench.root.path().join("cut.json");
    let shown = bench.run(&["replay", file.to_str().unwrap()]).ok();
    assert_eq!(
        outcomes(&shown),
        [("invalid", "read_lines"), ("failed", "git_status")]
    );
    assert!(
        shown.contains("not priced: the catalog has no `m`"),
        "{shown}"
    );
}

#[test]
fn a_route_chooses_by_what_a_call_needs() {
    let bench = Bench::new(&[]);
    let chosen = bench
        .run(&["route", "chat", "--prompt", "100000", "--answer", "1000"])
        .ok();
    let (skipped, chosen) = chosen.trim_end().split_once('\n').unwrap();
    assert!(
        skipped.starts_with("skipped  `coder-14b`: needs 101000 tokens of context"),
        "{skipped}"
    );
    assert_eq!(chosen, "chosen   gpt-4o  at most $0.26");
    bench
        .run(&["route", "look", "--prompt", "9000000"])
        .refuses(2, &["`gpt-4o`", "`claude-sonnet-4-6`", "help: "]);
    bench
        .run(&["route", "chaty"])
        .refuses(2, &["there is no route `chaty`", "the nearest: chat"]);
}

#[test]
fn a_file_that_is_no_recording() {
    let bench = Bench::new(&[("other.json", r#"{"type":"text"}"#), ("broken.json", "{")]);
    for (name, problem) in [
        ("other.json", "chat.completion"),
        ("broken.json", "EOF"),
        ("none.json", "No such file"),
    ] {
        let path = bench.root.path().join(name);
        bench
            .run(&["replay", path.to_str().unwrap()])
            .refuses(2, &[name, problem, "help: "]);
    }
}

#[test]
fn the_list_and_the_definitions() {
    let bench = Bench::new(&[]);
    let names = bench.run(&["list"]).ok();
    let names: Vec<_> = names.lines().collect();
    assert_eq!(names.len(), 14);
    assert!(names.is_sorted());
    let definitions = bench.run(&["list", "--json"]).json();
    let defined: Vec<_> = definitions
        .as_array()
        .unwrap()
        .iter()
        .map(|definition| definition["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(defined, names);
}

#[test]
fn what_writes_is_neither_shown_nor_run_when_read_only() {
    let bench = Bench::new(&[]);
    let names = bench.run(&["list", "--read-only"]).ok();
    assert_eq!(names.lines().count(), 12);
    assert!(!names.contains("note"));
    bench
        .run(&[
            "--read-only",
            "call",
            "write_note",
            r#"{"name":"a","text":"b"}"#,
            "--approve",
        ])
        .refuses(1, &["denied", "--read-only"]);
    assert!(!bench.root.path().join("notes").exists());
}

#[test]
fn the_schemas_of_a_tool() {
    let bench = Bench::new(&[]);
    let input = bench.run(&["schema", "add_days"]).json();
    assert_eq!(input["properties"]["date"]["format"], "date");
    assert_eq!(input["required"], json!(["date", "days"]));
    assert_eq!(input["additionalProperties"], false);
    let output = bench.run(&["schema", "grep", "--output"]).json();
    assert_eq!(output["properties"]["matches"]["type"], "array");
    bench
        .run(&["schema", "serch_text"])
        .refuses(2, &["serch_text", "`search_text`", "help: "]);
}

#[test]
fn every_schema_is_json_schema() {
    let bench = Bench::new(&[]);
    for name in bench.run(&["list"]).ok().lines() {
        for which in [&["schema", name][..], &["schema", name, "--output"]] {
            let schema = bench.run(which).json();
            assert!(
                jsonschema::draft202012::meta::is_valid(&schema),
                "{which:?}"
            );
        }
    }
}

#[test]
fn calls_from_the_command_line() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let call = |tool: &str, arguments: &str| bench.run(&["call", tool, arguments]).json();
    assert_eq!(
        call("read_lines", r#"{"path":"a.txt","first":2}"#)["text"],
        "two"
    );
    assert_eq!(
        call("calculate", r#"{"expression":"2^64 - 1"}"#)["result"],
        "18446744073709551615"
    );
    assert_eq!(
        call("days_between", r#"{"from":"2024-03-01","to":"2024-02-28"}"#),
        json!({ "days": -2 })
    );
    let date = call("today", r#"{"time_zone":"Asia/Tokyo"}"#);
    assert_eq!(date["date"].as_str().unwrap().len(), "2024-03-01".len());
}

#[test]
fn arguments_from_standard_input() {
    let bench = Bench::new(&[]);
    let mut running = bench
        .command(&["call", "calculate", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = running.stdin.take().unwrap();
    input.write_all(br#"{"expression":"6 * 7"}"#).unwrap();
    drop(input);
    let ended = Ended::of(&running.wait_with_output().unwrap());
    assert_eq!(ended.json()["result"], "42");
}

#[test]
fn calls_that_cannot_be_made() {
    let bench = Bench::new(&[]);
    let call = |tool: &str, arguments: &str| bench.run(&["call", tool, arguments]);
    call("serch_text", "{}").refuses(2, &["did you mean `search_text`?", "workbench list"]);
    call("read_lines", r#"{"path":"a","first":"one"}"#)
        .refuses(2, &["at `first`", "workbench schema read_lines"]);
    call("read_lines", "[1]").refuses(2, &["a JSON object"]);
    call("read_lines", r#"{"path":"../a"}"#).refuses(1, &["nothing above the workspace"]);
    call("calculate", r#"{"expression":"1 +"}"#).refuses(1, &["the tool failed"]);
    call("today", r#"{"time_zone":"Mars/Olympus"}"#).refuses(1, &["Mars/Olympus", "Europe/Paris"]);
    call("add_days", r#"{"date":"9999-12-31","days":1}"#).refuses(1, &["not in the calendar"]);
}

#[test]
fn no_expression_is_a_crash() {
    let bench = Bench::new(&[]);
    let nested = |depth| ["(".repeat(depth), "1".to_owned(), ")".repeat(depth)].concat();
    for (expression, told) in [
        ("(".repeat(200), "no value"),
        (nested(10_000), "more than 200 characters"),
        ("f = x: f x; f 1".to_owned(), "not used in arithmetic"),
        (r"(\\x.x x)(\\x.x x)".to_owned(), "not used in arithmetic"),
        ("λx.x".to_owned(), "not used in arithmetic"),
        (String::new(), "no value"),
    ] {
        let arguments = json!({ "expression": expression }).to_string();
        bench
            .run(&["call", "calculate", &arguments])
            .refuses(1, &[told]);
    }
    for (expression, value) in [(nested(99), "1"), (format!("{}1", "-".repeat(198)), "1")] {
        let arguments = json!({ "expression": expression }).to_string();
        assert_eq!(
            bench.run(&["call", "calculate", &arguments]).json()["result"],
            value
        );
    }
}

#[test]
fn a_note_is_written_once_it_is_approved() {
    let bench = Bench::new(&[]);
    let arguments = r##"{"text":"# Hello","name":"first"}"##;
    let note = bench.root.path().join("notes/first.md");
    bench
        .run(&["call", "write_note", arguments])
        .refuses(1, &["needs an approval", "--approve"]);
    assert!(!note.exists());

    let approved = bench.run(&["call", "write_note", arguments, "--approve"]);
    assert_eq!(approved.code, Some(0));
    assert_eq!(
        serde_json::from_str::<Value>(&approved.out).unwrap(),
        json!({ "path": "notes/first.md", "replaced": false })
    );
    // The request was shown, with its arguments to the letter.
    for part in ["write_note", "high risk", arguments] {
        assert!(approved.err.contains(part), "{}", approved.err);
    }
    assert_eq!(fs::read_to_string(&note).unwrap(), "# Hello");

    let deleted = bench.run(&["call", "delete_note", r#"{"name":"first"}"#, "--approve"]);
    assert_eq!((deleted.code, deleted.out.as_str()), (Some(0), "null\n"));
    assert!(!note.exists());
}

#[test]
fn a_note_stays_in_its_folder() {
    let bench = Bench::new(&[]);
    for name in ["../a", "a/b", "", ".", "a.md", "/a"] {
        for (tool, rest) in [("write_note", r#","text":"x""#), ("delete_note", "")] {
            let arguments = format!(r#"{{"name":"{name}"{rest}}}"#);
            let ended = bench.run(&["call", tool, &arguments, "--approve"]);
            assert_eq!(ended.code, Some(1), "{tool} {arguments}");
            assert!(ended.err.contains("1 to 64 letters"), "{}", ended.err);
        }
    }
    assert_eq!(fs::read_dir(bench.root.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_notes_folder_that_leads_elsewhere() {
    let (bench, elsewhere) = (Bench::new(&[]), Bench::new(&[("a.md", "mine")]));
    let link = bench.root.path().join("notes");
    std::os::unix::fs::symlink(elsewhere.root.path(), link).unwrap();
    for (tool, arguments) in [
        ("write_note", r#"{"name":"a","text":"x"}"#),
        ("delete_note", r#"{"name":"a"}"#),
    ] {
        let ended = bench.run(&["call", tool, arguments, "--approve"]);
        assert_eq!(ended.code, Some(1), "{ended:?}");
    }
    let kept = fs::read_to_string(elsewhere.root.path().join("a.md")).unwrap();
    assert_eq!(kept, "mine");
}

#[test]
fn a_root_that_is_none() {
    let bench = Bench::new(&[("file", "")]);
    for root in ["none", "file"] {
        let root = bench.root.path().join(root);
        let output = Command::new(&*WORKBENCH)
            .args(["list", "--root"])
            .arg(&root)
            .output()
            .unwrap();
        Ended::of(&output).refuses(2, &["can't be the root", "--root DIR"]);
    }
}

#[test]
fn the_snapshot_and_the_graph() {
    let bench = Bench::new(&[]);
    let snapshot = bench.run(&["snapshot"]).json();
    // 14 tools, 4 models and a router.
    assert_eq!(snapshot["components"].as_array().unwrap().len(), 19);
    assert_eq!(
        snapshot["aliases"][0],
        json!({ "kind": "tool", "alias": "grep", "canonical": "search_text" })
    );
    let dot = bench.run(&["dot"]).ok();
    assert!(dot.starts_with("digraph registry {"), "{dot}");
    assert!(
        dot.contains(r#""tool:grep" -> "tool:search_text""#),
        "{dot}"
    );
}

#[test]
fn colours_when_asked_for() {
    let bench = Bench::new(&[]);
    let forced = |variable: &str| {
        let mut command = bench.command(&["board"]);
        let output = command.env(variable, "1").output().unwrap();
        Ended::of(&output).ok().contains('\x1b')
    };
    assert!(forced("CLICOLOR_FORCE"));
    assert!(!forced("NO_COLOR"));
}

#[test]
fn a_reader_that_has_seen_enough() {
    let bench = Bench::new(&[]);
    for arguments in [&["list"][..], &["board"], &["replay"], &["dot"]] {
        let mut running = bench
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(running.stdout.take());
        let ended = Ended::of(&running.wait_with_output().unwrap());
        assert!(
            !ended.err.contains("panicked"),
            "{arguments:?}: {}",
            ended.err
        );
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_a_call() {
    use std::os::unix::process::ExitStatusExt;
    use std::time::Duration;

    const SIGINT: i32 = 2;
    let bench = Bench::new(&[]);
    // Before the program listens, the signal ends it as it ends any other: then it is sent later.
    for wait in [100, 300, 1_000, 3_000] {
        let running = bench
            .command(&["call", "calculate", r#"{"expression":"9^9^9"}"#])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        let id = running.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let output = running.wait_with_output().unwrap();
        if output.status.signal() != Some(SIGINT) {
            Ended::of(&output).refuses(130, &["`calculate` was cancelled"]);
            return;
        }
    }
    panic!("the program never listened");
}
