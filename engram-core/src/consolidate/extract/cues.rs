//! The words by which memories are told from talk: tables, in the form of [`super::sentence::normal`].

/// The agent names what it chose against what.
pub(super) const CONTRAST: &[&str] = &[
    "instead of", "rather than", "no longer", "in favor of", "in favour of", "as opposed to", "switched from",
    "switched to", "replaced by", "replaced with", "in place of", "decided", "chose", "chosen", "settled on", "opted",
    "went with", "intentionally", "deliberately", "on purpose", "by design", "declined", "reverted", "renamed",
    "single source of truth", "not needed", "never", "always", "must", "must not", "moved to", "moved from",
    "moved into", "kept as is", "left as is", "backward compat*", "backwards compat*", "point in time", "code arrow code", "only ever", "was previously", "used to", "instead", "not the", "canonical", "read only",
];

/// Weaker signs of a choice: two of them, or one beside a reason.
pub(super) const CHOICE: &[&str] = &[
    "only", "kept", "keeps", "keeping", "keep", "preserve*", "removed", "dropped", "replaced", "replaces", "replaces",
    "moved", "without", "now uses", "now returns", "now accepts", "merged", "unchanged", "default*", "agnostic",
    "simplified", "consolidated", "skips", "stays", "stay", "unlike", "separate", "shared", "validat*", "allowed",
    "requires", "fixed", "hardened", "capped", "cap", "limit*",
];

/// A reason is given.
pub(super) const REASON: &[&str] = &[
    "because", "since", "so that", "due to", "in order to", "to avoid", "to prevent", "to keep", "to ensure",
    "otherwise", "given that", "as it", "for backward*", "as the", "this means", "the reason", "hence", "therefore",
];

/// Something was found out, said in so many words.
pub(super) const FOUND: &[&str] = &[
    "root cause", "root causes", "turns out", "turned out", "the issue was", "the problem was", "the bug was",
    "the cause was", "caused by", "discovered", "found that", "tested and found", "notable", "gotcha", "key discovery",
    "fails because", "failed because", "broke because", "race condition", "which causes", "which caused", "so it never",
    "was because", "did not catch", "didnt catch", "only happens", "which leaked", "merges with", "undocumented",
];

/// Something behaves in a way that one would not expect.
pub(super) const SURPRISE: &[&str] = &[
    "note that", "caveat", "fails when", "fails if", "deadlock*", "only works", "only runs", "does not run", "doesnt run",
    "doesnt", "do not", "does not", "not supported", "does not support", "doesnt support", "silently", "leaks", "leaked", "was missing",
    "were missing", "was dropped", "never called", "was never", "limitation", "workaround", "incorrectly", "wrongly",
    "stale", "is because", "must be set", "needs the", "needed because", "already exists", "only relevant", "duplicates",
    "needs code", "requires code",
];

/// A cause is named, not a mending.
pub(super) const CAUSE: &[&str] =
    &["root cause", "caused by", "the issue was", "the problem was", "the bug was", "was because", "the cause"];

/// Something was mended.
pub(super) const FIXED: &[&str] = &[
    "fix", "fixes", "fixed", "the fix", "resolved", "corrected", "root cause", "was caused", "the issue", "the problem",
    "bug", "now correctly", "now properly", "no longer", "main bug fix", "repaired", "solved", "patched",
];

/// Words of a user who reports that something is wrong.
pub(super) const PROBLEM: &[&str] = &[
    "bug", "bugs", "fail", "fails", "failing", "failed", "failure", "error", "errors", "broken", "breaks", "broke", "crash*",
    "wrong", "incorrect", "does not", "doesnt", "do not work", "dont work", "not work*", "isnt", "is not", "cannot",
    "cant", "couldnt", "could not", "delay", "slow", "hangs", "stuck", "leak*", "missing", "not recognized",
    "not recognised", "severity", "regression", "conflict*", "false positive*", "wont", "not found", "duplicate*",
    "inconsistent", "inconsistenc*", "stale", "root cause*", "flaky", "ignored", "never",
];

/// The user lays down a rule.
pub(super) const RULE: &[&str] = &[
    "never", "always", "must", "must not", "mustnt", "should not", "shouldnt", "should only", "should be", "should have",
    "should use", "should stay", "should still", "dont", "do not", "make sure", "ensure", "no longer", "ever", "only",
    "has to", "have to be", "not allowed", "from now on", "every time", "whenever", "in general", "please avoid", "avoid",
    "should live", "should go", "should return",
];

/// Without one of these a wish is only a task.
pub(super) const BINDING: &[&str] = &[
    "instead", "rather than", "prefer*", "go with", "going with", "stick to", "stick with", "better to", "we decided",
    "we agreed", "we chose", "i decided", "never", "always", "must", "must not", "should not", "shouldnt",
    "should only", "must only", "only use", "use only", "no longer", "ever", "should be", "should use", "should have", "should stay", "should still",
    "from now on", "every time", "whenever", "avoid", "not allowed", "we use", "we want", "in favor of", "we dont",
    "should live", "should go", "should return", "has to", "ensure", "make sure", "keep", "rename*",
    "we should", "it should", "they should", "should also", "should call", "deprecated", "the pattern is", "the pattern was",
    "the convention is", "no longer needed", "no longer supported", "make it", "useful feature",
];

/// The user thinks aloud: nothing is laid down.
pub(super) const MUSING: &[&str] = &[
    "thinking of", "playing with", "an idea", "idea i", "validate with you", "basically", "wondering", "maybe", "probably",
    "i guess", "i feel", "not sold", "not sure", "strategize", "brainstorm*", "what if", "could be", "might be", "i wonder",
    "i am thinking", "im thinking", "curious", "perhaps", "could also", "i would even", "in theory", "i like the",
];

/// Words that bind whatever else is said.
pub(super) const STRONG: &[&str] = &[
    "instead", "rather than", "never", "always", "must", "must not", "should not", "shouldnt", "should only", "no longer",
    "ever", "from now on", "every time", "whenever", "prefer*", "we decided", "we agreed", "we chose", "not allowed", "avoid",
    "in favor of", "stick with", "stick to", "deprecated", "the pattern is", "the pattern was", "the convention is",
];

/// How work is done in general.
pub(super) const GENERAL: &[&str] = &[
    "always", "never", "from now on", "every time", "whenever", "in general", "dont forget", "do not forget",
    "before making", "before you", "after you", "when you", "each time", "by default you", "in the future", "remember to",
    "ever",
];

/// Matters of the agent's conduct.
pub(super) const CONDUCT: &[&str] = &[
    "commit*", "push*", "branch*", "pull request*", "pr", "prs", "test", "tests", "comment*", "lint*", "format*", "ask",
    "explain", "answer*", "summary", "summar*", "changelog*", "docs", "emoji*", "confirm*", "permission", "review*", "you",
];

/// The user sets the agent right.
pub(super) const CORRECTION: &[&str] = &[
    "should not", "shouldnt", "not what", "wrong", "i meant", "actually", "wait", "that is not", "thats not", "this is not",
    "you forgot", "still", "incorrect", "undo", "revert", "as before", "it was fine", "why did you", "does not", "doesnt",
    "not correct", "instead", "i said", "i asked",
];

/// What only drives the work on.
pub(super) const PROCEDURE: &[&str] = &[
    "commit", "push", "pull", "merge", "get back", "continue", "proceed", "go ahead", "lets pause", "lets see",
    "lets start", "lets try", "lets continue", "check the", "take a look", "look at", "open a", "create a pr", "draft pr",
    "help me", "can you explain", "tell me", "show me", "try again", "run the test", "run the tests", "rerun", "re run",
    "retry", "let me know", "wait for", "stash", "rebase", "checkout", "i am wondering", "just wondering", "lets get",
    "lets do it", "lets go",
];

/// A rule word that is none.
pub(super) const NO_RULE: &[&str] = &[
    "dont know", "dont think", "dont understand", "dont see", "dont get", "dont worry", "dont have to", "do not know",
    "do not think", "i only", "not sure", "i dont need to", "so i dont", "dont mind", "if you dont", "the only thing",
    "not only", "i never", "have you ever", "should be fine", "should be good", "should be ok", "should be easy",
    "should have been", "dont want me", "why dont",
];

/// The user states a fact to be kept in mind.
pub(super) const KEEP_IN_MIND: &[&str] = &["have in mind", "keep in mind", "bear in mind", "remember that", "note that", "be aware"];

/// The beginning of what the agent says to go on, to offer or to instruct; none of it is memory.
pub(super) const TALK: &[&str] = &[
    "let me", "now let", "now i", "now lets", "i will", "ill", "im going to", "im on", "i can", "would you", "do you", "want me",
    "shall i", "should i", "if you", "let me know", "feel free", "you can", "you could", "you may", "you might",
    "youre right", "youre absolutely", "you are right", "you re", "your", "ready", "all tests", "tests pass", "all done",
    "done", "perfect", "great", "excellent", "good", "committed", "commit success*", "commit code", "pushed", "pr created",
    "pr code", "draft pr", "here s", "heres", "here is", "here are", "looks", "next", "im", "once you", "to run", "to test",
    "run", "restart", "add to your", "copy", "step", "try", "check", "see", "first", "what would", "which", "what do", "what",
    "want", "everything", "all of", "success", "completed", "no response", "got it", "on code", "on main", "everything is",
    "start", "open", "reply", "both work", "uh oh", "interesting", "thats a", "that s a", "sure", "yes", "no ", "okay", "ok",
    "wait", "hmm", "the changes are", "the code has been", "all changes", "all code", "all docs", "in summary", "summary",
    "verified", "verification", "i have", "ive", "updated test", "added test", "all existing", "all 4", "all 6", "all 8",
    "otherwise", "please", "consider", "maybe", "perhaps", "thanks", "sorry",
];

/// How a decision is announced, on the rare occasions when it is.
pub(super) const ANNOUNCED: &[&str] = &[
    "we decided", "we have decided", "decided to", "we chose", "chose to", "we agreed", "agreed to", "we settled on",
    "decision is",
];

/// Nothing is settled.
pub(super) const OPEN_MIND: &[&str] = &[
    "would be", "would need", "would you", "would like", "would require", "would suggest", "i would", "this would", "would then",
    "could", "might", "maybe", "perhaps", "should", "option", "options", "pros", "cons", "recommend*", "suggest*",
    "i think", "we hope", "propose*", "proposal", "ideally", "potential*", "likely", "probably", "consider", "youd", "whether",
    "tradeoff*", "idea", "if you", "you need", "you want", "you can", "youll", "let me", "want me",
];

/// Results and bookkeeping.
pub(super) const BOOKKEEPING: &[&str] = &[
    "tests pass", "test pass", "all pass", "all passing", "tests passing", "lint clean", "lint is clean", "typecheck clean",
    "files changed", "insertions", "deletions", "pushed to", "lines removed", "commit succeeded", "tests added",
    "changelog*", "unit tests for", "integration tests in", "ready to commit", "ready to merge", "clean to merge",
    "pre commit", "up to date", "fix is working", "validation passed", "validation run", "executed successfully", "files touched", "current state", "change is working", "works now", "replied to", "on the pr", "coverage threshold", "what would you", "no code changes", "see above", "as requested", "coverage", "net reduction",
];

/// Headings over lists of choices.
pub(super) const CHOICES: &[&str] =
    &["option", "options", "pros", "cons", "would", "could", "recommend*", "want me", "you have", "ways", "alternatives", "which should you use"];

/// Headings over instructions and examples.
pub(super) const MANUAL: &[&str] = &["how to use*", "usage", "to run", "setup", "example", "examples", "next*", "what to look for", "problem"];

/// Work that was left.
pub(super) const LEFT: &[&str] = &[
    "not yet", "still need*", "still fail*", "still to be", "remains to", "remain to", "deferred", "out of scope", "left for",
    "not covered", "not tested", "untested", "could not", "couldnt", "unable to", "should be added", "needs to be", "todo",
    "to do", "follow up", "followup", "was not run", "didnt run", "did not run", "not implemented", "remaining work",
    "future work", "known limitation", "known issue", "not addressed", "pre existing fail*", "needs integration", "postponed",
    "leave it for", "not verified",
];

/// Headings over lists of work that was left.
pub(super) const LEFT_HEADINGS: &[&str] = &[
    "next step", "next steps", "remaining", "todo", "not done", "known limitation*", "known issue*", "follow up",
    "follow ups", "followup", "deferred", "outstanding", "future work", "still open", "open item*", "open question*",
    "unresolved", "not implemented", "what s left", "whats left", "open challenge*", "left to do", "out of scope",
];

/// Headings in a plan under which decisions stand.
pub(super) const PLAN_DECISIONS: &[&str] = &[
    "decision*", "constraint*", "rule*", "principle*", "trade off*", "tradeoff*", "key difference*", "non goal*", "out of scope",
];

/// Headings in a plan under which causes stand.
pub(super) const PLAN_CAUSES: &[&str] = &["root cause*", "problem", "the bug", "cause", "why"];

/// Words that say nothing about what a list is about.
pub(super) const EMPTY_WORDS: &[&str] = &[
    "summary", "change", "changes", "changed", "made", "key", "update", "updates", "updated", "file", "files", "created",
    "modified", "new", "implementation", "implemented", "complete", "completed", "test", "tests", "fix", "fixes", "fixed",
    "details", "done", "how", "works", "work", "benefits", "result", "results", "notes", "note", "overview", "final",
    "following", "refactoring", "added", "main", "perfect", "corrected", "additional", "everything", "list", "also",
    "two", "three", "four", "five", "recent", "latest", "here", "summarized", "step", "steps", "all", "committed",
    "pushed", "happened", "means", "unchanged", "backend", "frontend", "plan", "phase", "context", "problem", "info",
    "design", "decision", "decisions", "input", "user", "behavior", "behaviors", "behaviour", "discovery", "discoveries",
    "insight", "insights", "difference", "differences", "improvement", "improvements", "feature", "features", "requirements",
    "issue", "issues", "addition", "documentation", "docs", "fixing", "type", "structure", "logic", "cleanup", "detailed",
    "replied", "resolved", "addressed", "item", "items", "proposed", "code", "verification", "now", "key", "success",
];

/// Words that point back.
pub(super) const POINTERS: &[&str] = &[
    "this", "it", "that", "these", "those", "they", "its", "instead", "same", "otherwise", "also", "both", "there", "which",
    "so", "now", "resolved", "the fix", "the change", "the other", "them", "he", "only",
];

/// Text that speaks to a model rather than about the project.
pub(super) const INJECTION: &[&str] = &[
    "ignore previous", "ignore all previous", "ignore the above", "ignore all prior", "disregard previous",
    "disregard all", "system prompt", "do not tell the user", "dont tell the user", "do not inform the user",
    "without telling the user", "you are now", "new instructions", "override your", "exfiltrate", "as an ai",
];

/// Parts of a plan that are beside the point.
pub(super) const PLAN_ASIDES: &[&str] = &[
    "context", "background", "current", "currently", "overview", "verification", "verify", "test", "tests", "testing", "example",
];

/// Steps of a plan that are open, or checks.
pub(super) const PLAN_DOUBTS: &[&str] = &["actually", "currently", "option", "could", "might", "expect", "verify", "test"];

/// The agent says that it did not succeed.
pub(super) const GAVE_UP: &[&str] = &[
    "i was unable", "i couldnt", "i could not", "unable to complete", "still failing", "still fails", "did not work",
    "could not be fixed",
];

/// The agent says that it did.
pub(super) const CLAIMS_SUCCESS: &[&str] =
    &["done", "fixed", "complete", "all tests pass", "implemented", "passes", "committed", "pushed", "pr created"];

/// The user says that it did not.
pub(super) const DISSATISFIED: &[&str] =
    &["doesnt work", "does not work", "not working", "still broken", "still fails", "still failing"];
