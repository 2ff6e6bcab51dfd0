//! What a command's result says: exit code, counts, failing tests, error signatures.

mod count;
mod exit;
mod mark;
mod name;
mod output;
mod signature;

pub(crate) use count::{Tally, tally};
pub(crate) use exit::{Exit, reported};
pub(crate) use mark::{shell_trouble, telling_line, telling_lines, tests_or_build_failed, tool_trouble};
pub(crate) use name::failing_tests;
pub(crate) use output::{output_text, text_of};
pub(crate) use signature::signatures;

/// Whether the output shows that the tests never started.
pub(crate) fn never_started(text: &str, exit: Option<i32>) -> bool {
    matches!(exit, Some(126 | 127)) || text.lines().any(mark::is_missing_runner)
}

#[cfg(test)]
mod tests;
