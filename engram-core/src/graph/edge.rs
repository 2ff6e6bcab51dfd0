//! Edges of the knowledge graph.

use super::node::words;
use serde::{Deserialize, Serialize};
use std::fmt;

words! {
    /// The specification's nine kinds of edge.
    EdgeType {
        /// One needs the other.
        Requires = "requires",
        /// They change or work together.
        InteractsWith = "interacts_with",
        /// It was learned in that episode.
        DiscoveredDuring = "discovered_during",
        /// An error and its cause.
        CausedBy = "caused_by",
        /// An error and what mended it.
        ResolvedBy = "resolved_by",
        /// They are alike.
        SimilarTo = "similar_to",
        /// They exclude each other.
        Contradicts = "contradicts",
        /// An aspect or a version of the other.
        VersionOf = "version_of",
        /// It took the other's place.
        Supersedes = "supersedes",
    }
}
