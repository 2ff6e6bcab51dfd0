//! One line of the report: a figure beside its floor.

use crate::timing::Samples;
use serde::Serialize;
use std::fmt::Write;

/// What was measured, and the least that it could have been. Times are microseconds.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Row {
    name: String,
    median: f64,
    min: f64,
    p99: f64,
    floor: String,
    floor_median: f64,
    floor_min: f64,
    ratio_of_medians: f64,
    ratio_of_minima: f64,
}

impl Row {
    pub(super) fn new(name: impl Into<String>, of: &Samples, floor: impl Into<String>, least: &Samples) -> Row {
        Row {
            name: name.into(),
            median: of.median(),
            min: of.min(),
            p99: of.p99(),
            floor: floor.into(),
            floor_median: least.median(),
            floor_min: least.min(),
            ratio_of_medians: of.median() / least.median(),
            ratio_of_minima: of.min() / least.min(),
        }
    }
}

/// The rows under their headings, in columns.
pub(super) fn table(rows: &[Row]) -> String {
    let wide = rows.iter().map(|r| r.name.len()).max().unwrap_or_default();
    let mut out = format!(
        "{:wide$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7} {:>7}  floor\n",
        "microseconds", "median", "min", "p99", "floor med", "floor min", "ratio", "of min"
    );
    for r in rows {
        let _ = writeln!(
            out,
            "{:wide$} {:>10.1} {:>10.1} {:>10.1} {:>10.1} {:>10.1} {:>7.2} {:>7.2}  {}",
            r.name, r.median, r.min, r.p99, r.floor_median, r.floor_min, r.ratio_of_medians, r.ratio_of_minima, r.floor
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_like_to_like() {
        let samples = |times: &[u64]| times.iter().map(|t| std::time::Duration::from_micros(*t)).collect::<Samples>();
        let row = Row::new("a", &samples(&[10, 30, 20]), "b", &samples(&[5, 4, 10]));
        assert!((row.ratio_of_medians - 4.0).abs() < 1e-9 && (row.ratio_of_minima - 2.5).abs() < 1e-9, "{row:?}");
        assert_eq!(table(&[row]).lines().count(), 2);
    }
}
