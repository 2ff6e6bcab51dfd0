//! Takes a shell command apart: which programs it runs, which files it reads and writes.

mod effect;
mod lex;
mod plan;
mod runner;

pub(crate) use effect::{Effect, Looked, Touched, effect};
pub(crate) use plan::{Plan, Step, plan};
pub(crate) use runner::{Job, job};
