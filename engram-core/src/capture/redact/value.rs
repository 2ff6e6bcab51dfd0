//! Whether a value can be a secret: not a placeholder, not code, not a word.

/// What stands around a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// Between quotes or tags.
    Quoted,
    /// After `NAME=` of a shell or an environment file.
    Environment,
    /// Unquoted: code, YAML, a query.
    Bare,
    /// In running text or after a command's flag.
    Spoken,
}

/// How much a name promises about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// A password: any literal will do.
    Password,
    /// A generated token or key.
    Token,
    /// Something that often is no secret (`auth`, `sig`, a cookie): only long generated values.
    Vague,
}

/// Words that stand for a secret in examples, schemas and code.
const STAND_INS: &[&str] = &[
    "string",
    "str",
    "text",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "required",
    "optional",
    "hidden",
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "boolean",
    "number",
    "changeme",
    "change_me",
    "bearer",
    "basic",
    "empty",
    "default",
    "unset",
    "disabled",
    "enabled",
    "current",
    "invalid",
    "wrong",
];
const PLACEHOLDER_PARTS: &[&str] = &[
    "your",
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "xxxx",
    "...",
    "****",
    "dummy",
    "<",
    "insert-",
    "replace-",
    "replace_",
    "todo",
    "0000000000",
    "1234567890abcdef",
];

/// Whether `v` stands for a secret instead of being one.
pub(super) fn is_placeholder(v: &str) -> bool {
    let v = v.trim();
    if v.is_empty() || v.starts_with(['$', '{', '<', '%', '[', '*', '#']) {
        return true;
    }
    let first = v.as_bytes()[0];
    if v.bytes().all(|b| b == first) {
        return true;
    }
    let lower = crate::text::clip(v, 256).to_ascii_lowercase();
    STAND_INS.contains(&lower.as_str()) || PLACEHOLDER_PARTS.iter().any(|p| lower.contains(p))
}

/// Whether `v`, found where `setting` says under a name that promises `promise`, is a secret.
pub(super) fn is_secret(v: &str, promise: Promise, setting: Setting) -> bool {
    if is_placeholder(v) || v.contains("${") || v.contains("{{") || v.contains("$(") {
        return false;
    }
    let spaced = v.contains([' ', '\t']);
    match (promise, setting) {
        (Promise::Vague, _) => v.len() >= 20 && is_mixed(v) && !is_path(v) && !is_identifier(v) && !spaced,
        (Promise::Password, Setting::Quoted) => v.len() >= 6 && !spaced && !is_dotted_words(v),
        (Promise::Password, Setting::Environment) => v.len() >= 4 && !is_path(v) && !v.contains('('),
        (Promise::Password, Setting::Bare) => v.len() >= 6 && is_mixed(v) && !is_code(v) && !is_path(v),
        (Promise::Token, Setting::Quoted) => v.len() >= 8 && is_mixed(v) && !spaced && !is_dotted_words(v),
        (Promise::Token, Setting::Environment) => v.len() >= 8 && !is_path(v) && (is_mixed(v) || v.len() >= 20),
        (Promise::Token, Setting::Bare) => v.len() >= 12 && is_mixed(v) && !is_code(v) && !is_path(v),
        (_, Setting::Spoken) => v.len() >= 8 && is_generated(v) && !is_code(v) && !is_path(v),
    }
}

/// Letters and digits together.
pub(super) fn is_mixed(v: &str) -> bool {
    v.bytes().any(|b| b.is_ascii_digit()) && v.bytes().any(|b| b.is_ascii_alphabetic())
}

/// Letters and digits, and either both cases or a symbol inside: what people do not write as a word.
fn is_generated(v: &str) -> bool {
    let both_cases = v.bytes().any(|b| b.is_ascii_uppercase()) && v.bytes().any(|b| b.is_ascii_lowercase());
    let symbol = v.bytes().any(|b| b"!@#$%^&*~+=?".contains(&b));
    is_mixed(v) && (both_cases || symbol || (v.len() >= 24 && v.bytes().all(|b| b.is_ascii_alphanumeric())))
}

/// `self.config.token2`, `Type::new(`, `fetch(x)`: an expression.
fn is_code(v: &str) -> bool {
    v.contains(['(', ')', '[', ']', '{', '}', '$', '`']) || v.contains("::") || v.contains("->") || is_identifier(v)
}

/// Dotted identifiers whose only digits trail.
fn is_identifier(v: &str) -> bool {
    v.split('.').all(|part| {
        let name = part.trim_end_matches(|c: char| c.is_ascii_digit());
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
    }) && (v.contains(['.', '_']) || !v.ends_with(|c: char| c.is_ascii_digit()))
}

fn is_path(v: &str) -> bool {
    // A random value may begin with a slash; its parts do not read like names.
    let random = |part: &str| part.len() >= 12 && is_generated(part);
    let rooted = v.starts_with(['/', '~']) && !v.contains(['+', '=']) && !v.split('/').any(random);
    (rooted && v.matches('/').count() >= 2) || v.starts_with("./") || v.starts_with("../") || v.contains("://")
}

/// `auth.password.reset`: a key of translations or settings.
fn is_dotted_words(v: &str) -> bool {
    v.contains('.') && v.bytes().all(|b| b.is_ascii_lowercase() || b == b'.' || b == b'_' || b == b'-')
}
