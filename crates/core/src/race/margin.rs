//! How much may two ends differ and still be called the same? Stated by a person, before anything is measured.

use std::fmt;
use std::str::FromStr;

/// The largest margin in milliseconds.
const MAX_MS: u32 = 60_000;
/// The largest margin in percent.
const MAX_PERCENT: u32 = 50;

/// A margin of equivalence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    /// So many milliseconds.
    Ms(u32),
    /// So many percent of the median time to completion without streaming.
    Percent(u32),
}

impl Default for Margin {
    fn default() -> Margin {
        Margin::Ms(100)
    }
}

/// It is no margin: one is `100 ms` (from 1 to 60,000) or `5 %` (from 1 to 50).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a margin is written `100 ms` (1 to 60,000) or `5 %` (1 to 50)")]
pub struct NoMargin;

impl FromStr for Margin {
    type Err = NoMargin;

    /// A number alone is of milliseconds.
    fn from_str(text: &str) -> Result<Margin, NoMargin> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let number: u32 = number.parse().map_err(|_| NoMargin)?;
        match unit.trim() {
            "" | "ms" if (1..=MAX_MS).contains(&number) => Ok(Margin::Ms(number)),
            "%" if (1..=MAX_PERCENT).contains(&number) => Ok(Margin::Percent(number)),
            _ => Err(NoMargin),
        }
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Margin::Ms(ms) => write!(f, "{ms} ms"),
            Margin::Percent(percent) => write!(f, "{percent} %"),
        }
    }
}

impl Margin {
    /// In µs; `whole` is the median time to completion without streaming.
    pub fn micros(self, whole: Option<i64>) -> Option<i64> {
        match self {
            Margin::Ms(ms) => Some(i64::from(ms) * 1000),
            Margin::Percent(percent) => whole.map(|whole| whole.saturating_mul(percent.into()) / 100),
        }
    }
}
