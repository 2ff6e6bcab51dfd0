//! Random numbers that can be had again: every test prints its seed, and `ENGRAM_TEST_SEED` sets it.

/// A generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator whose seed is printed under `name`; from `ENGRAM_TEST_SEED`, or the clock.
    #[allow(clippy::print_stdout, reason = "a failure cannot be had again without its seed")]
    pub fn seeded(name: &str) -> Random {
        let given = std::env::var("ENGRAM_TEST_SEED").ok().and_then(|s| s.parse().ok());
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let seed = given.unwrap_or(now.as_nanos() as u64 | 1);
        println!("{name}: ENGRAM_TEST_SEED={seed}");
        Random::from_seed(seed)
    }

    /// A generator of that seed.
    pub fn from_seed(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((self.number() >> 16) as usize).checked_rem(limit).unwrap_or(0)
    }

    /// One of `choices`.
    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
