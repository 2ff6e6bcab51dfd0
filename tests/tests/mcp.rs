//! `engram mcp` asked by the official client for Python, over real pipes. The client is installed into a cache of the user's;
//! skipped where that cannot be.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::place::Place;
use engram_tests::run::run;
use engram_tests::{program, skip};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Python with the official client.
fn python() -> Option<PathBuf> {
    const CLIENT: &str = "mcp<3";
    let environment = PathBuf::from(std::env::var_os("HOME")?).join(".cache/engram-mcp-client");
    let python = environment.join("bin/python");
    let has_client = || Command::new(&python).args(["-c", "import mcp"]).output().is_ok_and(|o| o.status.success());
    if !has_client() {
        Command::new("python3").args(["-m", "venv"]).arg(&environment).output().ok()?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", CLIENT]).output().ok()?;
    }
    has_client().then_some(python)
}

const ASKS: &str = r#"
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    server = StdioServerParameters(command=sys.argv[1], args=["mcp"], env=json.loads(sys.argv[2]), cwd=sys.argv[3])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        began = await session.initialize()
        tools = (await session.list_tools()).tools
        found = await session.call_tool("query_knowledge", {"question": "how is money kept?"})
        nothing = await session.call_tool("query_knowledge", {"question": "submarines", "scope": "all"})
        empty = await session.call_tool("query_knowledge", {"question": ""})
        flag = lambda r: getattr(r, "isError", None) if hasattr(r, "isError") else r.is_error
        print(json.dumps({"tools": [t.name for t in tools], "found": found.content[0].text,
            "nothing": nothing.content[0].text, "failed": [flag(r) for r in (found, nothing, empty)]}))

asyncio.run(main())
"#;

#[test]
fn the_official_client_asks_and_is_answered() {
    let Some(python) = python() else {
        return skip("the_official_client_asks_and_is_answered: the client for Python cannot be installed");
    };
    let place = Place::new();
    place.json(&["remember", "Money is kept in integer cents instead of floats"]);
    let environment = serde_json::json!({"ENGRAM_HOME": place.home, "HOME": place.user, "PATH": "/usr/bin:/bin"});
    let mut command = place.command(&python);
    command.args(["-c", ASKS]).arg(program::engram()).arg(environment.to_string()).arg(&place.project);
    let ended = run(&mut command, b"");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let answers: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(answers["tools"], serde_json::json!(["query_knowledge"]));
    assert!(answers["found"].as_str().unwrap().contains("integer cents"), "{answers}");
    assert!(answers["nothing"].as_str().unwrap().contains("any project"), "{answers}");
    assert_eq!(answers["failed"], serde_json::json!([false, false, true]));
}

#[test]
fn it_ends_with_its_input_and_says_nothing_else() {
    let place = Place::new();
    let ended =
        run(place.command(&program::engram()).arg("mcp"), b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(ended.stdout, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}
