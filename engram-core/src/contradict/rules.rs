//! The rules, and the choice of the worst finding.

use super::diff::Diff;
use super::finding::{Case, Finding};
use super::reading::Reading;
use super::verdict::VerdictKind;
use super::{rules_forbidden, rules_lifecycle, rules_number, rules_required};

type Rule = fn(&Case<'_>) -> Option<Finding>;

/// Every rule by name; of findings of one kind the first counts.
const RULES: &[(&str, Rule)] = &[
    ("forbidden thing added", rules_forbidden::named),
    ("forbidden notion added", rules_forbidden::notion),
    ("opposite of what is asked for added", rules_required::opposite),
    ("rival of what was chosen added", rules_required::rival),
    ("goes past what everything goes through", rules_required::bypass),
    ("used without what it needs", rules_required::unaccompanied),
    ("what is asked for taken away", rules_required::lost),
    ("number past its limit", rules_number::limit),
    ("new version or default before its time", rules_number::switched),
    ("file that is not edited", rules_forbidden::edited),
    ("deprecated thing removed", rules_lifecycle::deprecated),
    ("published thing removed", rules_lifecycle::published),
    ("way around what is forbidden", rules_forbidden::around),
    ("undoes what is asked for", rules_required::defeated),
    ("check switched off", rules_forbidden::suppressed),
];

/// What the rules find, the worst first.
pub(crate) fn judge(reading: &Reading, diff: &Diff<'_>) -> Option<Finding> {
    let case = Case::new(reading, diff);
    let mut worst: Option<Finding> = None;
    for (_, rule) in RULES {
        let found = rule(&case);
        if found.as_ref().map(|f| f.kind) > worst.as_ref().map(|f| f.kind) {
            worst = found;
        }
        if worst.as_ref().is_some_and(|w| w.kind == VerdictKind::DirectContradiction) {
            break;
        }
    }
    worst
}
