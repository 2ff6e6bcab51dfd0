//! The words that the forms of decisions are told apart by.

/// Words at the start of what is asked, not said.
pub(super) const QUESTIONS: &[&str] = &[
    "should", "could", "can", "would", "shall", "what", "why", "how", "which", "whether", "is", "are", "does", "did",
    "has", "have", "will", "who", "was", "were", "may", "where",
];

/// Words that leave open whether anything was decided.
pub(super) const HEDGES: &[&str] = &[
    "maybe", "perhaps", "might", "could", "would", "undecided", "i'd", "wonder", "wondering", "considering", "thinking",
    "whether", "probably", "possibly", "cannot", "can't", "couldn't", "wouldn't", "try", "trying", "tried", "failed",
    "seems", "seem", "looks", "haven't", "hasn't", "didn't", "unclear", "unsure", "let", "hopefully", "apparently",
];

/// Phrases that do the same.
pub(super) const HEDGING_PHRASES: &[&str] = &[
    "not sure", "not decided", "not yet", "i will|am now", "i'll now", "have not",
];

/// Words after `since` that make it a date.
pub(super) const DATES: &[&str] = &[
    "version", "then", "last", "yesterday", "release", "january", "monday", "day",
];

/// Imperatives whose last `as|with|in|through...` names the thing chosen.
pub(super) const DOING: &[&str] = &[
    "store", "write", "run", "return", "throw", "raise", "name", "log", "format", "indent", "sort", "parse",
    "serialize", "serialise", "test", "mock", "deploy", "build", "install", "put", "place", "define", "declare",
    "pass", "validate", "handle", "commit", "wrap", "cache", "encode", "represent", "call", "load", "read", "render",
    "style", "generate", "send", "save", "create", "import", "export", "hash", "sign", "encrypt",
    "authenticate", "paginate", "query", "count", "measure", "compare", "treat", "model", "implement", "propagate",
    "inject", "stub", "release", "ship", "keep", "persist", "expose", "map", "manage", "document", "compile",
    "schedule", "rebase", "merge", "squash", "retry",
];

/// Participles of the same, for `money is stored as cents`.
pub(super) const DONE: &[&str] = &[
    "stored", "written", "run", "returned", "thrown", "raised", "named", "logged", "formatted", "indented", "sorted",
    "parsed", "serialized", "serialised", "tested", "mocked", "deployed", "built", "installed", "placed", "defined",
    "declared", "passed", "validated", "handled", "wrapped", "cached", "encoded", "represented", "called", "loaded",
    "read", "rendered", "styled", "generated", "sent", "saved", "created", "made", "imported", "exported", "hashed",
    "signed", "encrypted", "authenticated", "paginated", "queried", "done", "kept", "persisted", "exposed",
    "managed", "documented", "compiled", "scheduled", "released", "shipped", "merged", "retried", "set",
    "configured", "written",
];

pub(super) const MEANS: &[&str] = &[
    "as", "with", "in", "through", "via", "by", "using", "from", "on", "at", "into",
];

/// What stands behind a binding word when nothing is bound: `don't worry`, `never mind`, `must have been`.
pub(super) const IDLE: &[&str] = &[
    "worry", "know", "think", "see", "forget", "understand", "need", "want", "mind", "care", "stop", "wait",
    "hesitate", "exist", "get", "seem", "match", "seen", "happened", "happen", "happens", "had", "been", "fail",
    "fails", "failed", "break", "matter", "take", "works", "worked", "work", "finish", "finishes", "reach",
    "reached", "returned", "saw", "believe", "remember", "say", "look", "like", "crash", "crashes", "hang", "hangs",
    "pass", "passes", "terminate", "terminates", "again", "one", "two", "a", "some", "ran", "appear", "appears",
    "show", "shows",
];

/// Subjects that point elsewhere: nothing is said about a thing with a name.
pub(super) const POINTING: &[&str] = &[
    "it\'s", "that\'s", "there\'s", "it", "this", "that", "these", "those", "there", "something", "which", "he",
    "she", "i", "what", "who", "them", "everything", "nothing", "both", "here's", "your", "my", "here", "its", "one", "ones",
    "following", "above", "below", "same", "other", "another",
];

/// Finite verbs: a bare `X, not Y` that holds one is a statement of fact.
pub(super) const FACTS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "be", "been", "becomes", "become", "returns", "returned", "got", "gets", "failed",
    "fails", "does", "did", "do", "printed", "prints", "shows", "showed", "expected", "happened", "comes", "came",
    "i", "it", "we", "you", "they", "this", "that", "there", "ran", "found", "said", "says", "works", "worked",
];

/// Verbs that `not` belongs to when it follows them.
pub(super) const HELPERS: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "should", "must", "may", "be", "been", "being", "has", "have", "will",
    "can", "so", "or", "why", "if", "to", "but",
];

/// First words of a report of work done: no rule in themselves.
pub(super) const REPORTS: &[&str] = &[
    "fixed", "added", "made", "updated", "changed", "removed", "improved", "simplified", "renamed", "refactored", "now",
    "fix", "update", "change", "result", "wrong", "here's", "simplify", "refactor", "rewrote", "created", "wrote",
];

/// First words of `X over Y` that move, and last ones that carry.
pub(super) const MOVING: &[&str] = &[
    "iterate", "iterates", "loops", "loop", "run", "go", "walk", "map", "hand", "take", "carry", "send", "iterating", "looping", "moved",
    "hover", "start", "passes", "roll", "rolling", "all", "sent", "talk", "speak", "think", "average", "trips",
    "read",
];

pub(super) const CARRIERS: &[&str] = &[
    "http", "https", "http/2", "http/3", "tcp", "udp", "tls", "ssh", "quic", "ipc", "stdio", "websocket",
    "websockets", "network", "wire", "time", "stdin", "grpc", "usb", "it", "them",
];

/// Things reported missing rather than ruled out: `no errors`, `no tests found`.
pub(super) const MISSING: &[&str] = &[
    "errors", "error", "warnings", "changes", "problem", "problems", "issues", "issue", "idea", "need", "matches",
    "match", "tests", "output", "such", "requested", "exists", "exist", "risk", "effect", "impact", "harm", "found", "left", "needed", "yet", "results", "result", "one", "longer",
    "more", "way", "doubt", "reason", "difference", "is", "are", "was", "were", "worries", "thanks", "file",
];

/// Verbs that make a rule out of `X never|always V`.
pub(super) const RULED: &[&str] = &[
    "use", "import", "call", "touch", "write", "read", "log", "depend", "block", "store", "commit", "access",
    "modify", "mutate", "edit", "open", "hold", "contain", "expose", "know", "talk", "go", "live", "carry", "share",
    "bypass", "reach", "send", "start", "spawn", "be", "belong", "stay", "end", "have", "run", "leave", "allocate",
    "panic", "print", "assume", "reference", "own", "include",
];
