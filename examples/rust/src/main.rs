//! The quick start in Rust.

fn main() {}
