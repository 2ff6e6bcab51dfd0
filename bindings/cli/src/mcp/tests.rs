use super::*;
use engram_core::Remember;

fn memory(tmp: &tempfile::TempDir) -> Memory {
    let project = tmp.path().join("project");
    std::fs::create_dir_all(&project).unwrap();
    let memory = Memory { home: Some(tmp.path().join("home")), project: project.clone() };
    let options = Options { home: memory.home.clone(), project, background: Background::Caller, ..Options::default() };
    let engram = Engram::open(options).unwrap();
    let text = "Money is kept in integer cents instead of floats".to_owned();
    engram.remember(&Remember { text, ..Remember::default() }).unwrap();
    memory
}

/// What comes back for the lines, one value a line.
fn talk(memory: &Memory, lines: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    serve(lines, &mut output, memory).unwrap();
    String::from_utf8(output).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn ask(memory: &Memory, requests: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    talk(memory, lines.join("\n").as_bytes())
}

fn modern(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn call(question: &str) -> Value {
    json!({"name": "query_knowledge", "arguments": {"question": question}})
}

#[test]
fn a_client_with_initialize_gets_what_its_era_knows() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = memory(&tmp);
    let request =
        |id: u64, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let answers = ask(
        &memory,
        &[
            request(
                0,
                "initialize",
                json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
            ),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            request(1, "ping", json!({})),
            request(2, "tools/list", json!({})),
            request(3, "tools/call", call("how is money kept?")),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}),
        ],
    );
    assert_eq!(answers.len(), 4, "notifications are not answered");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "engram");
    assert_eq!(answers[1]["result"], json!({}));
    let tools = &answers[2]["result"]["tools"];
    assert_eq!((tools.as_array().unwrap().len(), &tools[0]["name"]), (1, &json!("query_knowledge")));
    let found = &answers[3]["result"];
    assert!(found["content"][0]["text"].as_str().unwrap().contains("integer cents"), "{found}");
    assert_eq!((&found["isError"], &found["structuredContent"]["scope"]), (&json!(false), &json!("current_project")));
    for answer in &answers {
        assert!(answer["result"].get("resultType").is_none() && answer["result"].get("ttlMs").is_none(), "{answer}");
    }
    let newer = ask(&memory, &[request(0, "initialize", json!({"protocolVersion": "2099-01-01"}))]);
    assert_eq!(newer[0]["result"]["protocolVersion"], "2025-11-25", "the newest that has initialize");
}

#[test]
fn a_stateless_client_gets_what_its_era_wants() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = memory(&tmp);
    let answers = ask(
        &memory,
        &[
            modern(1, "server/discover", json!({})),
            modern(2, "tools/list", json!({})),
            modern(3, "tools/call", call("money")),
            modern(4, "tools/call", call("submarines")),
        ],
    );
    for answer in &answers {
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    }
    assert_eq!(answers[0]["result"]["supportedVersions"][0], "2026-07-28");
    for listed in &answers[..2] {
        assert!(listed["result"]["ttlMs"].is_u64() && listed["result"]["cacheScope"] == "public");
    }
    assert!(answers[2]["result"]["content"][0]["text"].as_str().unwrap().contains("integer cents"));
    let unknown = answers[3]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(unknown.contains("Nothing is remembered") && unknown.contains("project"), "{unknown}");
    let mut other = modern(5, "tools/list", json!({}));
    other["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2031-01-01".into();
    let refused = &ask(&memory, &[other])[0]["error"];
    assert_eq!((&refused["code"], &refused["data"]["requested"]), (&json!(-32022), &json!("2031-01-01")));
    assert!(refused["data"]["supported"].as_array().unwrap().contains(&json!("2026-07-28")));
}

#[test]
fn what_is_no_request_gets_the_error_that_it_deserves_and_the_next_one_is_served() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = memory(&tmp);
    let long = format!("{{\"id\": 1, \"x\": \"{}\"}}", "y".repeat(5 << 20));
    let lines = [
        "garbage",
        "7",
        "{}",
        "[]",
        "\u{0}",
        "",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        &long,
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"no/such\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"query_knowledge\",\"arguments\":{\"question\":7}}}",
        "[{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}]",
    ];
    let mut bytes = lines.join("\n").into_bytes();
    bytes.extend(b"\n\xff\xfe\n");
    let answers = talk(&memory, &bytes);
    let codes: Vec<i64> = answers.iter().filter_map(|a| a["error"]["code"].as_i64()).collect();
    assert_eq!(codes, [-32700, -32600, -32600, -32600, -32700, -32700, -32601, -32602, -32700]);
    let failed = answers.iter().find(|a| a["id"] == 3).unwrap();
    assert_eq!(failed["result"]["isError"], true);
    assert!(answers.iter().any(|a| a[0]["id"] == 4 && a.as_array().unwrap().len() == 1), "{answers:?}");
}

#[test]
fn where_there_is_no_project_the_tool_says_so() {
    let memory = Memory { home: None, project: "/".into() };
    let answer = &ask(&memory, &[modern(1, "tools/call", call("x"))])[0]["result"];
    assert_eq!(answer["isError"], true);
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("no project"), "{answer}");
}
