//! What do the server's own aggregate metrics say while a run goes on?
//!
//! A metrics page (Prometheus, OpenMetrics) is asked for at a fixed period. [`Sampler`] keeps what each reply says, in our own
//! [`Quantity`]; what was not read stays missing, with the reason. [`series`] gives each quantity over the run's time,
//! [`figures`] the same in a row, and [`observed`] what a histogram counted meanwhile, as bounds of quantiles.
//!
//! Aggregates have no key of a request: they hold everything that the server served, other people's requests and the warm-up
//! too. They are therefore put beside this page's own distribution by quantiles alone, and never subtracted.
//!
//! Sampling must not disturb what is measured: one question at a time, on the page's main thread and not in the worker that
//! stamps, without key and own headers (so that no preflight is sent), and a question that is due while the one before is not
//! answered is left out ([`Sampler::skip`]). It takes a connection: over HTTP/1.1 to the target's own origin that is one of the
//! browser's six, which [`takes_a_connection`] finds out and the result says.

mod exposition;
mod names;
mod observed;
mod reading;
mod series;

pub use exposition::{Exposition, Kind, Sample as TextSample, Wrong, parse};
pub use names::{KNOWN, Known, Quantity, Speaker, Together, known_name};
pub use observed::{Between, NotObserved, Observed, observed, resets};
pub use reading::{Buckets, Reading, Unusable};
pub use series::{Figure, Series, Unit, figures, mean_and_largest, series};

use serde::{Deserialize, Serialize};

use crate::Micros;
use crate::config::same_origin;
use crate::mark::Mark;
use crate::order::by_key;
use crate::report::Run;

/// The shortest period, in ms: a page of metrics costs the server some ms to write.
pub const MIN_PERIOD_MS: u32 = 250;
/// The longest period, in ms.
pub const MAX_PERIOD_MS: u32 = 60_000;
/// The period if none is given, in ms.
pub const PERIOD_MS: u32 = 1000;

/// Where a server's metrics are, and how often they are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerMetrics {
    /// The address of the metrics page.
    pub url: String,
    /// From one question to the next, in ms.
    #[serde(default = "period")]
    pub period_ms: u32,
}

fn period() -> u32 {
    PERIOD_MS
}

/// Why a sample is missing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missed {
    /// No reply that this page may read: the network, or CORS (the browser tells no page which); in the browser's words.
    Network(String),
    /// A reply with another status than 200.
    Status(u16),
    /// A page on which nothing is known.
    NothingKnown,
    /// It was due while the one before was not answered.
    Busy,
}

impl From<String> for Missed {
    fn from(words: String) -> Missed {
        Missed::Network(words)
    }
}

/// What one page said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Gauges and counters, in the order of [`Quantity::ALL`].
    pub numbers: Vec<(Quantity, f64)>,
    /// Histograms, in that order.
    pub histograms: Vec<(Quantity, Buckets)>,
}

impl Values {
    /// A gauge's or counter's value.
    pub fn number(&self, quantity: Quantity) -> Option<f64> {
        self.numbers.iter().find(|(q, _)| *q == quantity).map(|(_, value)| *value)
    }

    /// A histogram.
    pub fn histogram(&self, quantity: Quantity) -> Option<&Buckets> {
        self.histograms.iter().find(|(q, _)| *q == quantity).map(|(_, buckets)| buckets)
    }
}

/// One sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Between question and answer, on the page's clock. The server's numbers are of some instant not further away than half
    /// of `took`.
    pub at: Micros,
    /// From question to answer.
    pub took: Micros,
    /// What it said.
    pub read: Result<Values, Missed>,
}

/// What was read in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scraped {
    /// In order of time.
    pub samples: Vec<Sample>,
    /// Whose names were found.
    pub speakers: Vec<Speaker>,
    /// Known names that told nothing, and in how many samples.
    pub unusable: Vec<(Quantity, Unusable, u32)>,
    /// Lines that were not understood, over all samples.
    pub not_understood: u64,
}

impl Scraped {
    /// Samples that said something, in order of time.
    pub fn read(&self) -> impl Iterator<Item = (Micros, &Values)> {
        self.samples.iter().filter_map(|sample| Some((sample.at, sample.read.as_ref().ok()?)))
    }

    /// Why samples are missing, and how many, in order of frequency.
    pub fn missed(&self) -> Vec<(&Missed, usize)> {
        let mut reasons: Vec<(&Missed, usize)> = Vec::new();
        for why in self.samples.iter().filter_map(|sample| sample.read.as_ref().err()) {
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, n)) => *n += 1,
                None => reasons.push((why, 1)),
            }
        }
        by_key(&mut reasons, |(_, n)| std::cmp::Reverse(*n));
        reasons
    }
}

/// Takes replies as they come.
#[derive(Clone, Debug, Default)]
pub struct Sampler(Scraped);

impl Sampler {
    /// One reply, with the page's clock before the question and after the answer (or its failure).
    pub fn take(&mut self, asked: Micros, answered: Micros, reply: Result<&str, Missed>) {
        let read = reply.and_then(|text| self.read(text));
        let took = Micros((answered - asked).0.max(0));
        self.0.samples.push(Sample { at: Micros(asked.0 + took.0 / 2), took, read });
    }

    /// One was due at this time and not asked for, since the one before was not answered.
    pub fn skip(&mut self, at: Micros) {
        self.0.samples.push(Sample { at, took: Micros::ZERO, read: Err(Missed::Busy) });
    }

    /// What was read so far.
    pub fn finish(mut self) -> Scraped {
        by_key(&mut self.0.samples, |sample| sample.at);
        self.0
    }

    fn read(&mut self, text: &str) -> Result<Values, Missed> {
        let reading = Reading::of(text);
        self.0.not_understood += reading.not_understood as u64;
        for speaker in reading.speakers {
            if !self.0.speakers.contains(&speaker) {
                self.0.speakers.push(speaker);
            }
        }
        for (quantity, why) in reading.unusable {
            match self.0.unusable.iter_mut().find(|(q, w, _)| (*q, *w) == (quantity, why)) {
                Some((_, _, n)) => *n += 1,
                None => self.0.unusable.push((quantity, why, 1)),
            }
        }
        let nothing = reading.values.is_empty() && reading.histograms.is_empty();
        if nothing { Err(Missed::NothingKnown) } else { Ok(Values { numbers: reading.values, histograms: reading.histograms }) }
    }
}

/// From the first measured `sent` to the last measured end; none if nothing was sent.
pub fn measured_part(run: &Run) -> Option<(Micros, Micros)> {
    let measured = || run.traces.iter().filter(|t| !t.planned.warmup);
    let from = measured().filter_map(|t| t.marks.get(Mark::Sent).ok()).min()?;
    let end = |mark| move |t: &crate::trace::Trace| t.marks.get(mark).ok();
    let (terminal, body_end) = (end(Mark::Terminal), end(Mark::BodyEnd));
    let to = measured().map(|t| terminal(t).or_else(|| body_end(t)).unwrap_or(t.last_known)).max()?;
    Some((from, to.max(from)))
}

/// Sampling took one of the browser's six connections to the target: the same origin, over HTTP/1.1.
pub fn takes_a_connection(run: &Run) -> bool {
    let Some(asked) = &run.config.server_metrics else { return false };
    let old = |t: &crate::trace::Trace| t.network.as_ref().is_ok_and(|n| n.protocol.as_deref() == Some("http/1.1"));
    same_origin(&asked.url, &run.config.url) && run.traces.iter().any(old)
}

#[cfg(test)]
pub(crate) mod tests;
