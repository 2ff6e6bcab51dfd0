//! What a literal cannot say: small tests of a line that patterns call by name.

use super::diff::{Line, Nature};

type Probe = fn(&Line<'_>) -> bool;

/// The probes by the name that patterns use.
pub(crate) const PROBES: &[(&str, Probe)] = &[
    ("money", money),
    ("hex_colour", hex_colour),
    ("pixels", pixels),
    ("unpinned_action", unpinned_action),
    ("untagged_image", untagged_image),
    ("undigested_image", undigested_image),
    ("loose_version", loose_version),
    ("space_indent", space_indent),
    ("tab_indent", tab_indent),
    ("literal_secret", literal_secret),
    ("shown_text", shown_text),
    ("swallowed", swallowed),
];

/// Runs the probe of that name; an unknown name matches nothing (a test checks the tables).
pub(crate) fn run(name: &str, line: &Line<'_>) -> bool {
    PROBES.iter().find(|(n, _)| *n == name).is_some_and(|(_, p)| p(line))
}

const MONEY: &[&str] = &[
    "money", "price", "prices", "amount", "amounts", "total", "subtotal", "balance", "cost", "fee", "fees", "tax",
    "vat", "salary", "payment", "discount", "cents", "currency", "invoice", "charge", "refund", "payout",
];

fn money(line: &Line<'_>) -> bool {
    line.words.iter().any(|w| MONEY.contains(&w.as_str()))
}

/// `#fff`, `#a1b2c3`: a hash and 3, 4, 6 or 8 hexadecimal digits.
fn hex_colour(line: &Line<'_>) -> bool {
    line.text.split('#').skip(1).any(|rest| {
        let digits = rest.chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
        [3, 4, 6, 8].contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_hexdigit())
    })
}

fn pixels(line: &Line<'_>) -> bool {
    let bytes = line.text.as_bytes();
    (2..bytes.len()).any(|i| {
        let ends = bytes.get(i + 1).is_none_or(|b| !b.is_ascii_alphanumeric());
        ends && &bytes[i - 1..=i] == b"px" && bytes[i - 2].is_ascii_digit()
    })
}

/// What follows `uses:` (and `@`) of a workflow step of somebody else's.
fn action_reference(text: &str) -> Option<&str> {
    let (_, target) = text.split_once("uses:")?;
    let target = target.trim().trim_matches(['"', '\'']);
    if target.starts_with("./") || target.starts_with("docker:") {
        return None;
    }
    target.split_once('@').map(|(_, r)| r)
}

fn unpinned_action(line: &Line<'_>) -> bool {
    action_reference(&line.text).is_some_and(|r| r.len() < 40 || !r.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The image of a Dockerfile's `FROM` or a manifest's `image:`; build stages, variables and `scratch` are none.
fn image(text: &str) -> Option<&str> {
    let text = text.trim().trim_start_matches("- ");
    let rest = text.strip_prefix("FROM ").or_else(|| text.strip_prefix("image:"))?;
    let word = rest.split_whitespace().find(|w| !w.starts_with("--"))?;
    let name = word.trim_matches(['"', '\'']);
    (!name.contains(['$', '{']) && name != "scratch" && name.contains(['/', ':', '.', '@']) || is_base(name))
        .then_some(name)
}

/// A bare word after `FROM` may be a build stage; only names of well-known images are taken for images.
fn is_base(name: &str) -> bool {
    const BASES: &[&str] = &[
        "alpine",
        "ubuntu",
        "debian",
        "node",
        "python",
        "golang",
        "rust",
        "ruby",
        "php",
        "nginx",
        "redis",
        "postgres",
        "mysql",
        "busybox",
        "fedora",
        "centos",
        "openjdk",
        "maven",
        "gradle",
        "httpd",
        "mongo",
        "amazonlinux",
    ];
    BASES.contains(&name)
}

fn untagged_image(line: &Line<'_>) -> bool {
    image(&line.text).is_some_and(|name| {
        let last = name.rsplit('/').next().unwrap_or(name);
        !last.contains([':', '@']) || last.ends_with(":latest")
    })
}

fn undigested_image(line: &Line<'_>) -> bool {
    image(&line.text).is_some_and(|name| !name.contains("@sha256:"))
}

/// `"^1.2"`, `"~> 1"`, `">=2"`, `"*"`, `latest`: a version that moves by itself.
fn loose_version(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    let quoted = ["\"^", "\"~", "\">=", "\"*\"", "\"latest\"", "'^", "'~", "'>=", "'*'"];
    if line.nature != Nature::Import {
        return false;
    }
    let bare = text.contains(">=") && !text.contains('"') && !text.contains('(');
    quoted.iter().any(|q| text.contains(q)) || bare
}

fn space_indent(line: &Line<'_>) -> bool {
    line.raw.starts_with("  ") && !line.raw.trim_start().starts_with('*')
}

fn tab_indent(line: &Line<'_>) -> bool {
    line.raw.starts_with('\t') || line.raw.trim_start_matches(' ').starts_with('\t')
}

const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "accesskey",
    "private_key",
    "token",
    "client_secret",
    "credential",
];
const SECRET_SHAPES: &[&str] = &["-----BEGIN ", "AKIA", "ghp_", "github_pat_", "sk_live_", "xoxb-", "AIza", "glpat-"];
const REFERENCES: &[&str] =
    &["${", "$(", "secrets.", "env", "Env", "ENV", "vault", "Vault", "valueFrom", "var.", "{{", "getenv", "<"];

/// A secret's name with a literal value beside it, or a value of a well-known shape.
fn literal_secret(line: &Line<'_>) -> bool {
    if SECRET_SHAPES.iter().any(|s| line.text.contains(s)) {
        return true;
    }
    let lower = line.text.to_lowercase();
    let named = SECRET_NAMES.iter().find_map(|n| lower.find(n).map(|at| &lower[at + n.len()..]));
    let Some(after) = named else { return false };
    let name_end = after.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    let Some(value) = name_end.trim_start_matches(['"', '\'', ']']).trim_start().strip_prefix([':', '=']) else {
        return false;
    };
    let quoted = value.trim().trim_start_matches([':', '=']).trim();
    let literal = quoted.trim_matches(['"', '\'', ',', ';', '`']);
    let is_text = quoted.starts_with(['"', '\'', '`']) || !literal.contains(['(', '.', ' ']);
    is_text && literal.len() >= 4 && !REFERENCES.iter().any(|r| line.text.contains(r)) && !literal.starts_with('$')
}

/// Text that a person will read, written out in markup or handed to a widget: `>Save changes<`, `Text("Save")`.
fn shown_text(line: &Line<'_>) -> bool {
    const SETTERS: &[&str] =
        &["Text(\"", "setText(\"", "text=\"", "placeholder=\"", "title=\"", "label=\"", "alert(\"", "alert('"];
    let letter = |s: &str| s.trim_start().starts_with(|c: char| c.is_alphabetic());
    let between = line.text.split('>').skip(1).any(|r| r.contains('<') && letter(r) && !r.starts_with(['=', ' ']));
    between || SETTERS.iter().any(|s| line.text.split_once(s).is_some_and(|(_, r)| letter(r)))
}

/// `catch (e) {}`, `except X: pass`, `rescue nil`: a handler with nothing in it.
fn swallowed(line: &Line<'_>) -> bool {
    let tight: String = line.text.chars().filter(|c| !c.is_whitespace()).collect();
    let empty_catch = tight.split("catch").skip(1).any(|r| {
        let after = r.strip_prefix('(').and_then(|r| r.split_once(')')).map_or(r, |(_, a)| a);
        after.starts_with("{}")
    });
    empty_catch || tight.starts_with("except") && tight.ends_with(":pass") || tight.ends_with("rescuenil")
}
