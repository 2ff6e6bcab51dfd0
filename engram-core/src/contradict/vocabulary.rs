//! Word lists that the reading of decisions uses.

#[rustfmt::skip]
pub(crate) const NEGATIONS: &[&str] = &[
    "not", "never", "neither", "nor", "cannot", "can't", "don't", "doesn't", "mustn't", "shouldn't", "won't", "isn't",
    "aren't", "no-one", "nobody", "nothing",
];

#[rustfmt::skip]
pub(crate) const BANNED: &[&str] = &[
    "dropped", "retired", "abandoned", "replaced", "superseded", "removed",
    "avoided", "forbidden", "banned", "prohibited", "disallowed", "rejected", "off-limits", "discouraged",
    "deprecated", "unwanted", "illegal", "out", "verboten", "unacceptable",
];

/// Words that forbid what follows them.
#[rustfmt::skip]
pub(crate) const FORBIDDING: &[&str] = &[
    "no", "without", "avoid", "avoids", "avoiding", "forbid", "forbids", "ban", "bans", "disallow", "disallows",
    "prohibit", "prohibits", "reject", "rejects", "rejected", "replaces", "replace", "replaced", "replacing",
];

/// Verbs that mean no more than "use".
#[rustfmt::skip]
pub(crate) const USING: &[&str] = &[
    "commit", "committed", "rendered", "launched", "managed", "started", "saved", "found", "shipped", "installed",
    "merged", "use", "used", "using", "uses", "add", "added", "adding", "allow", "allowed", "permit", "permitted",
    "accept", "accepted", "introduce", "introduced", "call", "called",
    "calling", "calls", "adopt", "adopted", "rely", "relies", "require", "required", "requires",
    "include", "included", "contain", "contains", "have", "has", "reach", "touch", "touches", "access", "accessed",
    "accesses", "present", "needed", "welcome", "ok", "okay", "fine", "employed", "invoked", "invoke", "enabled",
    "enable", "run", "runs", "set", "be", "written", "write", "writes", "declared", "declare", "defined", "define",
    "done", "built", "created", "create", "put", "placed", "pull", "pulled", "talk", "go", "goes", "come", "kept",
    "deploy", "deployed", "store", "stored", "represented", "represent", "made", "make", "left", "leave", "end",
    "take", "taken", "hold", "held", "load", "loaded",
];

/// Verbs whose place is what counts: "never kept in X".
#[rustfmt::skip]
pub(crate) const PLACING: &[&str] = &[
    "kept", "stored", "saved", "put", "placed", "written", "persisted", "cached", "held", "sent", "passed", "exposed",
];

#[rustfmt::skip]
pub(crate) const STOPS: &[&str] = &[
    "unless", "except", "if", "when", "outside", "until", "because", "so", "but", "instead", "since", "while",
    "whose", "which", "that", "where", "after", "before", "even", "and", "than",
];

#[rustfmt::skip]
pub(crate) const SCOPES: &[&str] = &[
    "in", "on", "at", "for", "inside", "within", "during", "under", "across", "from", "to", "by", "into", "onto",
];

#[rustfmt::skip]
pub(crate) const INSTEAD: &[(&str, &str)] = &[
    ("instead", "of"), ("rather", "than"), ("away", "from"), ("free", "of"), ("in", "place"), ("stop", "using"),
    ("stopped", "using"), ("as", "opposed"),
];

#[rustfmt::skip]
pub(crate) const FINITE: &[&str] = &[
    "is", "are", "was", "were", "must", "should", "shall", "may", "can", "will", "use", "uses", "has", "have", "goes",
    "go", "it", "they", "we", "always", "only", "never", "not", "no", "instead", "prefer", "every", "each", "all",
    "need", "needs", "then", "do", "does", "call", "calls", "keep", "keeps", "run", "runs", "comes", "belongs",
    "stays",
];

/// Nouns that say what sort of thing a name is, and adjectives that say no more than "this".
#[rustfmt::skip]
pub(crate) const FILLERS: &[&str] = &[
    "anything", "something", "layer", "layers", "namespace", "directory", "folder", "side", "part", "everything",
    "macro", "macros", "function", "functions", "call", "calls", "library", "libraries", "package", "packages",
    "module", "modules", "statement", "statements", "method", "methods", "keyword", "keywords", "operator",
    "operators", "standard", "plain", "raw", "direct", "directly", "new", "native", "bare", "any", "other", "such",
    "own", "external", "common", "all", "code", "codebase", "project", "use", "usage", "using", "ever", "again", "at",
    "this", "anywhere", "dependency", "dependencies", "else", "both", "either", "still", "simply", "kind", "sort",
    "type", "types", "thing", "things", "crate", "crates", "framework", "object", "objects", "class", "classes",
    "feature", "features", "file", "files", "existing", "automatically", "written", "manually", "hand", "explicit",
    "implicit", "explicitly", "implicitly", "needed", "third", "party", "as", "with", "must", "should", "may", "can",
    "user", "users", "value", "values", "data", "name", "names", "line", "lines", "change", "changes",
];

/// Single words that are on too many lines to mean the decision's thing.
#[rustfmt::skip]
pub(crate) const COMMON: &[&str] = &[
    "select", "from", "where", "insert", "delete", "root", "guard", "assertion", "mutable", "network", "package",
    "level",
    "sql", "html", "css", "json", "http", "xml", "yaml", "ui", "io", "os", "db", "ci", "utc", "rest", "dom", "error",
    "errors", "test", "tests", "service", "services", "request", "requests", "response", "client", "server", "model",
    "string", "strings", "number", "list", "map", "array", "result", "results", "option", "default", "config",
    "state", "view", "page", "app", "api", "key", "id", "item", "items", "event", "events", "field", "fields",
    "column", "columns", "table", "tables", "row", "rows", "record", "message", "messages", "input", "output", "path",
    "paths", "url", "time", "date", "task", "job", "process", "read", "write", "run", "start", "stop", "end",
    "return", "import", "export", "public", "private", "static", "const", "let", "true", "false", "null", "none",
    "self", "log", "print", "version", "update", "create", "check", "device", "devices", "integration",
    "integrations", "release", "branch", "comment", "comments", "work", "logic", "element", "component", "components",
    "parameter", "parameters", "argument", "arguments", "variable", "variables", "container", "image", "images",
    "query", "queries", "user", "script", "scripts", "node", "resource", "resources", "screen", "layer", "domain",
    "handler", "handlers", "controller", "controllers", "database", "set", "get", "text", "color", "colour", "style",
    "styles", "step", "steps", "migration", "migrations", "tag", "tags", "secret", "secrets", "password", "passwords",
    "token", "tokens", "account", "role", "tabs", "spaces", "space", "tab", "permission", "index", "constraint",
    "lock", "unit", "units", "memory", "address", "network", "port", "host", "volume", "rule", "rules", "logging",
];

/// Words of a decision that binds every use.
#[rustfmt::skip]
pub(crate) const BINDING: &[&str] = &[
    "always", "must", "every", "each", "wherever", "whenever", "only", "all", "any", "through", "mandatory",
    "required",
    "start", "starts", "begin", "begins", "has", "have", "declare", "declares", "carry", "carries", "stay", "stays",
    "keep", "keeps", "goes", "go",
];

/// Verbs that say more than "use", in the form that follows "never".
#[rustfmt::skip]
pub(crate) const BASE_VERBS: &[&str] = &[
    "import", "imports", "depend", "log", "print", "assign", "mutate", "modify", "commit", "delete", "remove", "drop",
    "edit", "change", "rename", "catch", "throw", "raise", "return", "expose", "leak", "send", "block", "hardcode",
    "hard-code", "overwrite", "mock", "skip", "disable", "swallow", "ignore", "cache", "pass", "read", "spawn",
    "start", "break", "logs", "mutates", "deletes", "edits", "returns", "assigns", "throws", "catches",
];

/// Acronyms and names that are the subject of too many lines to be missed on one.
#[rustfmt::skip]
pub(crate) const GENERAL: &[&str] = &[
    "api", "http", "https", "json", "sql", "html", "css", "url", "uuid", "xml", "ui", "id", "ci", "cli", "rest",
    "date", "string", "node", "python", "java", "rust", "go", "typescript", "javascript", "github", "docker", "linux",
    "windows", "orm", "sdk", "http2", "cpu", "yaml",
];

/// Words of a decision that picks one of several.
#[rustfmt::skip]
pub(crate) const CHOOSING: &[&str] = &[
    "use", "uses", "used", "using", "only", "one", "standard", "standardize", "choose", "chose", "chosen", "prefer",
    "prefers", "all", "always", "every", "must", "instead", "with", "through", "adopt", "adopted", "single",
    "exclusively", "written", "built", "stick",
];

/// Notions whose code is so common that its going says nothing.
#[rustfmt::skip]
pub(crate) const IDLE: &[&str] = &[
    "logging", "network access", "threads", "child processes", "null", "classes", "inheritance", "floating point",
    "an end that can be awaited", "printing", "blocking calls", "exceptions", "spaces", "tabs",
    "the process environment", "mocks", "a bounded result", "YAML configuration",
];
