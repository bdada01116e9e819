//! How are lengths written in one line? What is written is read back.

use std::fmt;

use super::{Lengths, MAX_INPUT, MAX_OUTPUT};
use crate::load::Unspelled;

const LENGTHS: &str = "512; 100..900; normal 512 sd 100; lognormal median 512 p95 2000 (within 1..4000)";

impl Lengths {
    /// Reads a distribution: `512`, `100..900`, `normal 512 sd 100`, `lognormal median 512 p95 2000`, the last two where wanted
    /// with `within 1..4000`.
    pub fn spelled(text: &str) -> Result<Lengths, Unspelled> {
        let wrong = |found: &str| Unspelled { found: found.to_owned(), expected: LENGTHS };
        let number = |word: &str| word.parse::<u32>().map_err(|_| wrong(word));
        let range = |word: &str| {
            let (min, max) = word.split_once("..").ok_or_else(|| wrong(word))?;
            Ok((number(min)?, number(max)?))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let (words, (min, max)) = match words.as_slice() {
            [before @ .., "within", bounds] => (before.to_vec(), range(bounds)?),
            _ => (words, (1, MAX_INPUT.min(MAX_OUTPUT))),
        };
        Ok(match words.as_slice() {
            ["normal", mean, "sd", sd] => Lengths::Normal { mean: number(mean)?, sd: number(sd)?, min, max },
            ["lognormal", "median", median, "p95", p95] => {
                Lengths::LogNormal { median: number(median)?, p95: number(p95)?, min, max }
            }
            [bounds] if bounds.contains("..") => {
                let (min, max) = range(bounds)?;
                Lengths::Uniform { min, max }
            }
            [fixed] => Lengths::Fixed(number(fixed)?),
            _ => return Err(wrong(text.trim())),
        })
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lengths::Fixed(n) => write!(f, "{n}"),
            Lengths::Uniform { min, max } => write!(f, "{min}..{max}"),
            Lengths::Normal { mean, sd, min, max } => write!(f, "normal {mean} sd {sd} within {min}..{max}"),
            Lengths::LogNormal { median, p95, min, max } => {
                write!(f, "lognormal median {median} p95 {p95} within {min}..{max}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for line in ["512", "100..900", "normal 512 sd 100 within 4..2000", "lognormal median 512 p95 2000 within 4..9000"] {
            let lengths = Lengths::spelled(line).expect(line);
            assert_eq!(lengths.to_string(), line);
        }
        let open = Lengths::Normal { mean: 512, sd: 100, min: 1, max: MAX_INPUT };
        assert_eq!(Lengths::spelled(" normal 512  sd 100 "), Ok(open));
    }

    #[test]
    fn errors_name_the_part() {
        let refused = |line: &str| Lengths::spelled(line).expect_err(line).found;
        assert_eq!(refused("many"), "many");
        assert_eq!(refused("normal x sd 1"), "x");
        assert_eq!(refused("normal 5"), "normal 5");
        assert_eq!(refused("5..x"), "x");
        assert_eq!(refused(""), "");
    }
}
