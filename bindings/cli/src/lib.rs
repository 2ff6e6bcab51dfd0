//! What stands around the core in the programs `engram` and `engram-hook`: harness adapters, the hook's stdin and
//! stdout, recorded transcripts, installation, and the detached consolidator.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod adapters;
pub mod answer;
pub mod commands;
pub mod detach;
pub mod hook;
pub mod install;
pub mod mcp;
pub mod serve;
pub mod stdin;
pub mod transcripts;
