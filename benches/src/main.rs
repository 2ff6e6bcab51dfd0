//! Measures engram.

fn main() {}
