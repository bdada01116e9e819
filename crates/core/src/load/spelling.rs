//! How is a load written in one line? The same in the page, on the command line and in documents; what is written is read back.
//!
//! A level with `/s` is a rate, one without is a concurrency. Times are `500ms`, `30s`, `5min`.

use std::fmt;

use firstlight_json::number;

use super::{Cancel, Over, Shape, Spacing, Step};

/// A line that is not understood, and what may stand there: words of the notation, the same in every language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{found}” is not understood; write {expected}")]
pub struct Unspelled {
    /// The part that is not understood.
    pub found: String,
    /// What may stand there.
    pub expected: &'static str,
}

const SHAPES: &str = "closed; rate 5/s; poisson 5/s; gamma 5/s burstiness 0.5; ramp 1/s to 10/s over 60s; \
                      steps 1 2 4 each 30s; sweep 1 2 4 8 settle 1s";
const RATE: &str = "5/s";
const TIME: &str = "500ms, 30s, 5min";
const LEVELS: &str = "1 2 4, 1/s 2/s 4/s";
const CANCEL: &str = "10% after 500ms to 2s";

fn no(found: &str, expected: &'static str) -> Unspelled {
    Unspelled { found: found.to_owned(), expected }
}

/// Words, read one by one from the front.
struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Words<'a> {
        Words(text.split_whitespace().rev().collect())
    }

    fn next(&mut self) -> &'a str {
        self.0.pop().unwrap_or("")
    }

    fn takes(&mut self, word: &str) -> bool {
        let is = self.0.last() == Some(&word);
        if is {
            self.0.pop();
        }
        is
    }

    fn expect(&mut self, word: &str, expected: &'static str) -> Result<(), Unspelled> {
        if self.takes(word) { Ok(()) } else { Err(no(self.0.last().unwrap_or(&""), expected)) }
    }

    fn rate(&mut self) -> Result<f64, Unspelled> {
        let word = self.next();
        word.strip_suffix("/s").and_then(number).ok_or_else(|| no(word, RATE))
    }

    fn time(&mut self) -> Result<u32, Unspelled> {
        spelled_time(self.next())
    }

    /// Numbers up to the first word that is none.
    fn levels(&mut self) -> Result<(Over, Vec<f64>), Unspelled> {
        let mut found: Vec<(Over, f64)> = Vec::new();
        while let Some(word) = self.0.last() {
            let (over, text) = word.strip_suffix("/s").map_or((Over::Concurrency, *word), |n| (Over::Rate, n));
            let Some(level) = number(text.trim_end_matches(',')) else { break };
            found.push((over, level));
            self.0.pop();
        }
        let over = found.first().map(|(over, _)| *over).ok_or_else(|| no(self.0.last().unwrap_or(&""), LEVELS))?;
        match found.iter().find(|(other, _)| *other != over) {
            Some((_, level)) => Err(no(&level.to_string(), LEVELS)),
            None => Ok((over, found.into_iter().map(|(_, level)| level).collect())),
        }
    }

    /// `poisson`, `gamma 0.5`, or nothing, which is even.
    fn spacing(&mut self) -> Result<Spacing, Unspelled> {
        if self.takes("poisson") {
            return Ok(Spacing::Poisson);
        }
        if !self.takes("gamma") {
            return Ok(Spacing::Even);
        }
        let word = self.next();
        let burstiness = number(word).ok_or_else(|| no(word, "gamma 0.5"))?;
        Ok(Spacing::Gamma { burstiness })
    }

    fn end<T>(mut self, whole: T) -> Result<T, Unspelled> {
        match self.next() {
            "" => Ok(whole),
            rest => Err(no(rest, SHAPES)),
        }
    }
}

/// Reads a time, in ms.
pub fn spelled_time(word: &str) -> Result<u32, Unspelled> {
    time(word).ok_or_else(|| no(word, TIME))
}

fn time(word: &str) -> Option<u32> {
    let (text, ms) = match word {
        w if w.ends_with("ms") => (w.strip_suffix("ms")?, 1.0),
        w if w.ends_with("min") => (w.strip_suffix("min")?, 60_000.0),
        w => (w.strip_suffix('s')?, 1_000.0),
    };
    let ms = number(text)? * ms;
    (0.0..=f64::from(u32::MAX)).contains(&ms).then_some(ms.round() as u32)
}

/// Writes a time of so many ms.
pub fn spell_time(ms: u32) -> String {
    if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") }
}

impl Shape {
    /// Reads a shape; the times of a replay stand after it.
    pub fn spelled(text: &str) -> Result<Shape, Unspelled> {
        let mut words = Words::of(text);
        let shape = match words.next() {
            "" | "closed" => Shape::Closed,
            "rate" => Shape::Open { per_second: words.rate()?, spacing: Spacing::Even },
            "poisson" => Shape::Open { per_second: words.rate()?, spacing: Spacing::Poisson },
            "gamma" => {
                let per_second = words.rate()?;
                words.expect("burstiness", "gamma 5/s burstiness 0.5")?;
                let word = words.next();
                let burstiness = number(word).ok_or_else(|| no(word, "gamma 5/s burstiness 0.5"))?;
                Shape::Open { per_second, spacing: Spacing::Gamma { burstiness } }
            }
            "ramp" => {
                let from = words.rate()?;
                words.expect("to", "ramp 1/s to 10/s over 60s")?;
                let to = words.rate()?;
                words.expect("over", "ramp 1/s to 10/s over 60s")?;
                Shape::Ramp { from, to, over_ms: words.time()?, spacing: words.spacing()? }
            }
            "steps" => {
                let (over, levels) = words.levels()?;
                words.expect("each", "steps 1 2 4 each 30s")?;
                let word = words.next();
                let (for_ms, requests) = match (time(word), word.parse::<u32>()) {
                    (Some(ms), _) => (Some(ms), None),
                    (None, Ok(requests)) if words.takes("requests") => (None, Some(requests)),
                    _ => return Err(no(word, "each 30s, each 40 requests")),
                };
                let step = |level| Step { level, for_ms, requests };
                Shape::Steps { over, steps: levels.into_iter().map(step).collect(), spacing: words.spacing()? }
            }
            "sweep" => {
                let (over, levels) = words.levels()?;
                let settle_ms = if words.takes("settle") { words.time()? } else { 0 };
                Shape::Sweep { over, levels, settle_ms, spacing: words.spacing()? }
            }
            "replay" => {
                let speed = if words.takes("speed") {
                    let word = words.next();
                    number(word).ok_or_else(|| no(word, "speed 2"))?
                } else {
                    1.0
                };
                let word = |word: &str| number(word).ok_or_else(|| no(word, "0 120 300"));
                let at_ms = words.0.drain(..).rev().map(word).collect::<Result<_, _>>()?;
                Shape::Replay { at_ms, speed }
            }
            word => return Err(no(word, SHAPES)),
        };
        words.end(shape)
    }
}

impl fmt::Display for Spacing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spacing::Even => Ok(()),
            Spacing::Poisson => f.write_str(" poisson"),
            Spacing::Gamma { burstiness } => write!(f, " gamma {burstiness}"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |over: Over, levels: &mut dyn Iterator<Item = f64>| {
            let unit = if over == Over::Rate { "/s" } else { "" };
            levels.map(|level| format!(" {level}{unit}")).collect::<String>()
        };
        match self {
            Shape::Closed => f.write_str("closed"),
            Shape::Open { per_second, spacing: Spacing::Even } => write!(f, "rate {per_second}/s"),
            Shape::Open { per_second, spacing: Spacing::Poisson } => write!(f, "poisson {per_second}/s"),
            Shape::Open { per_second, spacing: Spacing::Gamma { burstiness } } => {
                write!(f, "gamma {per_second}/s burstiness {burstiness}")
            }
            Shape::Ramp { from, to, over_ms, spacing } => {
                write!(f, "ramp {from}/s to {to}/s over {}{spacing}", spell_time(*over_ms))
            }
            Shape::Steps { over, steps, spacing } => {
                let each = match steps.first() {
                    Some(Step { requests: Some(n), .. }) => format!("{n} requests"),
                    step => spell_time(step.and_then(|s| s.for_ms).unwrap_or(0)),
                };
                write!(f, "steps{} each {each}{spacing}", list(*over, &mut steps.iter().map(|s| s.level)))
            }
            Shape::Sweep { over, levels, settle_ms, spacing } => {
                write!(f, "sweep{} settle {}{spacing}", list(*over, &mut levels.iter().copied()), spell_time(*settle_ms))
            }
            Shape::Replay { at_ms, speed } => {
                write!(f, "replay speed {speed}")?;
                at_ms.iter().try_for_each(|ms| write!(f, " {ms}"))
            }
        }
    }
}

impl Cancel {
    /// Reads a share and two times: `10% after 500ms to 2s`.
    pub fn spelled(text: &str) -> Result<Cancel, Unspelled> {
        let mut words = Words::of(text);
        let word = words.next();
        let percent: f64 = word.strip_suffix('%').and_then(number).ok_or_else(|| no(word, CANCEL))?;
        words.expect("after", CANCEL)?;
        let from_ms = words.time()?;
        let to_ms = if words.takes("to") { words.time()? } else { from_ms };
        words.end(Cancel { share: percent / 100.0, from_ms, to_ms })
    }
}

impl fmt::Display for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the noise of a binary fraction.
        let percent = (self.share * 1e8).round() / 1e6;
        write!(f, "{percent}% after {} to {}", spell_time(self.from_ms), spell_time(self.to_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let lines = [
            "closed",
            "rate 5/s",
            "poisson 0.5/s",
            "gamma 5/s burstiness 0.25",
            "ramp 1/s to 10/s over 60s poisson",
            "steps 1 2 4 each 30s",
            "steps 1/s 2/s each 40 requests gamma 2",
            "sweep 1 2 4 8 settle 1500ms",
            "sweep 1/s 2.5/s settle 0s poisson",
            "replay speed 2 0 2.5 40",
        ];
        for line in lines {
            let shape = Shape::spelled(line).expect(line);
            assert_eq!(shape.to_string(), line);
            assert_eq!(Shape::spelled(&shape.to_string()), Ok(shape));
        }
        assert_eq!(Shape::spelled("  "), Ok(Shape::Closed));
        assert_eq!(Shape::spelled("steps 1 each 2min").map(|s| s.to_string()), Ok("steps 1 each 120s".to_owned()));
        let cancel = Cancel { share: 0.1, from_ms: 500, to_ms: 2000 };
        assert_eq!(Cancel::spelled("10% after 500ms to 2s"), Ok(cancel));
        assert_eq!(cancel.to_string(), "10% after 500ms to 2s");
    }

    #[test]
    fn errors_name_the_part_and_what_may_stand_there() {
        let refused = |line: &str| Shape::spelled(line).expect_err(line).to_string();
        assert!(refused("burst 5/s").contains("“burst” is not understood; write closed; rate 5/s;"));
        assert_eq!(refused("poisson 5"), "“5” is not understood; write 5/s");
        assert!(refused("gamma 5/s").contains("burstiness 0.5"));
        assert!(refused("sweep 1 2/s").contains("1/s 2/s 4/s"));
        assert!(refused("steps 1 2 each 30").contains("40 requests"));
        assert!(refused("rate 5/s please").contains("“please”"));
        assert!(refused("ramp 1/s to 5/s over 10").contains("500ms, 30s, 5min"));
        assert!(Cancel::spelled("10 after 1s").expect_err("no %").to_string().contains("10% after"));
    }
}
