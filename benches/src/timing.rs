//! What many runs of one thing took.

use std::time::{Duration, Instant};

/// Durations of equal runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    /// Runs `body` once and notes how long it took.
    pub(crate) fn time<T>(&mut self, body: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let value = body();
        self.0.push(start.elapsed());
        value
    }

    /// Everything of `other` as well.
    pub(crate) fn add(&mut self, other: Samples) {
        self.0.extend(other.0);
    }

    /// The value below which `share` of the samples lie, in microseconds; 0 without samples.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index"
        )]
        let at = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(at).map_or(0.0, |d| d.as_secs_f64() * 1e6)
    }

    /// The least, in microseconds.
    pub(crate) fn min(&self) -> f64 {
        self.quantile(0.0)
    }

    /// The middle one, in microseconds.
    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The one that a hundredth exceeds, in microseconds.
    pub(crate) fn p99(&self) -> f64 {
        self.quantile(0.99)
    }
}

impl FromIterator<Duration> for Samples {
    fn from_iter<T: IntoIterator<Item = Duration>>(times: T) -> Samples {
        Samples(times.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_samples() {
        let samples = Samples((1..=101).rev().map(Duration::from_micros).collect());
        let near = |got: f64, want: f64| assert!((got - want).abs() < 1e-6, "{got} is not {want}");
        near(samples.min(), 1.0);
        near(samples.median(), 51.0);
        near(samples.p99(), 100.0);
        near(Samples::default().median(), 0.0);
    }
}
