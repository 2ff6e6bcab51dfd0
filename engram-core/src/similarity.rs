//! How close two vectors are, and what counts as close. Shared by the room that makes vectors and the one that judges
//! them, so that neither needs the other.

/// The similarities at which one embedder's vectors mean "the same" or "related" (D18: they belong to the embedder).
///
/// All are cosines of `name: description` vectors.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    /// Equal names are the same thing from here on; below it they are homonyms.
    pub same_name: f32,
    /// Any two nodes are the same thing from here on.
    pub merge: f32,
    /// Two nodes are the same thing from here on if neither name contains the other.
    pub merge_apart: f32,
    /// Any two nodes are related from here on.
    pub child: f32,
    /// Related from here on if one name contains the other.
    pub child_contained: f32,
    /// Related from here on if the names share a word.
    pub child_shared: f32,
    /// Whether a lower-case word is one word although its spelling could be split (`postgresql`, `mysql`).
    pub whole_word: fn(&str) -> bool,
}

impl Thresholds {
    /// The specification's 0.95 and 0.80, for the embedding services. What those services would need for equal or
    /// overlapping names is not measured; the numbers of the built-in table stand in.
    pub fn service(whole_word: fn(&str) -> bool) -> Thresholds {
        Thresholds {
            same_name: 0.35,
            merge: 0.95,
            merge_apart: 0.95,
            child: 0.80,
            child_contained: 0.24,
            child_shared: 0.35,
            whole_word,
        }
    }
}

/// The cosine of the angle between `a` and `b`; 0 if their lengths differ or one of them is zero, never NaN.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return 0.0;
    }
    let dot: f32 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let norm = norm(a) * norm(b);
    let cosine = dot / norm;
    if cosine.is_finite() { cosine.clamp(-1.0, 1.0) } else { 0.0 }
}

/// The length of a vector.
pub(crate) fn norm(v: &[f32]) -> f32 {
    v.iter().map(|x| x * x).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_of_known_angles() {
        assert!((cosine(&[1.0, 0.0], &[3.0, 3.0]) - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 2.0]), 0.0);
        assert_eq!(cosine(&[1.0, 2.0], &[-1.0, -2.0]), -1.0);
    }

    #[test]
    fn cosine_of_what_cannot_be_compared_is_zero() {
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
        assert_eq!(cosine(&[1.0], &[1.0, 0.0]), 0.0);
        assert_eq!(cosine(&[f32::NAN], &[1.0]), 0.0);
        assert_eq!(cosine(&[f32::INFINITY], &[1.0]), 0.0);
    }
}
