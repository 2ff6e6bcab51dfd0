//! Writes what follows from the table of settings: that of README.md and the types of Node, Python and Go. With `--check` it
//! says whether they are fresh.

use engram_core::config::{Allowed, Config, SETTINGS, Setting, env_name};
use std::process::ExitCode;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A place where the settings stand: the file, what stands before and after them, and how they are written.
struct Place {
    file: &'static str,
    begin: &'static str,
    end: &'static str,
    text: fn() -> String,
}

const PLACES: &[Place] = &[
    Place {
        file: "README.md",
        begin: "<!-- settings: made by `cargo run -p engram-tests --bin settings-tables` -->\n",
        end: "<!-- end of settings -->",
        text: table,
    },
    Place {
        file: "bindings/node/index.d.ts",
        begin: "// engram:config begin\n",
        end: "// engram:config end",
        text: typescript,
    },
    Place {
        file: "bindings/python/python/engram/types.py",
        begin: "# engram:config begin\n",
        end: "# engram:config end",
        text: python,
    },
    Place { file: "bindings/go/config.go", begin: "// engram:config begin\n", end: "// engram:config end", text: go },
];

fn main() -> ExitCode {
    let check = std::env::args().any(|a| a == "--check");
    let stale: Vec<String> = PLACES.iter().filter_map(|place| fresh(place, check).err()).collect();
    for reason in &stale {
        #[allow(clippy::print_stderr, reason = "a developer's tool")]
        {
            eprintln!("error: {reason}");
        }
    }
    if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn fresh(place: &Place, check: bool) -> Result<(), String> {
    let path = format!("{ROOT}/{}", place.file);
    let old = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", place.file))?;
    let (head, rest) = old.split_once(place.begin).ok_or(format!("{} has no place for the settings", place.file))?;
    let (_, tail) = rest.split_once(place.end).ok_or(format!("the settings of {} have no end", place.file))?;
    let new = format!("{head}{}{}{}{tail}", place.begin, (place.text)(), place.end);
    if new == old {
        return Ok(());
    }
    if check {
        return Err(format!(
            "the settings of {} are stale; run cargo run -p engram-tests --bin settings-tables",
            place.file
        ));
    }
    std::fs::write(&path, new).map_err(|e| format!("cannot write {}: {e}", place.file))
}

/// The default in JSON; the budgets have a table of their own.
fn default(s: &Setting) -> Option<String> {
    let defaults = serde_json::to_value(Config::default()).unwrap_or_default();
    (!matches!(s.allowed, Allowed::Budgets)).then(|| defaults[s.name].to_string())
}

fn rule(s: &Setting) -> String {
    let rule = s.allowed.rule();
    rule.strip_prefix("must be ").unwrap_or(&rule).to_owned()
}

/// What a setting is, in one line of documentation.
fn about(s: &Setting) -> String {
    let default = default(s).map_or(String::new(), |d| format!("; default {d}"));
    format!("{}: {}{default}.", s.help, rule(s))
}

fn table() -> String {
    let mut table = String::from(
        "| setting | default | what it may hold | what it does | environment |\n| --- | --- | --- | --- | --- |\n",
    );
    for s in SETTINGS {
        let default = default(s).map_or("see below".to_owned(), |d| format!("`{d}`"));
        table.push_str(&format!("| `{}` | {default} | {} | {} | `{}` |\n", s.name, rule(s), s.help, env_name(s.name)));
    }
    table
}

fn quoted(words: &[&str], separator: &str) -> String {
    words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(separator)
}

fn typescript() -> String {
    let field = |s: &Setting| {
        let form = match s.allowed {
            Allowed::OneOf(words) => quoted(words, " | "),
            Allowed::Number(..) | Allowed::Whole(..) => "number".to_owned(),
            Allowed::Flag => "boolean".to_owned(),
            Allowed::List => "string[]".to_owned(),
            Allowed::Budgets => "InjectionBudget".to_owned(),
            _ => "string".to_owned(),
        };
        format!("  /** {} */\n  {}?: {form};\n", about(s), s.name)
    };
    let fields: String = SETTINGS.iter().map(field).collect();
    format!("/** Settings by name; what is left out has its default. */\nexport interface Config {{\n{fields}}}\n")
}

fn python() -> String {
    let field = |s: &Setting| {
        let form = match s.allowed {
            Allowed::OneOf(words) => format!("Literal[{}]", quoted(words, ", ")),
            Allowed::Number(..) => "float".to_owned(),
            Allowed::Whole(..) => "int".to_owned(),
            Allowed::Flag => "bool".to_owned(),
            Allowed::List => "list[str]".to_owned(),
            Allowed::Budgets => "InjectionBudget".to_owned(),
            _ => "str".to_owned(),
        };
        format!("    # {}\n    {}: {form}\n", about(s), s.name)
    };
    let fields: String = SETTINGS.iter().map(field).collect();
    format!(
        "class Config(TypedDict, total=False):\n    \"\"\"Settings by name; what is left out has its default.\"\"\"\n\n{fields}\n\n"
    )
}

fn go() -> String {
    let field = |s: &Setting| {
        let form = match s.allowed {
            Allowed::Number(..) => "*float64",
            Allowed::Whole(..) => "*uint64",
            Allowed::Flag => "*bool",
            Allowed::List => "[]string",
            Allowed::Budgets => "*InjectionBudget",
            _ => "string",
        };
        let name = format!("{}{}", s.name[..1].to_uppercase(), &s.name[1..]).replace("Ms", "MS").replace("Url", "URL");
        let name = name.replace("Llm", "LLM");
        format!("\t// {}: {}\n\t{name} {form} `json:\"{},omitempty\"`\n", name, about(s), s.name)
    };
    let fields: String = SETTINGS.iter().map(field).collect();
    format!("// Config holds settings; what is left out has its default.\ntype Config struct {{\n{fields}}}\n\n")
}
