//! A client that isn't ours, in both generations of the protocol: that of the Python SDK.

use std::path::Path;
use std::process::Command;

use callboard::mcp::McpService;
use serde_json::{Value, json};

use crate::peers;
use crate::served_http::serve;
use crate::serving::registry;

const GENERATIONS: [(&str, &str); 2] = [("auto", "2026-07-28"), ("legacy", "2025-11-25")];

/// What the client saw.
async fn seen(python: &Path, script: Value) -> Value {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/peers/client.py");
    let mut command = Command::new(python);
    // Its warnings say that the protocol deprecates what is tested here.
    command.args(["-W", "ignore"]).arg(client);
    command.arg(script.to_string());
    let output = tokio::task::spawn_blocking(move || command.output())
        .await
        .expect("no panics")
        .expect("it starts");
    let (said, failed) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{failed}");
    serde_json::from_slice(said).expect("it prints JSON")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_in_python_reads_what_is_served_over_http() {
    let Some(python) = peers::python() else {
        return;
    };
    let address = serve(&McpService::new(registry()).with_name("desk", "1.0.0")).await;
    for (mode, version) in GENERATIONS {
        let script = json!({
            "url": format!("http://{address}/mcp"),
            "mode": mode,
            "calls": [
                ["add", { "left": 20, "right": 5 }],
                ["find_order", { "id": "a1" }],
                ["find_order", { "id": "none" }],
                ["panics", {}],
                ["steps", { "count": 3 }],
                ["ask_both", {}],
                ["no_such_tool", {}],
            ],
        });
        let seen = seen(&python, script).await;
        assert_eq!(seen["protocol"], version);
        assert_eq!(seen["server"]["name"], "desk");
        assert_eq!(
            seen["tools"].as_array().expect("a list").len(),
            registry().tools().len()
        );
        let result = |call: usize| &seen["outcomes"][call]["result"];
        let words = |call: usize| result(call)["content"][0]["text"].as_str();
        assert_eq!(words(0), Some("25"));
        assert_eq!(
            result(1)["structuredContent"],
            json!({ "id": "a1", "total": 7 })
        );
        assert_eq!(words(2), Some("there is no such order"));
        for failed in [2, 3] {
            assert_eq!(result(failed)["isError"], true);
        }
        let progress = &seen["outcomes"][4]["progress"];
        let steps = [1.0, 2.0, 3.0].map(|step| json!([step, 3.0, format!("step {step}")]));
        assert_eq!(*progress, json!(steps), "{mode}");
        assert_eq!(words(5), Some("at most 9; it is who read: Who?"), "{mode}");
        let unknown = seen["outcomes"][6]["error"].as_str().expect("an error");
        assert!(unknown.contains("not available"), "{unknown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_in_python_calls_the_workbench_over_pipes() {
    let Some(python) = peers::python() else {
        return;
    };
    let Some(workbench) = peers::example("workbench") else {
        return;
    };
    // It may be one without the feature, from another build.
    let help = Command::new(&workbench).args(["serve", "--help"]).output();
    if !help.is_ok_and(|help| help.status.success()) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (mode, version) in GENERATIONS {
        let script = json!({
            "command": [workbench, "--root", folder.path(), "serve"],
            "mode": mode,
            "calls": [
                ["calculate", { "expression": "6 * 7" }],
                ["calculate", { "expression": 7 }],
                ["write_note", { "name": "a", "text": "b" }],
            ],
        });
        let seen = seen(&python, script).await;
        assert_eq!(seen["protocol"], version);
        assert_eq!(seen["server"]["name"], "workbench");
        let result = |call: usize| &seen["outcomes"][call]["result"];
        assert_eq!(result(0)["structuredContent"]["result"], "42");
        let wrong = result(1)["content"][0]["text"].as_str().expect("words");
        assert!(wrong.contains("`expression`"), "{wrong}");
        assert!(result(2).is_object(), "{}", seen["outcomes"][2]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_shows_and_runs_what_only_reads() {
    let (Some(python), Some(servers)) = (peers::python(), peers::npm_programs()) else {
        return;
    };
    let Some(gateway) = peers::example("gateway") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it is there");
    std::fs::write(root.join("notes.txt"), "read me").expect("it is written");
    for (mode, version) in GENERATIONS {
        let script = json!({
            "command": [gateway, servers, root],
            "mode": mode,
            "calls": [
                ["files.read_text_file", { "path": root.join("notes.txt") }],
                ["files.write_file", { "path": root.join("new.txt"), "content": "x" }],
                ["everything.echo", { "message": "hi" }],
            ],
        });
        let seen = seen(&python, script).await;
        assert_eq!(seen["protocol"], version);
        let tools = seen["tools"].as_array().expect("a list");
        assert!(tools.len() > 2);
        for tool in tools {
            assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        }
        let read = &seen["outcomes"][0]["result"];
        assert_eq!(read["structuredContent"]["content"], "read me");
        let refused = seen["outcomes"][1]["error"].as_str().expect("an error");
        assert!(refused.contains("not available"), "{refused}");
        assert!(!root.join("new.txt").exists());
        let echoed = &seen["outcomes"][2]["result"]["content"][0]["text"];
        assert_eq!(*echoed, "Echo: hi");
    }
}
