//! The program `engram`.
