use super::*;

fn relative(path: &str) -> String {
    path.strip_prefix("/home/dev/calc/").unwrap_or(path).to_owned()
}

/// Runner, output, passed, failed, names of the failing.
type Counted<'a> = (&'a str, &'a str, Option<u32>, Option<u32>, &'a [&'a str]);

#[test]
fn counts_and_names_of_common_runners() {
    let cases: &[Counted<'_>] = &[
        (
            "cargo",
            "running 3 tests\ntest a::x ... ok\ntest a::y ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.01s\n   Doc-tests x\ntest result: ok. 5 passed; 0 failed; 0 ignored;",
            Some(7),
            Some(1),
            &["a::y"],
        ),
        (
            "nextest",
            "        FAIL [   0.005s] core graph::merge\n     Summary [   0.012s] 10 tests run: 9 passed, 1 failed, 0 skipped",
            Some(9),
            Some(1),
            &["core graph::merge"],
        ),
        (
            "pytest",
            "FAILED tests/test_a.py::test_x - AssertionError: assert 1 == 2\n==== 1 failed, 2 passed, 1 error in 0.03s ====",
            Some(2),
            Some(2),
            &["tests/test_a.py::test_x"],
        ),
        (
            "unittest",
            "FAIL: test_add (test_calc.CalcTest.test_add)\n----\nRan 3 tests in 0.001s\n\nFAILED (failures=1)",
            Some(2),
            Some(1),
            &["test_add"],
        ),
        ("unittest ok", "Ran 3 tests in 0.001s\n\nOK", Some(3), Some(0), &[]),
        (
            "jest",
            "FAIL src/cart.test.ts\n  \u{25cf} cart \u{203a} adds\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total",
            Some(2),
            Some(1),
            &["cart \u{203a} adds"],
        ),
        (
            "vitest",
            " FAIL  src/a.test.ts > suite > name\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)",
            Some(2),
            Some(1),
            &["src/a.test.ts > suite > name"],
        ),
        ("mocha", "  2 passing (5ms)\n  1 failing\n\n  1) cart adds:\n", Some(2), Some(1), &["cart adds"]),
        (
            "go",
            "--- FAIL: TestX (0.00s)\n    a_test.go:12: bad\nFAIL\nFAIL\tx/pkg\t0.1s\nok  \tx/other\t0.2s\n?   \tx/no\t[no test files]",
            Some(1),
            Some(1),
            &["TestX"],
        ),
        ("node tap", "not ok 1 - adds\n# tests 3\n# pass 2\n# fail 1", Some(2), Some(1), &["adds"]),
        (
            "node spec",
            "\u{2716} adds (1.2ms)\n\u{2139} tests 3\n\u{2139} pass 2\n\u{2139} fail 1",
            Some(2),
            Some(1),
            &["adds"],
        ),
        (
            "bun",
            "(fail) cart > adds [0.51ms]\n\n 2 pass\n 1 fail\nRan 3 tests across 1 files.",
            Some(2),
            Some(1),
            &["cart > adds"],
        ),
        ("rspec", "  1) Cart adds\n\n5 examples, 1 failure\n", Some(4), Some(1), &["Cart adds"]),
        ("minitest", "3 runs, 5 assertions, 1 failures, 0 errors, 0 skips", Some(2), Some(1), &[]),
        (
            "maven",
            "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s\n[ERROR]   CalcTest.testAdd:12 expected: <3>\n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
            Some(4),
            Some(1),
            &["CalcTest.testAdd"],
        ),
        (
            "gradle",
            "CalcTest > testAdd() FAILED\n\n5 tests completed, 1 failed",
            Some(4),
            Some(1),
            &["CalcTest > testAdd()"],
        ),
        (
            "dotnet",
            "  Failed Shop.CartTests.Adds [3 ms]\nFailed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 3 ms",
            Some(4),
            Some(1),
            &["Shop.CartTests.Adds"],
        ),
        (
            "phpunit",
            "1) CalcTest::testAdd\n\nFAILURES!\nTests: 3, Assertions: 5, Failures: 1.",
            Some(2),
            Some(1),
            &["CalcTest::testAdd"],
        ),
        ("phpunit ok", "OK (3 tests, 5 assertions)", Some(3), Some(0), &[]),
        ("ctest", "90% tests passed, 1 tests failed out of 10\n\t  3 - graph (Failed)", Some(9), Some(1), &["graph"]),
        ("deno", "adds ... FAILED (3ms)\nFAILED | 2 passed | 1 failed (12ms)", Some(2), Some(1), &["adds"]),
        ("generic", "1 passed", Some(1), Some(0), &[]),
        ("none", "hello\n3 files changed\n", None, None, &[]),
    ];
    for (runner, text, passed, failed, names) in cases {
        assert_eq!(tally(text), Tally { passed: *passed, failed: *failed }, "{runner}");
        assert_eq!(failing_tests(text), *names, "{runner}");
    }
}

#[test]
fn signatures_are_file_and_kind() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "python",
            "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n  File \"/home/dev/calc/test_calc.py\", line 3, in test_add\n    assert add(1, 2) == 3\nAssertionError\n",
            &["test_calc.py: AssertionError"],
        ),
        (
            "python library",
            "  File \"/home/dev/calc/a.py\", line 3, in f\n  File \"/usr/lib/python3/json/decoder.py\", line 9, in d\njson.decoder.JSONDecodeError: Expecting value: line 1\n",
            &["a.py: JSONDecodeError"],
        ),
        ("pytest", "FAILED tests/test_a.py::test_x - assert 1 == 2", &["tests/test_a.py: AssertionError"]),
        ("pytest body", "E   ValueError: bad\n\ntests/test_a.py:5: ValueError", &["tests/test_a.py: ValueError"]),
        (
            "rustc",
            "error[E0308]: mismatched types\n   --> src/a.rs:3:5\nerror: could not compile `x`",
            &["src/a.rs: E0308"],
        ),
        ("panic", "thread 'a::x' panicked at src/lib.rs:10:5:\nassertion failed", &["src/lib.rs: panic"]),
        ("tsc", "src/x.ts(3,5): error TS2345: Argument of type", &["src/x.ts: TS2345"]),
        ("tsc pretty", "src/x.ts:3:5 - error TS2322: Type", &["src/x.ts: TS2322"]),
        ("gcc", "src/a.c:3:5: error: expected ';' before 'x'", &["src/a.c: expected ';' before 'x'"]),
        ("go build", "./a.go:12:3: undefined: x", &["a.go: undefined"]),
        ("go test", "--- FAIL: TestX (0.00s)\n    a_test.go:12: got 3", &["a_test.go: --- FAIL TestX"]),
        ("golangci", "cmd/reset_test.go:12: 12-40 lines are duplicate of `x` (dupl)", &["cmd/reset_test.go: dupl"]),
        (
            "jest",
            "FAIL src/cart.test.ts\n  \u{25cf} cart \u{203a} adds\n    TypeError: x is undefined\n      at Object.<anonymous> (src/cart.test.ts:3:5)",
            &["src/cart.test.ts: TypeError"],
        ),
        (
            "node",
            "TypeError: x\n    at f (node:internal/x:1:1)\n    at g (/home/dev/calc/src/a.js:3:5)",
            &["src/a.js: TypeError"],
        ),
        (
            "eslint",
            "/home/dev/calc/src/a.ts\n  3:5  error  'x' is unused  no-unused-vars\n",
            &["src/a.ts: no-unused-vars"],
        ),
        ("mypy", "a.py:3: error: Incompatible types in assignment  [assignment]", &["a.py: assignment"]),
        ("ruff", "src/a.py:1:8: F401 `os` imported but unused", &["src/a.py: F401"]),
        ("javac", "[ERROR] /home/dev/calc/A.java:[12,3] cannot find symbol", &["A.java: cannot find symbol"]),
        ("shell", "bash: foo: command not found", &["foo: command not found"]),
        ("npm", "npm ERR! code ELIFECYCLE", &["npm: ELIFECYCLE"]),
        ("nothing", "all good\n3 passed", &[]),
    ];
    for (what, text, expected) in cases {
        assert_eq!(signatures(text, &relative), *expected, "{what}");
    }
}

#[test]
fn failures_show_in_the_output() {
    for text in [
        "Traceback (most recent call last):",
        "x\nerror[E0308]: y",
        "FAILED (failures=1)",
        "[test] ERROR task failed",
        "src/a.ts(1,2): error TS1: x",
    ] {
        assert!(tests_or_build_failed(text), "{text}");
    }
    for text in ["1\n", "ok\n", "found 0 errors. Watching", "test result: ok. 0 failed", "Finished dev profile"] {
        assert!(!tests_or_build_failed(text), "{text}");
    }
    assert!(shell_trouble("fatal: not a git repository"));
    assert!(!shell_trouble("M  src/error.rs"));
    assert!(tool_trouble("cat: x: No such file or directory\n", "cat"));
    assert!(!tool_trouble("a line\ncat: x: No such file or directory\n", "cat"));
}

#[test]
fn the_first_telling_line_stands_for_the_error() {
    let text = "Exit code 1\nSome heading\nfatal: Unable to create index.lock: File exists.\n\nAnother process";
    assert_eq!(telling_line(text), Some("fatal: Unable to create index.lock: File exists."));
    assert_eq!(telling_line("Exit code 1\nlast words"), Some("last words"));
    assert_eq!(telling_line(""), None);
}
