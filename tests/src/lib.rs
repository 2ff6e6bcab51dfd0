//! Tests that no crate owns alone.
