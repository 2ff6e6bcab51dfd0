#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod capture;
pub mod config;
mod consolidate;
pub mod contradict;
mod engram;
pub mod error;
pub mod graph;
pub mod log;
pub mod metrics;
pub mod models;
pub mod project;
pub mod recall;
mod session;
pub mod similarity;
pub mod store;
pub mod text;
pub mod time;
pub mod wire;

pub use consolidate::{ConsolidateOptions, ConsolidateReport, Forget, Forgotten, Named};
pub use engram::{Answered, Background, Engram, GraphDump, Options, Probed, StatusReport};
pub use error::{Error, ErrorKind, Result};
pub use recall::{Ask, Recall};
pub use session::{Remember, Remembered, Reply};
