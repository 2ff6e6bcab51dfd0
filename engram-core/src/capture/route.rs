//! How far apart files lie in the tree, and whether a series of reads moves outward.

/// Reads further than this from the reads before them count as far.
const FAR: usize = 2;

/// Whether reading `next` after `earlier` (oldest first, at most five) moves outward: more than two directories away
/// from most of them, and no nearer to the oldest than the read just before was.
pub(crate) fn moves_outward<'a>(earlier: impl Iterator<Item = &'a str>, next: &str) -> bool {
    let earlier: Vec<&str> = earlier.filter(|p| *p != next).collect();
    let (Some(oldest), Some(latest)) = (earlier.first(), earlier.last()) else { return false };
    let far = earlier.iter().filter(|p| directory_distance(p, next) > FAR).count();
    let growing = directory_distance(oldest, next) >= directory_distance(oldest, latest);
    earlier.len() >= 2 && far * 2 > earlier.len() && growing
}

/// The number of steps up and down between the directories of two files.
pub(crate) fn directory_distance(a: &str, b: &str) -> usize {
    let (a, b) = (directories(a), directories(b));
    let shared = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    a.len() + b.len() - 2 * shared
}

fn directories(path: &str) -> Vec<&str> {
    let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
    dir.split('/').filter(|s| !s.is_empty() && *s != ".").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_steps_up_and_down() {
        let cases =
            [("a.rs", "b.rs", 0), ("src/a.rs", "b.rs", 1), ("src/x/a.rs", "src/y/b.rs", 2), ("a/b/c/f", "d/f", 4)];
        for (a, b, steps) in cases {
            assert_eq!(directory_distance(a, b), steps, "{a} {b}");
            assert_eq!(directory_distance(b, a), steps, "{b} {a}");
        }
    }

    #[test]
    fn outward_means_away_from_most_and_not_back() {
        let start = ["src/auth/a.rs", "src/auth/b.rs"];
        assert!(moves_outward(start.into_iter(), "docs/api/v1/x.md"));
        assert!(!moves_outward(start.into_iter(), "src/auth/deep/c.rs"));
        assert!(!moves_outward(start[..1].iter().copied(), "docs/api/v1/x.md"));
        let wandered = ["src/auth/a.rs", "docs/api/v1/x.md", "docs/api/v1/y.md"];
        assert!(!moves_outward(wandered.into_iter(), "src/auth/c.rs"), "coming back is not expanding");
    }
}
