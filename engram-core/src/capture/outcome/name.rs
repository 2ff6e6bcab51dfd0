//! The names of failing tests.

const MAX_NAMES: usize = 20;
const MAX_NAME: usize = 160;

/// Finds a failing test's name in one trimmed line.
type Rule = fn(&str) -> Option<&str>;

const RULES: &[Rule] = &[
    pytest, nextest, unittest, go, jest, vitest, tap, node, bun, dotnet, ctest, cargo, gradle, maven, swift, numbered,
];

/// The failing tests that an output names, each once, at most 20.
pub(crate) fn failing_tests(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| l.len() < 1_000) {
        let found = RULES.iter().find_map(|rule| rule(line)).map(str::trim).filter(|n| !n.is_empty());
        let name = found.map(|n| crate::text::clip_marked(n, MAX_NAME));
        names.extend(name.filter(|n| !names.contains(n)));
        if names.len() == MAX_NAMES {
            break;
        }
    }
    names
}

fn is_file(word: &str) -> bool {
    word.contains('.') && !word.ends_with('.') && word.len() < 300
}

/// `FAILED tests/a.py::test_x - AssertionError`
fn pytest(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
    let name = rest.split(" - ").next()?;
    name.contains(".py").then_some(name)
}

/// `FAIL [   0.005s] crate module::name`
fn nextest(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("FAIL [").or_else(|| line.strip_prefix("TIMEOUT ["))?;
    let name = rest.split_once(']')?.1.trim();
    // A counter may stand between: `( 3/10) crate name`.
    Some(name.strip_prefix('(').and_then(|n| n.split_once(')')).map_or(name, |(_, n)| n.trim()))
}

/// `FAIL: test_add (test_calc.Tests.test_add)`
fn unittest(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: "))?;
    let (name, place) = rest.split_once(" (")?;
    (place.ends_with(')') && !name.contains(' ')).then_some(name)
}

/// `--- FAIL: TestX/sub (0.00s)`
fn go(line: &str) -> Option<&str> {
    line.strip_prefix("--- FAIL: ")?.split(" (").next()
}

/// A bullet, the suite and the test.
fn jest(line: &str) -> Option<&str> {
    line.strip_prefix("\u{25cf} ").filter(|n| n.contains(" \u{203a} "))
}

/// `FAIL  src/a.test.ts > suite > name`
fn vitest(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("FAIL ")?.trim_start();
    (is_file(rest.split(' ').next()?) && rest.contains(" > ")).then_some(rest)
}

/// `not ok 3 - name`
fn tap(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("not ok ")?.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    rest.strip_prefix("- ").map(|n| n.split(" # ").next().unwrap_or(n))
}

/// A cross, the name and the time: `name (1.2ms)`.
fn node(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("\u{2716} ").or_else(|| line.strip_prefix("\u{2717} "))?;
    let (name, time) = rest.rsplit_once(" (")?;
    time.ends_with("ms)").then_some(name)
}

/// `(fail) suite > name [0.5ms]`
fn bun(line: &str) -> Option<&str> {
    line.strip_prefix("(fail) ").map(|n| n.rsplit_once(" [").map_or(n, |(name, _)| name))
}

/// `Failed Namespace.Class.Test [3 ms]`
fn dotnet(line: &str) -> Option<&str> {
    let (name, time) = line.strip_prefix("Failed ")?.rsplit_once(" [")?;
    time.ends_with("s]").then_some(name)
}

/// `3 - name (Failed)`
fn ctest(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(" - ")?;
    let name = rest.strip_suffix("(Failed)").or_else(|| rest.strip_suffix("(Timeout)"))?;
    number.bytes().all(|b| b.is_ascii_digit()).then_some(name)
}

/// `test module::name ... FAILED`; Deno adds the time.
fn cargo(line: &str) -> Option<&str> {
    let (name, result) = line.rsplit_once(" ... ")?;
    result.starts_with("FAILED").then(|| name.strip_prefix("test ").unwrap_or(name))
}

/// `CalcTest > testAdd() FAILED`
fn gradle(line: &str) -> Option<&str> {
    line.strip_suffix(" FAILED").filter(|n| n.contains(" > ") && !n.starts_with("> "))
}

/// `[ERROR]   CalcTest.testAdd:12 expected: <3> but was: <-1>`
fn maven(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("[ERROR]")?.trim_start();
    let (name, place) = rest.split_once(':')?;
    let is_test = name.contains('.') && !name.contains([' ', '/']) && place.starts_with(|c: char| c.is_ascii_digit());
    is_test.then_some(name)
}

/// `Test Case '-[Module.Class name]' failed (0.1 seconds).`
fn swift(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix("Test Case '")?.split_once('\'')?;
    rest.trim_start().starts_with("failed").then(|| name.trim_start_matches("-[").trim_end_matches(']'))
}

/// `1) Suite name` of mocha, rspec, phpunit, playwright and mix.
fn numbered(line: &str) -> Option<&str> {
    let (number, name) = line.split_once(") ")?;
    let is_number = !number.is_empty() && number.len() <= 4 && number.bytes().all(|b| b.is_ascii_digit());
    (is_number && !name.contains(": ")).then(|| name.trim_end_matches([':', ' ', '\u{2500}']))
}
