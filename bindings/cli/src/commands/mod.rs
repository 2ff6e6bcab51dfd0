//! The commands of the program `engram`. Each finds its project, calls the core, and prints.

mod args;
mod check;
mod consolidate;
mod demo;
mod import;
mod inspect;
mod install;
mod out;
mod remember;

use crate::{hook, serve};
use args::{Cli, Command, Common};
use clap::Parser;
use engram_core::{Background, Engram, Error, ErrorKind, Options, Result};
use out::Out;
use std::path::PathBuf;
use std::process::ExitCode;

/// How a command ended, beside an error.
type Done = Result<ExitCode>;

/// Exit code of wrong usage (contract).
const WRONG_USAGE: u8 = 2;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Command::Hook { harness } = &cli.command {
        let home = hook::data_home(cli.common.home.clone());
        return hook::run(harness, home.clone().as_deref(), |arrived| serve::act(home, arrived));
    }
    match run(&cli) {
        Ok(code) => code,
        Err(e) => {
            out::error(&e);
            ExitCode::from(if e.kind() == ErrorKind::InvalidArgument { WRONG_USAGE } else { 1 })
        }
    }
}

fn run(cli: &Cli) -> Done {
    let app = App { common: cli.common.clone(), out: Out::stdout() };
    match &cli.command {
        // Handled before: a hook has its own way of failing.
        Command::Hook { .. } => Ok(ExitCode::SUCCESS),
        Command::Install(args) => install::run(&app, args),
        Command::Consolidate(args) => consolidate::run(&app, args),
        Command::Query(args) => inspect::query(&app, args),
        Command::Remember(args) => remember::run(&app, args),
        Command::Status => inspect::status(&app),
        Command::Events { session } => inspect::events(&app, session.as_deref()),
        Command::Check(args) => check::run(&app, args),
        Command::Import(args) => import::run(&app, args),
        Command::Demo => demo::run(&app),
    }
}

/// What every command works with.
struct App {
    common: Common,
    out: Out,
}

impl App {
    /// The directory that names the project: `--project`, or the working directory.
    ///
    /// A `--project` that is empty or absent on disk is an error, never the working directory.
    fn directory(&self) -> Result<PathBuf> {
        match &self.common.project {
            Some(dir) => Ok(dir.clone()),
            None => std::env::current_dir()
                .map_err(|e| Error::new(ErrorKind::Io, "the working directory is gone").with_source(e)),
        }
    }

    fn open(&self) -> Result<Engram> {
        let engram = Engram::open(Options {
            home: self.common.home.clone(),
            project: self.directory()?,
            background: Background::Caller,
            ..Options::default()
        })?;
        for warning in engram.warnings().iter().filter(|_| !self.common.quiet) {
            out::remark(format!("warning: {warning}"));
        }
        Ok(engram)
    }

    /// Whether a person watches: progress and remarks are for them only.
    fn shows_progress(&self) -> bool {
        use std::io::IsTerminal;
        !self.common.quiet && !self.common.json && std::io::stderr().is_terminal()
    }
}
