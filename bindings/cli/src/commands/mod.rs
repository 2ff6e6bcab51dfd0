//! The commands of the program `engram`. Each finds its project, calls the core, and prints.

mod args;
mod change;
mod check;
mod consolidate;
mod demo;
mod doctor;
mod failure;
mod forget;
mod import;
mod inspect;
mod install;
mod notes;
mod out;
mod remember;
mod repair;
mod setup;
mod uninstall;
mod verify;

use crate::{hook, mcp, serve};
use args::{Cli, Command, Common};
use clap::Parser;
use engram_core::project::Project;
use engram_core::{Background, Engram, Error, ErrorKind, Options};
use failure::Failure;
use out::Out;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// How a command ended.
type Done = Result<ExitCode, Failure>;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) if e.use_stderr() && is_hook(std::env::args_os().skip(1)) => return refused_hook(&e),
        Err(e) => e.exit(),
    };
    if let Command::Hook { harness, event } = &cli.command {
        let called = hook::Called { harness, event: event.as_deref() };
        let home = hook::data_home(cli.common.home.clone());
        return hook::run(called, home.clone().as_deref(), |arrived| serve::act(home, arrived));
    }
    match run(&cli) {
        Ok(code) => code,
        Err(failure) => {
            out::error(&failure);
            failure.exit_code()
        }
    }
}

/// Whether a command line that could not be understood was meant as a hook call, which never fails.
fn is_hook(arguments: impl Iterator<Item = OsString>) -> bool {
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--home" | "--project") => drop(arguments.next()),
            Some(option) if option.starts_with('-') => {}
            word => return word == Some("hook"),
        }
    }
    false
}

/// The end of a hook call with a wrong command line: its first line is the reason.
fn refused_hook(usage: &clap::Error) -> ExitCode {
    let text = usage.to_string();
    let reason = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    hook::refuse(hook::data_home(None).as_deref(), &format!("{reason}; usage: engram hook HARNESS"))
}

fn run(cli: &Cli) -> Done {
    let app = App { common: cli.common.clone(), out: Out::stdout() };
    match &cli.command {
        // Handled before: a hook has its own way of failing.
        Command::Hook { .. } => Ok(ExitCode::SUCCESS),
        Command::Install(args) => install::run(&app, args),
        Command::Uninstall(args) => uninstall::run(&app, args),
        Command::Verify(args) => verify::run(&app, args),
        Command::Repair(args) => repair::run(&app, args),
        Command::Migrate(args) => repair::migrate(&app, args),
        Command::Doctor => doctor::run(&app),
        Command::Consolidate(args) => consolidate::run(&app, args),
        Command::Query(args) => inspect::query(&app, args),
        Command::Remember(args) => remember::run(&app, args),
        Command::Forget(args) => forget::run(&app, args),
        Command::Status { session } => inspect::status(&app, session.as_deref()),
        Command::Events { session } => inspect::events(&app, session.as_deref()),
        Command::Check(args) => check::run(&app, args),
        Command::Import(args) => import::run(&app, args),
        Command::Mcp => {
            let memory = mcp::Memory { home: app.common.home.clone(), project: app.directory()? };
            let served = mcp::serve(std::io::stdin().lock(), std::io::stdout().lock(), &memory);
            let unread = |e| Error::new(ErrorKind::Io, "cannot read from standard input").with_source(e);
            Ok(served.map(|()| ExitCode::SUCCESS).map_err(unread)?)
        }
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
    fn directory(&self) -> Result<PathBuf, Failure> {
        match &self.common.project {
            Some(dir) => Ok(dir.clone()),
            None => Ok(std::env::current_dir()
                .map_err(|e| Error::new(ErrorKind::Io, "the working directory is gone").with_source(e))?),
        }
    }

    /// The project. A `--project` that is empty or absent on disk is wrong usage, never the working directory.
    fn project(&self) -> Result<Project, Failure> {
        Project::find(&self.directory()?).map_err(Failure::of_arguments)
    }

    fn open(&self) -> Result<Engram, Failure> {
        let engram = self.open_silently()?;
        for warning in engram.warnings().iter().filter(|_| !self.common.quiet) {
            out::remark(format!("warning: {warning}"));
        }
        Ok(engram)
    }

    /// The memory, without a word about the settings: for who prints their warnings itself.
    fn open_silently(&self) -> Result<Engram, Failure> {
        let options = Options {
            home: self.common.home.clone(),
            project: self.directory()?,
            background: Background::Caller,
            ..Options::default()
        };
        Engram::open(options).map_err(Failure::of_arguments)
    }

    /// Prints a line for people, where no JSON was asked for.
    fn say(&self, text: impl AsRef<str>) {
        if !self.common.json {
            self.out.line(text);
        }
    }

    /// Whether a person watches: progress and remarks are for them only.
    fn shows_progress(&self) -> bool {
        use std::io::IsTerminal;
        !self.common.quiet && !self.common.json && std::io::stderr().is_terminal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_known_by_its_first_word() {
        let is = |line: &str| is_hook(line.split(' ').map(OsString::from));
        assert!(is("hook") && is("hook --bogus") && is("--home /h --quiet hook x y") && is("--bogus hook"));
        assert!(!is("") && !is("query hook") && !is("--project hook") && !is("install --bogus"));
    }
}
