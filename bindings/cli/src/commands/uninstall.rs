//! `engram uninstall`.

use super::args::InstallArgs;
use super::install::{mode, report, settings_file};
use super::{App, Done};
use crate::install;

pub(super) fn run(app: &App, args: &InstallArgs) -> Done {
    let done = install::uninstall(&settings_file(app, args)?, mode(args))?;
    report(app, &done, args.dry_run, "holds no hook of engram's")
}
