//! The one unit of time.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// An instant (since the page's time origin) or a span, in whole microseconds.
///
/// Times enter as `f64` milliseconds from the browser and are rounded once, here; all later arithmetic is integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Micros(pub i64);

impl Micros {
    /// No time.
    pub const ZERO: Micros = Micros(0);

    /// From the milliseconds of `performance.now()`, rounded to the nearest microsecond. Not a number becomes zero.
    pub fn from_ms(ms: f64) -> Micros {
        Micros((ms * 1000.0).round() as i64)
    }

    /// Whole milliseconds.
    pub const fn ms(ms: i64) -> Micros {
        Micros(ms * 1000)
    }

    /// In milliseconds.
    pub fn as_ms(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    /// In seconds.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1_000_000.0
    }
}

impl Add for Micros {
    type Output = Micros;
    fn add(self, other: Micros) -> Micros {
        Micros(self.0 + other.0)
    }
}

impl AddAssign for Micros {
    fn add_assign(&mut self, other: Micros) {
        self.0 += other.0;
    }
}

impl Sub for Micros {
    type Output = Micros;
    fn sub(self, other: Micros) -> Micros {
        Micros(self.0 - other.0)
    }
}

impl std::iter::Sum for Micros {
    fn sum<I: Iterator<Item = Micros>>(iter: I) -> Micros {
        Micros(iter.map(|m| m.0).sum())
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.as_ms())
    }
}
