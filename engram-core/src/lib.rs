#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod capture;
pub mod config;
pub mod contradict;
pub mod error;
pub mod graph;
pub mod metrics;
pub mod models;
pub mod project;
pub mod similarity;
pub mod text;
pub mod time;

pub use error::{Error, ErrorKind, Result};
