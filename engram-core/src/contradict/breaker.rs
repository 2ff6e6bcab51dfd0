//! When a checker keeps failing, it is switched off for the session.

/// Counts failures in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breaker {
    failures: u32,
    limit: u32,
}

/// The specification's limit.
pub const DEFAULT_LIMIT: u32 = 3;

impl Default for Breaker {
    fn default() -> Breaker {
        Breaker::new(DEFAULT_LIMIT)
    }
}

impl Breaker {
    /// A breaker that opens at the `limit`th failure in a row; 0 is taken as 1.
    pub fn new(limit: u32) -> Breaker {
        Breaker { failures: 0, limit: limit.max(1) }
    }

    /// A breaker that has already counted `failures`, for processes that live shorter than a session.
    pub fn resumed(limit: u32, failures: u32) -> Breaker {
        Breaker { failures, ..Breaker::new(limit) }
    }

    /// Whether checking is off.
    pub fn is_open(self) -> bool {
        self.failures >= self.limit
    }

    /// How many failures there were since the last success.
    pub fn failures(self) -> u32 {
        self.failures
    }

    /// Counts a failure; true when this one switched checking off.
    pub fn fail(&mut self) -> bool {
        let was_open = self.is_open();
        self.failures = self.failures.saturating_add(1);
        !was_open && self.is_open()
    }

    /// Forgets the failures, unless checking is already off: that lasts for the session.
    pub fn succeed(&mut self) {
        if !self.is_open() {
            self.failures = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_at_the_third_failure_in_a_row_and_stays_open() {
        let mut b = Breaker::default();
        assert!(!b.fail() && !b.fail());
        b.succeed();
        assert!(!b.fail() && !b.fail() && !b.is_open());
        assert!(b.fail() && b.is_open());
        assert!(!b.fail(), "only the failure that opens it says so");
        b.succeed();
        assert!(b.is_open());
        assert!(Breaker::resumed(3, 2).fail());
    }
}
