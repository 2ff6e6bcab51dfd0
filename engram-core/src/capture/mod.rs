//! Tool call in, event out: classification, derived tags, diffs, evidence, redaction.
//!
//! Everything here is a pure function of a call and of what the session did before ([`Recent`]); nothing touches the
//! disk. Specification: "Event types from direct tool classification", "Derived event types".

pub mod call;
pub mod event;
