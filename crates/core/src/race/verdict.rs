//! What do interleaved pairs say? What streaming changed of the first words, and whether completion stayed within a margin.

use super::Margin;
use crate::Micros;
use crate::format::{count, millis, signed_millis};
use crate::metrics::{Figure, Metric};
use crate::order::by_key;
use crate::outcome::Outcome;
use crate::report::Run;
use crate::sections::{Section, Tone};
use crate::stats::{Bounds, Distribution, Interval, P50, Side, Verdict, minimum_n, nearest_rank};
use crate::summary::{clock_error, context_line};
use crate::text::{Lang, Rac, fill, metric_name};
use crate::trace::{Mode, Trace};

/// Fewer pairs have no interval.
pub const MIN_PAIRS: u32 = 6;
/// More belong to the measuring page.
pub const MAX_PAIRS: u32 = 1_000;
/// Where nothing else is said.
pub(super) const USUAL_PAIRS: u32 = 20;

/// Differences of pairs, streaming − not streaming, of one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// When it was on the screen; else when it was received.
    pub seen: bool,
    /// Pairs of which both sides are known this way.
    pub n: usize,
    /// The median difference: its bounds, equal where every value is exact.
    pub estimate: Bounds,
    /// The 95 % interval of the median, its ends outwards by the bounds of the values.
    pub interval: Interval<Option<i64>>,
    /// What may be said, with the clocks' error added to both ends.
    pub verdict: Verdict,
}

/// The verdict of a run in pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Pairs that were measured.
    pub pairs: usize,
    /// Of these, left out since a side did not end well.
    pub failed: usize,
    /// Of these, left out since the answers differ in length.
    pub unequal: usize,
    /// The first words; no margin applies.
    pub first: Compared,
    /// The whole answer, judged by the margin.
    pub complete: Compared,
    /// The margin in µs; none where it is a share and nothing was measured.
    pub margin: Option<i64>,
    /// The clocks' error of a difference.
    pub error: Micros,
}

/// The answers have the same length: the same number of tokens where the server reports them, else of characters.
pub(super) fn same_length(a: &Trace, b: &Trace) -> bool {
    let tokens = |t: &Trace| t.usage.and_then(|usage| usage.output);
    match (tokens(a), tokens(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a.amounts.answer_chars == b.amounts.answer_chars,
    }
}

/// The metrics of an instant: of the streaming side, of the other.
fn metrics(first: bool, seen: bool) -> (Metric, Metric) {
    match (first, seen) {
        (true, true) => (Metric::FirstVisible, Metric::FirstVisible),
        // The whole answer's first words are received with its last.
        (true, false) => (Metric::FirstAnswer, Metric::EndToEnd),
        (false, true) => (Metric::CompleteVisible, Metric::CompleteVisible),
        (false, false) => (Metric::EndToEnd, Metric::EndToEnd),
    }
}

/// The difference of a pair, where both of its ends are known.
pub(super) fn bounds_of(streaming: &Trace, whole: &Trace, first: bool, seen: bool) -> Option<Bounds> {
    let (of_streaming, of_whole) = metrics(first, seen);
    let ends = |metric: Metric, trace: &Trace| match metric.of(trace).ok()? {
        Figure::Exact(value) => Some((value, value)),
        Figure::Bounds(low, high) => Some((low, high?)),
    };
    let ((low, high), (whole_low, whole_high)) = (ends(of_streaming, streaming)?, ends(of_whole, whole)?);
    Some(Bounds { lower: Some(low - whole_high), upper: Some(high - whole_low) })
}

fn compared(pairs: &[(&Trace, &Trace)], first: bool, error: Micros, margin: Option<i64>) -> Compared {
    let of = |seen: bool| {
        let all = pairs.iter().filter_map(|(s, w)| bounds_of(s, w, first, seen));
        let (low, high): (Vec<i64>, Vec<i64>) = all.filter_map(|b| b.lower.zip(b.upper)).unzip();
        (Distribution::new(low, Vec::new()), Distribution::new(high, Vec::new()))
    };
    let (sight, receipt) = (of(true), of(false));
    // What is known of a few only would be a choice of those few.
    let enough = sight.0.n() >= minimum_n(P50) && 2 * sight.0.n() >= pairs.len();
    let (seen, (low, high)) = if enough || receipt.0.n() <= sight.0.n() { (true, sight) } else { (false, receipt) };
    let side = Side { low: &low, high: &high };
    let interval = side.interval(P50);
    let widened = match interval {
        Interval::Between { lower, upper } => {
            Interval::Between { lower: lower.map(|l| l - error.0), upper: upper.map(|u| u + error.0) }
        }
        needs => needs,
    };
    Compared { seen, n: side.n(), estimate: side.percentile(P50), interval, verdict: Verdict::of(widened, margin) }
}

/// What a run in pairs says. Only pairs of two complete answers of the same length count.
pub fn verdicts(run: &Run, margin: Margin) -> Verdicts {
    let mut halves: Vec<&Trace> = run.traces.iter().filter(|t| !t.planned.warmup && t.planned.pair.is_some()).collect();
    by_key(&mut halves, |t| (t.planned.pair, t.planned.mode == Mode::NonStreaming, t.planned.id));
    let is_pair = |w: &&[&Trace]| {
        w[0].planned.pair == w[1].planned.pair
            && (w[0].planned.mode, w[1].planned.mode) == (Mode::Streaming, Mode::NonStreaming)
    };
    let all: Vec<(&Trace, &Trace)> = halves.windows(2).filter(is_pair).map(|w| (w[0], w[1])).collect();
    let ended_well = |(s, w): &(&Trace, &Trace)| [&s.outcome, &w.outcome] == [&Outcome::Complete; 2];
    let well: Vec<_> = all.iter().copied().filter(ended_well).collect();
    let equal: Vec<_> = well.iter().copied().filter(|(s, w)| same_length(s, w)).collect();
    let error = clock_error(run);
    let mut whole: Vec<i64> = equal
        .iter()
        .filter_map(|(_, w)| match Metric::EndToEnd.of(w) {
            Ok(Figure::Exact(value)) => Some(value),
            _ => None,
        })
        .collect();
    whole.sort_unstable();
    let margin = margin.micros(nearest_rank(&whole, P50));
    Verdicts {
        pairs: all.len(),
        failed: all.len() - well.len(),
        unequal: well.len() - equal.len(),
        first: compared(&equal, true, error, None),
        complete: compared(&equal, false, error, margin),
        margin,
        error,
    }
}

/// The verdict in words.
pub fn verdict_section(run: &Run, margin: Margin, lang: Lang) -> Section {
    let found = verdicts(run, margin);
    let step = Micros(run.clock.step_us);
    let say = |key: Rac, values: &[&str]| fill(key.get(lang), values);
    let mut sentences = vec![first_words(&found, step, lang), completion(&found, step, lang)];
    if found.failed > 0 {
        sentences.push((Tone::Warn, say(Rac::LeftOutFailed, &[&count(found.failed), &count(found.pairs)])));
    }
    if found.unequal > 0 {
        sentences.push((Tone::Warn, say(Rac::LeftOutUnequal, &[&count(found.unequal), &count(found.pairs)])));
    }
    let seen = |compared: &Compared| compared.seen;
    if !seen(&found.first) || !seen(&found.complete) {
        sentences.push((Tone::Plain, Rac::ByReceipt.get(lang).to_owned()));
    }
    let mut context = context_line(run, lang, None, "", &say(Rac::PairsOf, &[&count(found.pairs)]));
    let frame = run.environment.frame_interval_us.filter(|_| seen(&found.first) || seen(&found.complete));
    if let Some(frame) = frame {
        context += &format!(" · {}", say(Rac::Frames, &[&millis(frame, Micros(100))]));
    }
    context += &format!(" · {}", say(Rac::ClockError, &[&millis(found.error.0, Micros(1))]));
    Section { id: "race-verdict", title: Rac::VerdictTitle.get(lang).to_owned(), sentences, tables: Vec::new(), context }
}

/// The estimate, the interval and n, in words; none below the smallest n.
fn figures(compared: &Compared, step: Micros) -> Option<[String; 3]> {
    let Interval::Between { lower, upper } = compared.interval else { return None };
    let pair = |low: Option<i64>, high: Option<i64>| {
        let (low, high) = (signed_millis(low?, step), signed_millis(high?, step));
        Some(if low == high { low } else { format!("{low} … {high}") })
    };
    let Bounds { lower: low, upper: high } = compared.estimate;
    Some([pair(low, high)?, format!("{} … {}", signed_millis(lower?, step), signed_millis(upper?, step)), count(compared.n)])
}

fn name(compared: &Compared, first: bool, lang: Lang) -> &'static str {
    metric_name(lang, metrics(first, compared.seen).0)
}

fn first_words(found: &Verdicts, step: Micros, lang: Lang) -> (Tone, String) {
    let of = &found.first;
    let Some([median, interval, n]) = figures(of, step) else { return (Tone::Warn, too_few(of, true, lang)) };
    let (tone, key) = match of.verdict {
        Verdict::Lower => (Tone::Good, Rac::FirstEarlier),
        Verdict::Higher => (Tone::Good, Rac::FirstLater),
        _ => (Tone::Plain, Rac::FirstOpen),
    };
    // The size has no sign where the words say the direction.
    let bare = |text: &str| text.replace(['−', '+'], "");
    let size = if tone == Tone::Good { bare(&median) } else { median };
    (tone, fill(key.get(lang), &[name(of, true, lang), &size, &interval, &n]))
}

fn completion(found: &Verdicts, step: Micros, lang: Lang) -> (Tone, String) {
    let of = &found.complete;
    let (Some([median, interval, n]), Some(margin)) = (figures(of, step), found.margin) else {
        return (Tone::Warn, too_few(of, false, lang));
    };
    let (tone, key) = match of.verdict {
        Verdict::NoDifference => (Tone::Good, Rac::EndSame),
        Verdict::Lower | Verdict::Higher => (Tone::Plain, Rac::EndDiffers),
        _ => (Tone::Plain, Rac::EndOpen),
    };
    (tone, fill(key.get(lang), &[name(of, false, lang), &median, &interval, &n, &millis(margin, Micros::ms(1))]))
}

fn too_few(compared: &Compared, first: bool, lang: Lang) -> String {
    let needs = minimum_n(P50).to_string();
    fill(Rac::TooFew.get(lang), &[name(compared, first, lang), &needs, &count(compared.n)])
}
