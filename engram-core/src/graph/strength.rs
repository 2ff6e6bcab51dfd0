//! Strength: how much a memory weighs, from counted numbers alone (D7). Computed when read, so nothing decays by itself.

use super::node::{Node, NodeType, Status, StrengthFactors, Trust};

/// The least strength of a memory that holds: a strength ranks, it never hides.
pub const FLOOR: f64 = 0.05;

/// The strength of a node: base x frequency x recency x outcome consistency x causal importance, from [`FLOOR`] to 1.
///
/// 0 for a superseded node and only for one; never NaN.
pub fn strength(factors: &StrengthFactors, node_type: NodeType, status: Status, trust: Trust) -> f64 {
    if status == Status::Superseded {
        return 0.0;
    }
    let product = factors.base
        * frequency(factors.episodes)
        * recency(factors.idle_sessions)
        * outcome_consistency(factors, node_type, trust)
        * factors.causal;
    if product.is_nan() { FLOOR } else { product.clamp(FLOOR, 1.0) }
}

/// The strength of a node now.
pub fn current(node: &Node) -> f64 {
    strength(&node.factors, node.node_type, node.status, node.trust)
}

/// log2(1 + episodes): 1 for the first episode, 2 for the third. 0 for a node without any, so whoever remembers
/// something by hand counts that as one.
pub fn frequency(episodes: u32) -> f64 {
    (1.0 + f64::from(episodes)).log2()
}

/// exp(-0.1 x sessions without reinforcement). Sessions count, not days: a pause of the project costs nothing.
pub fn recency(idle_sessions: u32) -> f64 {
    (-0.1 * f64::from(idle_sessions)).exp()
}

/// The share of the node's episodes that succeeded.
///
/// 1 for an error, which is learned in episodes that fail; for what the user said, which a failed session does not
/// make less true; and for a node without episodes.
pub fn outcome_consistency(factors: &StrengthFactors, node_type: NodeType, trust: Trust) -> f64 {
    if node_type == NodeType::Error || trust == Trust::User || factors.episodes == 0 {
        return 1.0;
    }
    f64::from(factors.successes.min(factors.episodes)) / f64::from(factors.episodes)
}

/// 1.5 for knowledge that prevented or caused failures, 1.0 otherwise.
pub fn causal_importance(causal: bool) -> f64 {
    if causal { 1.5 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::node::base;
    use super::*;

    fn factors(base: f64, episodes: u32, successes: u32, idle_sessions: u32) -> StrengthFactors {
        StrengthFactors { base, episodes, successes, causal: 1.0, idle_sessions }
    }

    fn of(factors: StrengthFactors) -> f64 {
        strength(&factors, NodeType::Concept, Status::Active, Trust::Inferred)
    }

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-9, "{got} is not {want}");
    }

    #[test]
    fn each_factor_has_its_exact_value() {
        near(frequency(0), 0.0);
        near(frequency(1), 1.0);
        near(frequency(3), 2.0);
        near(frequency(7), 3.0);
        near(recency(0), 1.0);
        near(recency(10), 0.367_879_441_171_442_3);
        near(outcome_consistency(&factors(1.0, 4, 3, 0), NodeType::Concept, Trust::Inferred), 0.75);
        near(causal_importance(true), 1.5);
        near(causal_importance(false), 1.0);
    }

    #[test]
    fn the_product_has_its_exact_value() {
        // 0.35 x log2(1 + 3) x exp(-0.5) x 2/3 x 1.5
        let implicit = StrengthFactors { causal: 1.5, ..factors(base::IMPLICIT, 3, 2, 5) };
        near(of(implicit), 0.424_571_461_798_843_4);
        near(of(factors(base::EXPLICIT, 1, 1, 0)), 0.85);
        near(of(factors(base::IMPLICIT, 1, 1, 0)), 0.35);
        near(of(factors(base::OTHER, 3, 3, 0)), 1.0);
    }

    #[test]
    fn no_sessions_means_no_decay_and_each_idle_session_costs_the_same_share() {
        let at = |idle| of(factors(base::EXPLICIT, 1, 1, idle));
        near(at(0), 0.85);
        near(at(2) / at(1), at(1) / at(0));
        near(at(1_000), FLOOR);
    }

    #[test]
    fn superseded_is_zero_whatever_the_factors() {
        let strong = factors(1.0, 100, 100, 0);
        for trust in Trust::ALL {
            assert_eq!(strength(&strong, NodeType::Decision, Status::Superseded, *trust), 0.0);
        }
    }

    #[test]
    fn a_node_whose_every_episode_failed_is_weak_but_not_gone() {
        near(of(factors(base::EXPLICIT, 5, 0, 0)), FLOOR);
    }

    #[test]
    fn an_error_learned_in_failed_episodes_keeps_its_strength() {
        let failed = factors(base::OTHER, 1, 0, 0);
        near(strength(&failed, NodeType::Error, Status::Active, Trust::Observed), 1.0);
    }

    #[test]
    fn what_the_user_said_survives_a_failed_session() {
        let failed = factors(base::EXPLICIT, 1, 0, 0);
        near(strength(&failed, NodeType::Decision, Status::Active, Trust::User), 0.85);
        near(strength(&failed, NodeType::Decision, Status::Active, Trust::Inferred), FLOOR);
    }

    #[test]
    fn odd_numbers_stay_between_the_floor_and_one() {
        for base in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300] {
            for (episodes, successes) in [(0, 0), (0, 7), (1, 9), (u32::MAX, u32::MAX)] {
                let s = of(factors(base, episodes, successes, u32::MAX));
                assert!((FLOOR..=1.0).contains(&s), "base {base}: {s}");
            }
        }
    }
}
