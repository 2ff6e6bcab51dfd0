//! Sentences of our own and what each decides.

use super::{Polarity, parse};

const CHOOSE: Polarity = Polarity::Choose;
const REQUIRE: Polarity = Polarity::Require;
const FORBID: Polarity = Polarity::Forbid;

/// Sentence, polarity, subject, chosen, rejected (parted by `|`), rationale.
type Case = (&'static str, Polarity, &'static str, &'static str, &'static str, &'static str);

const DECISIONS: &[Case] = &[
    (
        "We decided to use SQLite instead of Postgres because it needs no server.",
        CHOOSE,
        "",
        "SQLite",
        "Postgres",
        "it needs no server",
    ),
    ("Decision: use pnpm rather than npm", CHOOSE, "", "pnpm", "npm", ""),
    ("use tabs, not spaces", CHOOSE, "", "tabs", "spaces", ""),
    ("Use tabs not spaces.", CHOOSE, "", "tabs", "spaces", ""),
    ("Composition over inheritance", CHOOSE, "", "Composition", "inheritance", ""),
    (
        "We chose Tokio over async-std since the ecosystem is larger.",
        CHOOSE,
        "",
        "Tokio",
        "async-std",
        "the ecosystem is larger",
    ),
    ("Prefer explicit errors to panics", CHOOSE, "", "explicit errors", "panics", ""),
    ("prefer `thiserror` over `anyhow` in library crates", CHOOSE, "library crates", "thiserror", "anyhow", ""),
    ("I prefer tabs over spaces.", CHOOSE, "", "tabs", "spaces", ""),
    (
        "For money amounts, use integer cents instead of floats so that sums stay exact.",
        CHOOSE,
        "money amounts",
        "integer cents",
        "floats",
        "sums stay exact",
    ),
    ("Use Luxon for dates instead of moment or dayjs", CHOOSE, "dates", "Luxon", "moment|dayjs", ""),
    ("Use Luxon instead of moment for all date work", CHOOSE, "date work", "Luxon", "moment", ""),
    ("Store timestamps as UTC instead of local time", CHOOSE, "timestamps", "UTC", "local time", ""),
    (
        "We decided to keep amounts as integer cents instead of floats because float sums drift.",
        CHOOSE,
        "amounts",
        "integer cents",
        "floats",
        "float sums drift",
    ),
    ("Amounts are stored as integer cents, never floats.", CHOOSE, "amounts", "integer cents", "floats", ""),
    ("Run the tests with nextest rather than cargo test", CHOOSE, "tests", "nextest", "cargo test", ""),
    ("Return errors instead of panicking", CHOOSE, "", "Return errors", "panicking", ""),
    ("Indent with tabs, not spaces", CHOOSE, "indent", "tabs", "spaces", ""),
    (
        "We switched from Webpack to Vite because builds took minutes",
        CHOOSE,
        "",
        "Vite",
        "Webpack",
        "builds took minutes",
    ),
    ("Switch from REST to gRPC", CHOOSE, "", "gRPC", "REST", ""),
    ("migrated the scheduler from cron to systemd timers", CHOOSE, "scheduler", "systemd timers", "cron", ""),
    (
        "Replaced lodash with native array methods to avoid the dependency",
        CHOOSE,
        "",
        "native array methods",
        "lodash",
        "avoid the dependency",
    ),
    ("Replace moment by Luxon", CHOOSE, "", "Luxon", "moment", ""),
    ("The REST client was replaced by a generated one", CHOOSE, "", "generated one", "REST client", ""),
    ("ruff replaces flake8", CHOOSE, "", "ruff", "flake8", ""),
    ("Dropped Redux in favour of Zustand", CHOOSE, "", "Zustand", "Redux", ""),
    ("Redux was dropped in favor of Zustand", CHOOSE, "", "Zustand", "Redux", ""),
    (
        "Keep the parser hand-written; avoid parser generators",
        CHOOSE,
        "",
        "parser hand-written",
        "parser generators",
        "",
    ),
    ("keep SQL in the store module; never use an ORM", CHOOSE, "store module", "SQL", "ORM", ""),
    (
        "We considered Redis but chose an in-process cache because one node is enough",
        CHOOSE,
        "",
        "in-process cache",
        "Redis",
        "one node is enough",
    ),
    ("Kafka was chosen over RabbitMQ", CHOOSE, "", "Kafka", "RabbitMQ", ""),
    ("We went with argon2 for password hashing", CHOOSE, "password hashing", "argon2", "", ""),
    ("we settled on snake_case for column names", CHOOSE, "column names", "snake_case", "", ""),
    ("Standardise on pytest", CHOOSE, "", "pytest", "", ""),
    ("Use 4 spaces for indentation", CHOOSE, "indentation", "4 spaces", "", ""),
    ("Use SQLite as it needs no server", CHOOSE, "", "SQLite", "", "it needs no server"),
    ("Let's use zod for validation", CHOOSE, "validation", "zod", "", ""),
    ("From now on, use conventional commits.", CHOOSE, "", "conventional commits", "", ""),
    (
        "Because the API is rate limited, we cache responses in Redis instead of memory",
        CHOOSE,
        "responses",
        "Redis",
        "memory",
        "the API is rate limited",
    ),
    (
        "To avoid lock contention, use sharded counters instead of one mutex",
        CHOOSE,
        "",
        "sharded counters",
        "one mutex",
        "avoid lock contention",
    ),
    ("Do not use moment, use Luxon instead", CHOOSE, "", "Luxon", "moment", ""),
    ("Instead of unwrap, use the ? operator", CHOOSE, "", "? operator", "unwrap", ""),
    ("Use not a global lock but per-key locks", CHOOSE, "", "per-key locks", "global lock", ""),
    (
        "I'll use a BTreeMap instead of a HashMap because order matters",
        CHOOSE,
        "",
        "BTreeMap",
        "HashMap",
        "order matters",
    ),
    ("- **Decision**: use `jiff` rather than `chrono`", CHOOSE, "", "jiff", "chrono", ""),
    ("Errors are returned as values rather than thrown", CHOOSE, "errors", "values", "thrown", ""),
    ("Integration tests use a real database, not mocks", CHOOSE, "integration tests", "real database", "mocks", ""),
    ("Don't delete notes \u{2014} move them to done/ instead", FORBID, "", "", "delete notes", ""),
    ("Decision \u{2014} use SQLite", CHOOSE, "", "SQLite", "", ""),
    ("We will use SQLite \u{2014} not Postgres", CHOOSE, "", "SQLite", "Postgres", ""),
    ("Don't use moment. Use Luxon instead.", CHOOSE, "", "Luxon", "moment", ""),
    ("Use SQLite for the store. Never commit secrets.", CHOOSE, "store", "SQLite", "", ""),
    ("Never commit generated files", FORBID, "", "", "commit generated files", ""),
    ("never use `unwrap()` in library code", FORBID, "library code", "", "unwrap()", ""),
    ("Do not log access tokens", FORBID, "", "", "log access tokens", ""),
    ("Don't use default exports or namespaces", FORBID, "", "", "default exports|namespaces", ""),
    ("Please don't touch the vendor folder.", FORBID, "", "", "touch the vendor folder", ""),
    ("We no longer use moment", FORBID, "", "", "moment", ""),
    ("Lodash is no longer used", FORBID, "", "", "Lodash", ""),
    ("The standard print macros are not used.", FORBID, "", "", "standard print macros", ""),
    (
        "Global state is forbidden because tests run in parallel",
        FORBID,
        "",
        "",
        "Global state",
        "tests run in parallel",
    ),
    ("Avoid using regex in the hot path", FORBID, "", "", "regex in the hot path", ""),
    (
        "We decided against GraphQL since the clients are all ours",
        FORBID,
        "",
        "",
        "GraphQL",
        "the clients are all ours",
    ),
    ("We decided not to use an ORM", FORBID, "", "", "ORM", ""),
    ("We ruled out MongoDB", FORBID, "", "", "MongoDB", ""),
    ("Handlers must not import the database module", FORBID, "handlers", "", "import the database module", ""),
    ("Handlers never touch the database directly", FORBID, "handlers", "", "touch the database directly", ""),
    ("New features must not require cgo.", FORBID, "new features", "", "require cgo", ""),
    ("No default exports", FORBID, "", "", "default exports", ""),
    ("process.env is not assigned directly", FORBID, "process.env", "", "process.env assigned directly", ""),
    ("Always run cargo fmt before committing", REQUIRE, "", "run cargo fmt before committing", "", ""),
    ("always use parameterised queries", REQUIRE, "", "parameterised queries", "", ""),
    ("All SQL must go through the store module", REQUIRE, "sql", "store module", "", ""),
    ("All console output goes through the Shell object", REQUIRE, "console output", "Shell object", "", ""),
    ("Every request must be authenticated", REQUIRE, "request", "authenticated", "", ""),
    ("You must use feature flags for new endpoints", REQUIRE, "new endpoints", "feature flags", "", ""),
    ("Only the store room may contain SQL", REQUIRE, "contain sql", "store room", "", ""),
    ("Only use named exports", REQUIRE, "", "named exports", "", ""),
    (
        "Modules use named exports only; default exports are avoided unless a tool requires one.",
        REQUIRE,
        "modules",
        "named exports",
        "default exports",
        "",
    ),
    ("Luxon is the one date library", REQUIRE, "date library", "Luxon", "", ""),
    ("Migrations have to be reversible", REQUIRE, "migrations", "reversible", "", ""),
    ("Signed commits are mandatory", REQUIRE, "", "Signed commits", "", ""),
    ("Public functions must return Result, not panic", REQUIRE, "public functions", "return Result", "panic", ""),
];

const NO_DECISIONS: &[&str] = &[
    "I will now use grep to look",
    "should we use X instead of Y?",
    "use this function to load the config",
    "Should we use tabs instead of spaces",
    "Let me use ripgrep instead of grep.",
    "I'll use the read tool first",
    "I used sed instead of the edit tool",
    "The function returns null instead of throwing",
    "It printed 5 instead of 6",
    "expected 3, not 4",
    "It's a bug, not a feature",
    "The failure is in the parser, not the lexer",
    "Maybe we could use Redis instead of memory",
    "We might switch from npm to pnpm",
    "I don't know why it fails",
    "Don't worry about the tests",
    "Do you prefer tabs or spaces",
    "Never mind",
    "That never happens",
    "The test never finishes",
    "The server always crashes on start",
    "It must be a race condition",
    "No errors found",
    "No tests were run",
    "Iterate over the list",
    "We sent JSON over HTTP",
    "Use the search box to find the page",
    "The server is not running",
    "The variable is not used anywhere else, right?",
    "All tests pass now.",
    "Let me check whether we use moment",
    "I think we should consider gRPC",
    "keep going",
    "Fixed the typo in the README",
    "We have not decided to use Kafka",
    "The build failed because the lock file is old",
    "",
    "...",
    "Run the tests",
    "Use it instead",
    "If you need help, ask",
    "We tried Redis instead of memory",
];

#[test]
fn decisions_are_taken_apart() {
    let mut wrong = Vec::new();
    for (sentence, polarity, subject, chosen, rejected, rationale) in DECISIONS {
        let Some(c) = parse(sentence) else {
            wrong.push(format!("{sentence}\n    found nothing"));
            continue;
        };
        let got = (c.polarity, c.subject.as_str(), c.chosen.as_str(), c.rejected.join("|"), c.rationale.as_str());
        if got != (*polarity, *subject, *chosen, (*rejected).to_owned(), *rationale) {
            wrong.push(format!("{sentence}\n    {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), DECISIONS.len(), wrong.join("\n"));
}

#[test]
fn what_decides_nothing_gives_nothing() {
    let found: Vec<_> = NO_DECISIONS.iter().filter_map(|s| Some((s, parse(s)?))).collect();
    assert!(found.is_empty(), "{} of {}: {found:#?}", found.len(), NO_DECISIONS.len());
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "\\PC{0,120}", words in "(use|not|never|instead of|`|,|;|must|is|x|\\.| ){0,30}") {
        for text in [text, words] {
            if let Some(claim) = parse(&text) {
                proptest::prop_assert!(!claim.chosen.is_empty() || !claim.rejected.is_empty());
                proptest::prop_assert!(claim.rejected.iter().all(|r| !r.is_empty()));
            }
            proptest::prop_assert!(!super::values_differ(&text, &text));
        }
    }
}

#[test]
fn odd_texts_are_read_without_harm() {
    for text in [
        "`",
        "\"use",
        "use",
        "never",
        "instead of",
        ", not ,",
        "use \u{4e2d}\u{6587} instead of \u{65e5}",
        "a;b;;",
        "**",
        "must",
    ] {
        let _ = parse(text);
    }
    assert!(parse(&"use a instead of b ".repeat(500)).is_none());
}

/// Sentences of the kinds that sessions are full of, and that an earlier version took for decisions.
const REPORTS: &[&str] = &[
    "Fixed the dialog not closing on escape",
    "Fixed tools not being listed after a restart",
    "- `x.md` \u{2192} NOT parsed",
    "make lint - no lint warnings",
    "Docs only, no code changes.",
    "No temporary branch exists for this commit",
    "**No cached entry:**",
    "Only the last line changed.",
    "Only `config.json` exists in that folder",
    "The installer always writes to the home folder",
    "The hooks don't run twice.",
    "Startup no longer blocks the window",
    "If the flag is set, uses the local binary",
    "Uses a constant for the message",
    "Use the installed binary: `tool --local`",
    "Select another item and run it again",
    "Replaced six separate assertions in the parser tests with one comparison of the whole text",
    "Update the examples to use `new.log` instead of `old.log`",
    "A wrong file was read (a.md instead of b.md)",
    "| Missing page | Always use the cursor |",
];

#[test]
fn reports_of_work_are_no_decisions() {
    let found: Vec<_> = REPORTS.iter().filter_map(|s| Some((s, parse(s)?))).collect();
    assert!(found.is_empty(), "{} of {}: {found:#?}", found.len(), REPORTS.len());
}
