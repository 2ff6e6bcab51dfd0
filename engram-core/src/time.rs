//! Points in time, and the only clock of the crate.

use crate::error::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A point in time with millisecond resolution; RFC 3339 UTC in every JSON form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From milliseconds since 1970-01-01T00:00:00Z, clamped to the years 0 to 9999.
    pub fn from_millis(millis: i64) -> Timestamp {
        Timestamp(millis.clamp(-62_167_219_200_000, 253_402_207_200_000))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn as_millis(self) -> i64 {
        self.0
    }

    /// The next moment.
    pub(crate) fn next(self) -> Timestamp {
        Timestamp::from_millis(self.0 + 1)
    }

    /// The day, as `YYYY-MM-DD`.
    pub fn date(self) -> String {
        let mut text = self.to_string();
        text.truncate(10);
        text
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        write!(f, "{t:.3}")
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    /// Reads RFC 3339 with any offset; a text without an offset is taken as UTC.
    fn from_str(text: &str) -> Result<Timestamp> {
        let parsed = text.parse::<jiff::Timestamp>().or_else(|_| format!("{text}Z").parse::<jiff::Timestamp>());
        match parsed {
            Ok(t) => Ok(Timestamp::from_millis(t.as_millisecond())),
            Err(e) => Err(Error::invalid(format!("\"{text}\" is not an RFC 3339 time")).with_source(e)),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Timestamp, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Where the present comes from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that stands still, for tests and replays.
    Fixed(Timestamp),
}

impl Clock {
    /// The present moment.
    pub fn now(self) -> Timestamp {
        match self {
            Clock::Fixed(t) => t,
            Clock::System => {
                let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                Timestamp::from_millis(since.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX)))
            }
        }
    }
}

/// Measures how long something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(std::time::Instant);

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(std::time::Instant::now())
    }

    pub(crate) fn micros(self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_reads_rfc_3339() {
        let t: Timestamp = "2026-11-30T20:44:06.139+01:00".parse().unwrap();
        assert_eq!(t.to_string(), "2026-11-30T19:44:06.139Z");
        assert_eq!(t.to_string().parse::<Timestamp>().unwrap(), t);
        assert_eq!("2023-05-08T13:56:00".parse::<Timestamp>().unwrap().date(), "2023-05-08");
        assert!("yesterday".parse::<Timestamp>().is_err());
    }

    #[test]
    fn extreme_times_print() {
        assert!(Timestamp::from_millis(i64::MAX).to_string().starts_with("9999-12-30"));
        assert!(Timestamp::from_millis(i64::MIN).to_string().starts_with("0000-01-01"));
    }
}
