//! The knowledge graph: its data, and the rules on it. No storage, no model, no clock.

pub mod change;
pub mod claim;
pub mod edge;
pub mod episode;
pub mod likeness;
pub mod node;
pub mod resolve;
pub mod strength;
pub mod supersede;
pub mod withheld;
