//! Buffered upstream: did something on the way collect outputs before it passed them on?

use super::case::{Case, ids, middle, reaches, share_of, wait_of};
use super::compression::compressed;
use super::{ENOUGH, TYPICAL, Told};
use crate::Micros;
use crate::delivery::{BURSTS, PAUSE_US, comes_in_bursts, is_buffered_upstream, middle_pause};
use crate::format::{count, significant};
use crate::server_report::Boundary;
use crate::text::Dia;
use crate::trace::Trace;

/// A stream of fewer outputs comes in one read or two by itself.
const OUTPUTS: u32 = 4;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let streams = Streams::of(case)?;
    // A compressor is a collector with a name of its own.
    let (compressed, plain): (Vec<_>, Vec<_>) = streams.collected.iter().partition(|t| compressed(t) == Some(true));
    if streams.hold(plain.len()) {
        let evidence = streams.said(case, Dia::BufferedFound, &plain, None);
        let advice = Dia::BufferedDo.get(case.lang).to_owned();
        return Ok(Told::found(evidence, advice, ids(plain.iter().copied()), streams.share(&plain)));
    }
    if streams.hold(compressed.len() + plain.len()) {
        return Err(Dia::BufferedOrCompressed.get(case.lang).to_owned());
    }
    Ok(Told::not_found(case.say(Dia::BufferedNot, &[&count(plain.len()), &count(streams.judged)])))
}

/// Streams of which it can be told whether outputs were collected.
pub(super) struct Streams<'a> {
    pub judged: usize,
    pub collected: Vec<&'a Trace>,
}

impl<'a> Streams<'a> {
    pub fn of(case: &Case<'a>) -> Result<Streams<'a>, String> {
        let streams = case.streams();
        let told: Vec<(&Trace, bool)> = streams.iter().filter_map(|t| Some((*t, collected(t)?))).collect();
        if told.len() < ENOUGH && streams.iter().filter(|t| outputs(t) >= OUTPUTS).count() >= ENOUGH {
            return Err(Dia::BufferedTooFast.get(case.lang).to_owned());
        }
        case.enough(told.len(), ENOUGH, Dia::OfStreams)?;
        Ok(Streams { judged: told.len(), collected: told.into_iter().filter(|(_, c)| *c).map(|(t, _)| t).collect() })
    }

    /// So many are a property of the path.
    pub fn hold(&self, hits: usize) -> bool {
        reaches(hits, self.judged, TYPICAL, ENOUGH / 2)
    }

    /// Evidence: how many, how large bursts are, how far apart; the encoding where it is named.
    pub fn said(&self, case: &Case<'_>, key: Dia, hits: &[&Trace], encoding: Option<&str>) -> String {
        let per_read = |t: &&Trace| Micros(1000 * i64::from(outputs(t)) / t.output_reads().count().max(1) as i64);
        let size = significant(middle(hits.iter().map(per_read)).0 as f64 / 1000.0, 0);
        let apart = case.ms(middle(hits.iter().filter_map(|t| held(t))));
        let (n, of) = (count(hits.len()), count(self.judged));
        match encoding {
            Some(encoding) => case.say(key, &[&n, &of, encoding, &size, &apart]),
            None => case.say(key, &[&n, &of, &size, &apart]),
        }
    }

    /// The first output of a burst was held for as long as the burst took to fill, and never longer than it was waited for.
    pub fn share(&self, hits: &[&Trace]) -> Option<f64> {
        share_of(hits.iter().filter_map(|t| Some((*t, held(t)?.min(wait_of(t)?)))))
    }
}

fn outputs(trace: &Trace) -> u32 {
    trace.output_reads().map(|r| r.output_events).sum()
}

/// Whether outputs of a stream were collected; none where a fast server would look the same. Of a stream in few reads the
/// server's reported generation time stands for the pauses between them.
pub(super) fn collected(trace: &Trace) -> Option<bool> {
    let reads = trace.output_reads().count();
    if outputs(trace) < OUTPUTS || reads == 0 {
        return None;
    }
    if reads >= BURSTS || !comes_in_bursts(trace) {
        return Some(is_buffered_upstream(trace));
    }
    Some(generated_in(trace)?.0 >= PAUSE_US * reads as i64)
}

/// How long a burst took to fill.
fn held(trace: &Trace) -> Option<Micros> {
    let reads = trace.output_reads().count() as i64;
    let reported = || generated_in(trace).map(|time| Micros(time.0 / reads.max(1)));
    if reads as usize >= BURSTS { middle_pause(trace) } else { reported() }
}

/// The server's own time from its first token to its last.
fn generated_in(trace: &Trace) -> Option<Micros> {
    let of = |boundary| trace.spans.iter().filter(move |s| s.boundary == boundary).map(|s| s.value).max();
    let before = || {
        let start = of(Boundary::TimeToFirstToken).or(of(Boundary::Prefill))?;
        Some(start + of(Boundary::Queue).unwrap_or(Micros::ZERO) + of(Boundary::Preprocessing).unwrap_or(Micros::ZERO))
    };
    of(Boundary::Decode).or_else(|| Some(of(Boundary::Total)? - before()?)).filter(|time| *time >= Micros::ZERO)
}
