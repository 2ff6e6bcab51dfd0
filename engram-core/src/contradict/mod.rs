//! Does a change contradict a decision? A side path: file writes in, verdicts out.

pub mod verdict;

pub use verdict::{Verdict, VerdictKind};
#[derive(Clone, Debug, Default)] pub struct Change { pub path: String, pub diff: String }
#[derive(Clone, Debug)] pub struct DecisionText { pub id: String, pub text: String, pub rationale: String, pub claim: Option<crate::graph::node::Claim>, pub files: Vec<String>, pub trust: crate::graph::node::Trust, pub learned: String }
pub fn check(_: &Change, _: &[DecisionText]) -> Verdict { Verdict::default() }
pub fn render_warning(v: &Verdict, _: &[DecisionText]) -> String { v.explanation.clone() }
pub mod pending { pub fn take(_: &std::path::Path) -> crate::Result<Vec<super::Verdict>> { Ok(vec![]) } }
