//! `engram remember`.

use super::args::RememberArgs;
use super::{App, Done, Failure};
use engram_core::Remember;
use std::process::ExitCode;

pub(super) fn run(app: &App, args: &RememberArgs) -> Done {
    let asked = Remember {
        text: args.text.clone(),
        memory_type: args.memory_type.clone(),
        files: args.files.clone(),
        rationale: args.rationale.clone(),
    };
    let remembered = app.open()?.remember(&asked).map_err(Failure::of_arguments)?;
    if app.common.json {
        app.out.json(&remembered);
        return Ok(ExitCode::SUCCESS);
    }
    let line = match &remembered.id {
        None => "stored; the consolidation that is running takes it up".to_owned(),
        Some(id) if remembered.superseded > 0 => format!("remembered as {id}, in the place of an older memory"),
        Some(id) if remembered.is_new => format!("remembered as {id}"),
        Some(id) => format!("known already as {id}, stronger now"),
    };
    app.out.line(line);
    Ok(ExitCode::SUCCESS)
}
