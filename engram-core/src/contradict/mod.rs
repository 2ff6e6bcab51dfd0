//! Does a change contradict a decision? A side path: file writes in, verdicts out.

pub mod verdict;
