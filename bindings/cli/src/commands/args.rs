//! What can be written on the command line.

use crate::transcripts::Source;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Memory for AI coding agents.
#[derive(Debug, Parser)]
#[command(name = "engram", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(super) struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "Examples:
  engram install                           let the agents on this machine remember
  engram status                            what is remembered, what is pending
  engram query \"why do we store cents?\"    ask the memory
  engram remember \"Use tabs, not spaces\"   tell it something yourself
  engram demo                              see the whole cycle in a minute, in a temporary folder";

/// Options that every command takes.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct Common {
    /// Where engram keeps its data [default: ~/.engram]
    #[arg(long, global = true, env = "ENGRAM_HOME", value_name = "DIR", hide_env_values = true)]
    pub home: Option<PathBuf>,
    /// A directory of the project [default: the working directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Print one JSON value
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only what was asked for, no progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Handle one hook event of a harness: JSON on stdin, answer on stdout, always exit 0
    #[command(after_help = "Example: engram hook claude-code < payload.json")]
    Hook {
        /// claude-code, codex, gemini, copilot, cursor or generic
        harness: String,
        /// The event, where the harness does not name it in what it sends
        event: Option<String>,
    },
    /// Merge engram into a harness's settings; nothing of yours is lost, a second run changes nothing
    #[command(
        after_help = "Examples:\n  engram install                                      every harness found on this machine\n  engram install --dry-run                            what would change, and nothing changes\n  engram install --harness claude-code --local --mcp  for this project only, with the query tool\n  engram install --plugin ./engram-plugin             a plugin folder for Claude Code"
    )]
    Install(InstallArgs),
    /// Take engram out of a harness's settings again; what is remembered stays
    #[command(
        after_help = "Examples:\n  engram uninstall                        out of every harness\n  engram uninstall --harness codex\n  engram uninstall --local --dry-run      out of this project's settings"
    )]
    Uninstall(InstallArgs),
    /// Whether engram is installed and would run; exit 0 if healthy, 1 if not, saying what
    #[command(after_help = "Examples:\n  engram verify\n  engram verify --harness codex --json")]
    Verify(InstallArgs),
    /// Mend an installation: a program that moved, hooks that are missing
    #[command(after_help = "Examples:\n  engram repair\n  engram repair --dry-run")]
    Repair(InstallArgs),
    /// Adopt what an older version left: settings and databases
    #[command(after_help = "Examples:\n  engram migrate\n  engram migrate --dry-run")]
    Migrate(InstallArgs),
    /// Check everything: each line ok, warning or error, with the remedy; exit 0, 3 for warnings, 1 for errors
    #[command(after_help = "Examples:\n  engram doctor\n  engram doctor --json")]
    Doctor,
    /// Turn what is pending into memory, now
    #[command(after_help = "Examples:\n  engram consolidate\n  engram consolidate --session 7d0c --json")]
    Consolidate(ConsolidateArgs),
    /// Ask the memory
    #[command(after_help = "Example: engram query \"how do we run the tests?\" --limit 5")]
    Query(QueryArgs),
    /// Remember something on your word
    #[command(
        after_help = "Examples:\n  engram remember \"Amounts are integers in cents, never floats\" --files src/money.rs\n  engram remember \"Never commit to main\" --type preference"
    )]
    Remember(RememberArgs),
    /// Forget a memory, or everything that holds a text, for good
    #[command(
        after_help = "Examples:\n  engram forget n_1f0c9a                       a memory by its id\n  engram forget --text \"zebra-4711\" --dry-run    see what holds it, forget nothing\n  engram forget --text \"zebra-4711\" --yes        without being asked"
    )]
    Forget(ForgetArgs),
    /// What is remembered and what is pending
    #[command(
        after_help = "Examples:\n  engram status --json\n  engram status --session 7d0c    how that session goes: pace, search, errors that come back"
    )]
    Status {
        /// How this session goes (the first letters are enough)
        #[arg(long)]
        session: Option<String>,
    },
    /// The event log, readable
    #[command(after_help = "Examples:\n  engram events\n  engram events --session 7d0c --json")]
    Events {
        /// Only this session (the first letters are enough)
        #[arg(long)]
        session: Option<String>,
    },
    /// Check a change against the decisions that bind its file
    #[command(
        after_help = "Examples:\n  git diff src/a.rs | engram check --file src/a.rs --diff -\n  engram check --file src/a.rs --diff change.patch --exit-code"
    )]
    Check(CheckArgs),
    /// Make memory of what was recorded elsewhere
    #[command(
        after_help = "Examples:\n  engram import --from claude-code                      every session of this project\n  engram import --from codex --since 2026-11-01\n  engram import --from claude-code session.jsonl --dry-run\n  engram import --format notes notes.jsonl"
    )]
    Import(ImportArgs),
    /// Serve the memory to agents as an MCP server on stdin and stdout, with the one tool query_knowledge
    #[command(
        after_help = "Examples:\n  engram install --mcp                          registers it with every harness found\n  claude mcp add engram -- engram mcp\n  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | engram mcp"
    )]
    Mcp,
    /// Replay two recorded sessions in a temporary folder and show every stage
    #[command(after_help = "Example: engram demo")]
    Demo,
}

/// The names that `--harness` takes.
fn harness_names() -> Vec<&'static str> {
    let own = crate::install::harness::HARNESSES.iter().map(|h| h.name);
    own.chain(["generic", "all", "detected"]).collect()
}

#[derive(Args, Clone, Debug, Default)]
pub(super) struct InstallArgs {
    /// The harness [default: those found on this machine; to uninstall: all]
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(harness_names()))]
    pub harness: Option<String>,
    /// Your settings for all projects (default)
    #[arg(long, conflicts_with = "local")]
    pub user: bool,
    /// Your settings for this project only
    #[arg(long)]
    pub local: bool,
    /// Also as an MCP server, so that the agent can ask (`engram mcp`)
    #[arg(long)]
    pub mcp: bool,
    /// GSD and Pi: the same as --harness gsd
    #[arg(long, conflicts_with = "harness")]
    pub gsd: bool,
    /// Write a plugin of Claude Code into this folder instead of changing settings
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["harness", "gsd", "local", "mcp"])]
    pub plugin: Option<PathBuf>,
    /// Show what would change and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args, Debug)]
pub(super) struct ConsolidateArgs {
    /// Only this session
    #[arg(long)]
    pub session: Option<String>,
    /// By rules, without a model (the only way in this version)
    #[arg(long)]
    pub offline: bool,
    /// Longest wait for another consolidation of the project, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub wait: u64,
    #[arg(long, hide = true)]
    pub detached: bool,
}

#[derive(Args, Debug)]
pub(super) struct QueryArgs {
    /// The question
    pub question: String,
    /// This project, or all of them
    #[arg(long, value_enum, default_value = "project")]
    pub scope: Scope,
    /// Most notes
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope {
    #[value(alias = "current_project")]
    Project,
    All,
}

#[derive(Args, Debug)]
pub(super) struct RememberArgs {
    /// What to remember
    pub text: String,
    /// decision, finding or preference
    #[arg(long = "type", default_value = "decision", value_name = "TYPE")]
    pub memory_type: String,
    /// Files it is about
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub files: Vec<String>,
    /// Why
    #[arg(long, default_value = "")]
    pub rationale: String,
}

#[derive(Args, Debug)]
#[group(skip)]
#[command(group(ArgGroup::new("what").required(true).args(["id", "text"])))]
pub(super) struct ForgetArgs {
    /// The id of a memory
    pub id: Option<String>,
    /// Everything that holds this text, letter case aside; no character is special
    #[arg(long, allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Show what would be forgotten and forget nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask (only a terminal is asked)
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// The changed file: absolute, or relative to the working directory or the project
    #[arg(long)]
    pub file: PathBuf,
    /// The unified diff: a file, or - for standard input [default: what git shows for the file]
    #[arg(long, value_name = "FILE")]
    pub diff: Option<PathBuf>,
    /// By rules, without a model (the only way in this version)
    #[arg(long)]
    pub offline: bool,
    /// Exit 3 when there is a contradiction
    #[arg(long)]
    pub exit_code: bool,
}

#[derive(Args, Debug)]
#[group(skip)]
#[command(group(ArgGroup::new("source").required(true).args(["from", "format"])))]
pub(super) struct ImportArgs {
    /// Transcripts that a harness keeps
    #[arg(long, value_enum, value_name = "HARNESS")]
    pub from: Option<ImportHarness>,
    /// A file of notes, one JSON object a line
    #[arg(long, value_enum, requires = "paths")]
    pub format: Option<ImportFormat>,
    /// Files or folders [default with --from: what the harness keeps of this project]
    pub paths: Vec<PathBuf>,
    /// Only sessions that began then or later, as in 2026-11-01
    #[arg(long, value_name = "DATE", requires = "from")]
    pub since: Option<String>,
    /// Show what would be imported and import nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ImportHarness {
    ClaudeCode,
    Codex,
    Gemini,
    #[value(name = "opencode")]
    OpenCode,
    Copilot,
    #[value(name = "openhands")]
    OpenHands,
    SweAgent,
}

impl ImportHarness {
    pub(super) fn source(self) -> Source {
        match self {
            ImportHarness::ClaudeCode => Source::ClaudeCode,
            ImportHarness::Codex => Source::Codex,
            ImportHarness::Gemini => Source::Gemini,
            ImportHarness::OpenCode => Source::OpenCode,
            ImportHarness::Copilot => Source::Copilot,
            ImportHarness::OpenHands => Source::OpenHands,
            ImportHarness::SweAgent => Source::SweAgent,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ImportFormat {
    Notes,
}
