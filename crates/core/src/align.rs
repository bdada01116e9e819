//! How far is a server's clock from the page's, and how wrong may that be? From probes: small requests that the server answers
//! at once with its own time (`docs/aligned.md`).

use crate::Micros;
use crate::report::Run;
use crate::server_report::{Stages, sound_clock, time};
use firstlight_json::Tape;

/// How fast two sound clocks may run apart, in µs per second: what clocks of computers are slewed by at most (NTP). What
/// disagrees by more was set in between.
const MAX_DRIFT_PER_S: i64 = 500;

/// One probe: when the page sent it and had its reply, and what the server's clock said in between. Raw evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The page's clock just before it was sent.
    pub sent: Micros,
    /// The page's clock when the reply was there.
    pub received: Micros,
    /// The server's clock when it had read the probe.
    pub server_received: Micros,
    /// The server's clock just before it answered.
    pub server_sent: Micros,
    /// Which clock of the server.
    pub clock: String,
}

/// What a server answered to a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When it had read the probe.
    pub received: Micros,
    /// When it answered.
    pub sent: Micros,
    /// Which clock.
    pub clock: String,
}

impl Answer {
    /// With the page's own stamps.
    pub fn between(self, sent: Micros, received: Micros) -> Probe {
        Probe { sent, received, server_received: self.received, server_sent: self.sent, clock: self.clock }
    }
}

/// Reads a probe's reply, `{"clock": "ID", "received_us": N, "sent_us": N}`; none of anything else.
pub fn answer(body: &str) -> Option<Answer> {
    let mut tape = Tape::default();
    let json = tape.read(body.trim()).ok()?;
    let clock = json.text_at("clock").and_then(|clock| sound_clock(&clock))?;
    let at = |name: &str| time(json.get(name)?.raw());
    Some(Answer { received: at("received_us")?, sent: at("sent_us")?, clock })
}

/// The probes of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// Before its first request.
    pub before: Vec<Probe>,
    /// After its last.
    pub after: Vec<Probe>,
}

/// What is added to a server's times to get the page's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// The addend.
    pub offset: Micros,
    /// How far from the truth it may be: half of the smallest round trip, or what a drift between the first probes and the
    /// last makes of it. A drift that hides in the errors of both is not known.
    pub error: Micros,
}

/// Why a server's clock can't be joined to the page's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// No probe was answered by this clock before the run: none was sent, or another replica answered.
    NotProbed,
    /// None was after it, so that nobody knows whether the clock was right all the time.
    NotProbedAfter,
    /// Before and after disagree by more than clocks run apart: one of them was set.
    Stepped,
}

/// The clocks of a run's server, joined to the page's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment(Vec<(String, Result<Offset, Refusal>)>);

impl Alignment {
    /// From a run's probes.
    pub fn of(run: &Run) -> Alignment {
        Alignment::from_probes(&run.probes, Micros(run.clock.step_us))
    }

    /// From probes; `step` is what the page's clock rounds to.
    pub fn from_probes(probes: &Probes, step: Micros) -> Alignment {
        let mut clocks: Vec<&str> = probes.before.iter().chain(&probes.after).map(|p| p.clock.as_str()).collect();
        clocks.sort_unstable();
        clocks.dedup();
        Alignment(clocks.into_iter().map(|clock| (clock.to_owned(), joined(probes, clock, step))).collect())
    }

    /// What is added to the times of these stages.
    pub fn offset(&self, stages: &Stages) -> Result<Offset, Refusal> {
        self.0.iter().find(|(clock, _)| *clock == stages.clock).map_or(Err(Refusal::NotProbed), |(_, offset)| *offset)
    }

    /// Every clock that answered a probe.
    pub fn clocks(&self) -> &[(String, Result<Offset, Refusal>)] {
        &self.0
    }
}

/// One probe's word: the offset lies in the middle, give or take half of the time that the probe was under way.
#[derive(Clone, Copy)]
struct Sample {
    at: Micros,
    offset: Micros,
    error: Micros,
}

/// None of a probe that can't be: a clock was set while it was under way.
fn sample(probe: &Probe, step: Micros) -> Option<Sample> {
    // The server read its clock after the page sent the probe, and again before the page had the reply.
    let low = probe.sent - probe.server_received - step;
    let high = probe.received - probe.server_sent + step;
    let sound = low <= high && probe.sent <= probe.received && probe.server_received <= probe.server_sent;
    sound.then(|| Sample {
        at: probe.sent,
        offset: Micros((low.0 + high.0).div_euclid(2)),
        error: Micros((high.0 - low.0 + 1).div_euclid(2)),
    })
}

/// The sample with the smallest round trip, the server's own time left out.
fn best(probes: &[Probe], clock: &str, step: Micros) -> Option<Sample> {
    probes.iter().filter(|p| p.clock == clock).filter_map(|p| sample(p, step)).min_by_key(|s| s.error)
}

fn joined(probes: &Probes, clock: &str, step: Micros) -> Result<Offset, Refusal> {
    let before = best(&probes.before, clock, step).ok_or(Refusal::NotProbed)?;
    let after = best(&probes.after, clock, step).ok_or(Refusal::NotProbedAfter)?;
    let apart = Micros((after.offset - before.offset).0.abs());
    if apart <= before.error + after.error {
        let best = if after.error < before.error { after } else { before };
        return Ok(Offset { offset: best.offset, error: best.error });
    }
    let beyond = apart - before.error - after.error;
    if i128::from(beyond.0) * 1_000_000 > i128::from((after.at - before.at).0.max(0)) * i128::from(MAX_DRIFT_PER_S) {
        return Err(Refusal::Stepped);
    }
    // The clocks drift: from what holds before to what holds after, everything in between is covered.
    let low = (before.offset - before.error).min(after.offset - after.error);
    let high = (before.offset + before.error).max(after.offset + after.error);
    Ok(Offset { offset: Micros((low.0 + high.0).div_euclid(2)), error: Micros((high.0 - low.0 + 1).div_euclid(2)) })
}

#[cfg(test)]
mod tests;
