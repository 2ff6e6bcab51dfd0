//! Which programs run tests, and which build, check or lint.

use super::plan::Step;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a program does for the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// Runs tests.
    Test,
    /// Builds, checks or lints.
    Build,
}
use Job::{Build, Test};

/// Program and first argument (alternatives by `|`; empty = any). The first row that fits wins.
const RUNNERS: &[(&str, &str, Job)] = &[
    ("pytest|py.test|tox|nox|nose2|nosetests|trial|behave|robot", "", Test),
    ("unittest|doctest", "", Test),
    ("manage.py|artisan|rails|setup.py|django-admin", "test|test:system|test:all", Test),
    ("vitest|jest|mocha|ava|tap|jasmine|karma|uvu|testcafe|nightwatch|qunit|wdio|react-scripts-test", "", Test),
    ("playwright", "test", Test),
    ("cypress", "run", Test),
    ("react-scripts|ng|craco|vue-cli-service", "test|test:unit|e2e", Test),
    ("react-scripts|ng|craco|vue-cli-service", "build|lint", Build),
    ("cargo", "test|t|nextest|miri|llvm-cov|tarpaulin|insta", Test),
    ("cargo", "build|b|check|c|clippy|doc|rustc|hack|zigbuild|ndk|deny|fmt", Build),
    ("go", "test", Test),
    ("go", "build|vet|install|generate", Build),
    ("gotestsum|ginkgo|richgo", "", Test),
    ("golangci-lint|staticcheck|revive|govulncheck|gosec", "", Build),
    ("dotnet", "test|vstest", Test),
    ("dotnet", "build|publish|format|msbuild", Build),
    ("ctest|bats|prove|busted|elm-test|rspec|minitest|phpunit|pest|paratest|codecept|shellspec|cucumber", "", Test),
    ("bazel|bazelisk|buck|buck2|pants|please|plz", "test|coverage", Test),
    ("bazel|bazelisk|buck|buck2|pants|please|plz", "build|check|lint", Build),
    (
        "swift|zig|dart|flutter|stack|cabal|gleam|forge|hardhat|anchor|truffle|wasm-pack|meson|xcodebuild|moon|crystal|shards|dune|rebar3|lein|sbt|mix|deno|bun|nimble|spago|mops|sui|aptos|scarb|snforge",
        "test|tests|spec|eunit|ct",
        Test,
    ),
    (
        "swift|zig|dart|flutter|stack|cabal|gleam|forge|hardhat|anchor|truffle|wasm-pack|meson|xcodebuild|moon|crystal|shards|dune|rebar3|lein|sbt|mix|deno|bun|nimble|spago|sui|aptos|scarb",
        "build|compile|analyze|check|lint|format|credo|dialyzer|fmt",
        Build,
    ),
    (
        "tsc|vue-tsc|svelte-check|eslint|oxlint|stylelint|tslint|xo|standard|webpack|rollup|esbuild|tsup|parcel|ncc|swc",
        "",
        Build,
    ),
    ("vite|next|nuxt|astro|remix|gatsby|turbopack|vinxi|storybook", "build|check|lint|typecheck", Build),
    ("biome|rome|dprint", "check|lint|ci|format", Build),
    ("prettier|black|isort|gofmt|rustfmt", "--check|-c|--list-different|-l", Build),
    (
        "ruff|mypy|pyright|basedpyright|pyre|pytype|flake8|pylint|pyflakes|pycodestyle|bandit|ty|py_compile|compileall|vulture",
        "",
        Build,
    ),
    (
        "gcc|g++|cc|c++|clang|clang++|rustc|javac|kotlinc|scalac|ghc|gfortran|nvcc|emcc|solc|protoc|csc|fpc|nim|valac",
        "",
        Build,
    ),
    ("cmake", "", Build),
    ("docker|podman|buildah|nerdctl", "build|buildx|bake", Build),
    ("docker-compose", "build", Build),
    (
        "shellcheck|hadolint|yamllint|markdownlint|actionlint|checkstyle|ktlint|detekt|swiftlint|rubocop|phpstan|psalm|phpcs|cppcheck|clang-tidy|tflint|ansible-lint|sqlfluff|vale|codespell|standardrb|sorbet|srb|buf|spectral|lychee|knip|tsd",
        "",
        Build,
    ),
    ("terraform|tofu", "validate", Build),
    ("helm", "lint|template", Build),
    ("maturin|flit|hatch|poetry|uv|pdm", "build|develop", Build),
    ("pre-commit|lefthook", "run", Build),
    ("msbuild|ninja|samu|xctool", "", Build),
    ("setup.py", "build|build_ext|sdist|bdist_wheel|develop", Build),
];

/// Programs that run a script or target by name, and the words before the name.
const BY_NAME: &[(&str, &[&str])] = &[
    ("npm", &["run", "run-script"]),
    ("yarn", &["run", "workspace", "workspaces", "foreach"]),
    ("pnpm", &["run"]),
    ("bun", &["run"]),
    ("deno", &["task"]),
    ("mise", &["run", "r"]),
    ("just", &[]),
    ("make", &[]),
    ("gmake", &[]),
    ("task", &[]),
    ("rake", &[]),
    ("nx", &["run", "run-many", "affected"]),
    ("turbo", &["run"]),
    ("lerna", &["run"]),
    ("composer", &["run", "run-script"]),
    ("invoke", &[]),
    ("inv", &[]),
    ("poe", &[]),
    ("rush", &[]),
    ("ant", &[]),
    ("gradle", &[]),
    ("gradlew", &[]),
    ("mvn", &[]),
    ("mvnw", &[]),
    ("mvnd", &[]),
    ("mill", &[]),
    ("wireit", &[]),
    ("xtask", &[]),
    ("doit", &[]),
    ("earthly", &[]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
];

/// Names that mean something else for one program than [`by_words`] says.
const NAMED: &[(&str, &str, Job)] = &[
    ("make|gmake|gradle|gradlew", "check", Test),
    ("mvn|mvnw|mvnd", "verify|integration-test|surefire:test|failsafe:verify", Test),
    ("mvn|mvnw|mvnd", "package|install|deploy", Build),
    ("gradle|gradlew", "assemble|classes|jar", Build),
    ("make|gmake", "all", Build),
    ("npm|pnpm", "t|tst", Test),
];

/// Flags, of any program here, whose value is a word of its own.
const VALUE_FLAGS: &[&str] = &[
    "--filter",
    "-F",
    "--prefix",
    "-C",
    "--dir",
    "--cwd",
    "-w",
    "--workspace",
    "--manifest-path",
    "-p",
    "--package",
    "--features",
    "--target",
    "--target-dir",
    "-f",
    "--file",
    "--makefile",
    "-j",
    "--jobs",
    "--profile",
    "--config",
    "-c",
    "--project",
    "--scope",
    "-P",
    "--directory",
    "-d",
    "--justfile",
    "--working-directory",
];

/// What the step does for the project, if it is a test run or a build.
pub(crate) fn job(step: &Step) -> Option<Job> {
    let args: Vec<&str> = step.args().iter().map(String::as_str).collect();
    job_of(step.program(), &args).or_else(|| test_script(step))
}

fn job_of(program: &str, args: &[&str]) -> Option<Job> {
    if is_informative(args) {
        return None;
    }
    if let Some(job) = interpreted(program, args) {
        return job;
    }
    let positional = positional(args);
    let first = positional.first().copied().unwrap_or("");
    if program == "docker" && first == "compose" {
        return job_of(
            "docker-compose",
            args.split_at(args.iter().position(|a| *a == "compose").map_or(0, |p| p + 1)).1,
        );
    }
    if program == "zig" && first == "build" && positional.contains(&"test") {
        return Some(Test);
    }
    let by_flag = |names: &str| args.iter().any(|a| is_one_of(names, a));
    let fits =
        |firsts: &str| firsts.is_empty() || is_one_of(firsts, first) || (firsts.starts_with('-') && by_flag(firsts));
    let row = BY_PROGRAM.get(program).and_then(|rows| rows.iter().find(|(firsts, _)| fits(firsts)));
    row.map(|r| r.1).or_else(|| by_name(program, &positional))
}

/// The rows of [`RUNNERS`] of each program, in order.
static BY_PROGRAM: LazyLock<HashMap<&str, Vec<(&str, Job)>>> = LazyLock::new(|| {
    let mut by_program = HashMap::<_, Vec<_>>::new();
    for (programs, firsts, job) in RUNNERS {
        for program in programs.split('|') {
            by_program.entry(program).or_default().push((*firsts, *job));
        }
    }
    by_program
});

/// `--version` and `--help` run nothing.
fn is_informative(args: &[&str]) -> bool {
    args.iter().any(|a| matches!(*a, "--version" | "--help" | "-h" | "-V" | "--init"))
}

fn is_one_of(alternatives: &str, word: &str) -> bool {
    alternatives.split('|').any(|a| a == word)
}

fn positional<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let mut out = Vec::new();
    let mut skip = false;
    for arg in args.iter().take(64) {
        if skip {
            skip = false;
        } else if *arg == "--" {
            break;
        } else if arg.starts_with('-') || arg.starts_with('+') {
            skip = VALUE_FLAGS.contains(arg);
        } else {
            out.push(*arg);
        }
    }
    out
}

/// A script or target by its name: a test if any name is one.
fn by_name(program: &str, positional: &[&str]) -> Option<Job> {
    let (_, skipped) = BY_NAME.iter().find(|(p, _)| *p == program)?;
    // A workspace or project may stand before the script; only `make`-like programs take several names.
    let names: Vec<&str> = positional.iter().copied().filter(|p| !skipped.contains(p)).collect();
    if names.is_empty() {
        let whole = matches!(program, "make" | "gmake" | "mill");
        return whole.then_some(Build);
    }
    let several =
        skipped.is_empty() || positional.first().is_some_and(|p| p.starts_with("workspace") || *p == "affected");
    let names = if several { &names[..] } else { &names[..1] };
    let jobs: Vec<Job> = names.iter().filter_map(|n| named(program, n).or_else(|| by_words(n))).collect();
    if jobs.contains(&Test) { Some(Test) } else { jobs.first().copied() }
}

fn named(program: &str, name: &str) -> Option<Job> {
    NAMED.iter().find(|(programs, names, _)| is_one_of(programs, program) && is_one_of(names, name)).map(|r| r.2)
}

/// What a script's name says: `test:unit`, `typecheck`, `lint-fix`, `:app:testDebug`.
fn by_words(name: &str) -> Option<Job> {
    const TESTS: &[&str] =
        &["test", "tests", "spec", "specs", "e2e", "vitest", "jest", "pytest", "unittest", "testing"];
    const BUILDS: &[&str] = &[
        "build",
        "compile",
        "lint",
        "typecheck",
        "check",
        "tsc",
        "types",
        "bundle",
        "clippy",
        "eslint",
        "mypy",
        "ruff",
        "vet",
        "typescript",
        "package",
        "lints",
        "checks",
    ];
    let words: Vec<String> = name.split(|c: char| !c.is_ascii_alphanumeric()).flat_map(camel_words).collect();
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    if has(TESTS) {
        Some(Test)
    } else if has(BUILDS) {
        Some(Build)
    } else {
        None
    }
}

/// Lower-case words of a camelCase piece, digits kept inside (`e2e`).
fn camel_words(piece: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut after_lower = false;
    for c in piece.chars() {
        if words.is_empty() || (c.is_ascii_uppercase() && after_lower) {
            words.push(String::new());
        }
        after_lower = c.is_ascii_lowercase();
        if let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
    }
    words
}

/// Interpreters: a module, code on the command line, or a script. `Some(None)` = decided, neither test nor build.
fn interpreted(program: &str, args: &[&str]) -> Option<Option<Job>> {
    const INTERPRETERS: &[&str] = &[
        "python", "py", "node", "ruby", "php", "perl", "tsx", "ts-node", "sh", "bash", "zsh", "bun", "deno", "source",
        ".",
    ];
    let base = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !INTERPRETERS.contains(&base) && !INTERPRETERS.contains(&program) {
        return None;
    }
    for (i, arg) in args.iter().enumerate() {
        match *arg {
            "-m" if base == "python" || base == "py" => return args.get(i + 1).map(|m| job_of(m, &args[i + 2..])),
            "-c" | "-e" | "--eval" | "-p" | "-r" => {
                return args.get(i + 1).map(|code| runs_tests(code).then_some(Test));
            }
            "--test" => return Some(Some(Test)),
            "run" if matches!(base, "deno" | "bun") => {}
            flag if flag.starts_with('-') => {}
            script => return interpreted_script(base, script, &args[i + 1..]),
        }
    }
    None
}

fn interpreted_script(program: &str, script: &str, rest: &[&str]) -> Option<Option<Job>> {
    let name = script.rsplit('/').next().unwrap_or(script);
    if !script.contains(['.', '/']) && matches!(program, "bun" | "deno") {
        return None;
    }
    if is_test_script(script) {
        return Some(Some(Test));
    }
    Some(job_of(name.strip_suffix(".js").unwrap_or(name), rest))
}

/// Code that imports or calls tests.
fn runs_tests(code: &str) -> bool {
    const MARKS: &[&str] =
        &["import test_", "from test_", "unittest", "pytest", "test_", "tests.", "runTests", "run_tests"];
    MARKS.iter().any(|m| code.contains(m))
}

/// A script run by its path whose name has `test` as a word.
fn test_script(step: &Step) -> Option<Job> {
    let path = step.words.first()?;
    (path.contains('/') && is_test_script(path)).then_some(Test)
}

fn is_test_script(path: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "sh", "bash", "py", "js", "mjs", "cjs", "ts", "mts", "tsx", "rb", "pl", "t", "php", "exs", "bats", "zsh",
        "lua", "",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let last = ending.rsplit('.').next().unwrap_or(ending);
    ENDINGS.contains(&last) && (by_words(stem) == Some(Test) || by_words(ending) == Some(Test))
}

#[cfg(test)]
#[path = "runner_tests.rs"]
mod tests;
