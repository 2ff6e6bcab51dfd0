//! `engram forget`.

use super::args::ForgetArgs;
use super::{App, Done, Failure, out};
use engram_core::{Engram, Forget, Forgotten};
use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

pub(super) fn run(app: &App, args: &ForgetArgs) -> Done {
    if args.text.as_deref().is_some_and(|text| text.trim().is_empty()) {
        return Err(Failure::usage("there is nothing to forget: the text is empty"));
    }
    let asked = Forget { id: args.id.clone(), text: args.text.clone(), dry_run: args.dry_run };
    let engram = app.open()?;
    if !args.dry_run && !args.yes && std::io::stdin().is_terminal() && !agreed(&engram, &asked)? {
        return Err(Failure::failed("nothing was forgotten"));
    }
    let done = engram.forget(&asked)?;
    if app.common.json {
        app.out.json(&done);
    } else {
        print(app, &done);
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows what would be forgotten and asks. The question goes where errors go: what a program reads stays clean.
fn agreed(engram: &Engram, asked: &Forget) -> Result<bool, Failure> {
    let found = engram.forget(&Forget { dry_run: true, ..asked.clone() })?;
    for line in lines(&found, "  ") {
        out::remark(line);
    }
    let _ = write!(std::io::stderr().lock(), "Forget this for good? [y/N] ");
    let mut answer = String::new();
    let _ = std::io::stdin().lock().read_line(&mut answer);
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn print(app: &App, done: &Forgotten) {
    if done.pending && done.forgotten.is_empty() && done.shortened.is_empty() {
        return app.out.line("stored; the consolidation that is running does it");
    }
    app.out.line(match done.dry_run {
        true => app.out.bold("would be forgotten"),
        false => app.out.bold("forgotten"),
    });
    lines(done, "  ").iter().for_each(|line| app.out.line(line));
    if done.pending {
        app.out.line("the last traces are removed by the consolidation that is running");
    }
    if !done.dry_run {
        app.say(app.out.dim("the event log keeps what was said; nothing is made of it again"));
    }
}

fn lines(done: &Forgotten, indent: &str) -> Vec<String> {
    let gone = done.forgotten.iter().map(|n| format!("{indent}{}  {}", n.id, n.name));
    let left = done.shortened.iter().map(|n| format!("{indent}{}  {} (only what it says of this)", n.id, n.name));
    gone.chain(left).collect()
}
