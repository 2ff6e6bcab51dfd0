//! Installation.
