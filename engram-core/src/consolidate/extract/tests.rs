//! Whole sessions of our own.
