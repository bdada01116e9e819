//! What did this one race show? Its lanes, each with its clock, and one sentence.

use std::cmp::Ordering;

use super::{Agreement, Lane, agreement};
use crate::Micros;
use crate::format::millis;
use crate::mark::{Absence, Mark};
use crate::metrics::{Figure, Metric};
use crate::outcome::Outcome;
use crate::report::Run;
use crate::stats::Bounds;
use crate::summary::{TimeCell, time_cell};
use crate::text::{Lang, Rac, absence, fill, metric_name, outcome};
use crate::trace::{Mode, Trace};

/// A clock of a lane, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneLine {
    /// What it tells.
    pub metric: Metric,
    /// Its name.
    pub name: &'static str,
    /// The time in ms, or its bounds; none with the reason.
    pub time: Result<String, &'static str>,
}

/// Two lanes of one endpoint, streaming − not streaming.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneRace {
    /// How each ended, the streaming one first.
    pub outcomes: (Outcome, Outcome),
    /// The first words; by sight, or by receipt where sight has no bounds.
    pub first: Option<(bool, Bounds)>,
    /// The whole answer; none where the answers are of different length.
    pub complete: Option<(bool, Bounds)>,
    /// Both answers have the same length.
    pub equal: bool,
}

/// What a lane is called; `lanes` says whether its endpoint must be named.
pub fn lane_name(lane: Lane, lanes: usize, lang: Lang) -> String {
    let mode = if lane.mode == Mode::Streaming { Rac::LaneStreaming } else { Rac::LaneWhole }.get(lang);
    let at = if lane.arm == 0 { Rac::FirstEndpoint } else { Rac::SecondEndpoint }.get(lang);
    if lanes > 2 { fill(Rac::LaneAt.get(lang), &[mode, at]) } else { mode.to_owned() }
}

/// The clocks of a lane: first visible, useful, complete. Where a browser does not tell when something was seen, when it was
/// received stands beside it under its own name.
pub fn lane_lines(run: &Run, lane: Lane, lang: Lang) -> Vec<LaneLine> {
    let Some(trace) = run.request(lane.id) else { return Vec::new() };
    let step = Micros(run.clock.step_us);
    let line = |metric: Metric| LaneLine {
        metric,
        name: metric_name(lang, metric),
        time: match time_cell(trace, metric, step, lang) {
            TimeCell::Time(text) => Ok(text),
            TimeCell::Missing(_, why) => Err(why),
        },
    };
    let mut lines = vec![line(Metric::FirstVisible)];
    if lane.mode == Mode::Streaming {
        lines.push(line(Metric::FirstUseful));
    }
    lines.push(line(Metric::CompleteVisible));
    let bounded = |metric: Metric| matches!(metric.of(trace), Ok(Figure::Exact(_) | Figure::Bounds(_, Some(_))));
    if !bounded(Metric::CompleteVisible) {
        lines.push(line(Metric::EndToEnd));
    }
    lines
}

/// What one race showed of one endpoint; none where it has no such lanes.
pub fn one(run: &Run, arm: u8) -> Option<OneRace> {
    let of = |mode: Mode| run.traces.iter().find(|t| !t.planned.warmup && t.planned.arm == arm && t.planned.mode == mode);
    let (streaming, whole) = (of(Mode::Streaming)?, of(Mode::NonStreaming)?);
    let equal = super::verdict::same_length(streaming, whole);
    Some(OneRace {
        outcomes: (streaming.outcome.clone(), whole.outcome.clone()),
        first: difference(streaming, whole, true),
        complete: if equal { difference(streaming, whole, false) } else { None },
        equal,
    })
}

/// By sight, else by receipt.
fn difference(streaming: &Trace, whole: &Trace, first: bool) -> Option<(bool, Bounds)> {
    let by_sight = |seen| Some((seen, super::verdict::bounds_of(streaming, whole, first, seen)?));
    by_sight(true).or_else(|| by_sight(false))
}

/// What this one race showed, in one sentence.
pub fn sentence(run: &Run, arm: u8, lang: Lang) -> Option<String> {
    let race = one(run, arm)?;
    let say = |key: Rac, values: &[&str]| fill(key.get(lang), values);
    let (streaming, whole) = race.outcomes;
    if [&streaming, &whole] != [&Outcome::Complete; 2] {
        return Some(say(Rac::OneFailed, &[&outcome(lang, &streaming), &outcome(lang, &whole)]));
    }
    let step = Micros(run.clock.step_us);
    let (seen, key, size) = match race.first {
        None => return Some(Rac::OneUnknown.get(lang).to_owned()),
        Some((seen, bounds)) => match size_of(bounds, step) {
            (Ordering::Less, size) => (seen, Rac::OneEarlier, size),
            (Ordering::Greater, size) => (seen, Rac::OneLater, size),
            (Ordering::Equal, size) => (seen, Rac::OneSame, size),
        },
    };
    let how = if seen { Rac::WereSeen } else { Rac::WereReceived }.get(lang);
    let first = say(key, &[how, &size]);
    let end = match race.complete {
        _ if !race.equal => Rac::OneUnequal.get(lang).to_owned(),
        None => Rac::OneEndUnknown.get(lang).to_owned(),
        Some((seen, bounds)) => {
            let how = if seen { Rac::WereSeen } else { Rac::WereReceived }.get(lang);
            let (side, size) = size_of(bounds, step);
            let key = match side {
                Ordering::Less => Rac::OneEndEarlier,
                Ordering::Greater => Rac::OneEndLater,
                Ordering::Equal => Rac::OneEndSame,
            };
            say(key, &[how, &size])
        }
    };
    Some(format!("{first} {end}"))
}

/// On which side of 0 a difference lies, and its size in ms; of one that may lie on both, the largest.
fn size_of(bounds: Bounds, step: Micros) -> (Ordering, String) {
    let (low, high) = (bounds.lower.unwrap_or(i64::MIN), bounds.upper.unwrap_or(i64::MAX));
    let ms = |value: i64| millis(value.saturating_abs(), step);
    let range = |near: i64, far: i64| if near == far { ms(near) } else { format!("{}–{}", ms(near), ms(far)) };
    if high < 0 {
        (Ordering::Less, range(high, low))
    } else if low > 0 {
        (Ordering::Greater, range(low, high))
    } else {
        (Ordering::Equal, ms(low.saturating_abs().max(high.saturating_abs())))
    }
}

/// What stands under every race.
pub fn competing(lang: Lang, lanes: usize) -> String {
    fill(Rac::Compete.get(lang), &[&lanes.to_string()])
}

/// The press that began it: how long until the first request was sent, and until the browser showed that it was pressed; and
/// whether the browser's own record of the press agrees with what each lane shows. What this browser can't tell is said with
/// its reason.
pub fn press_lines(
    run: &Run,
    to_paint: Result<Micros, Absence>,
    contentful: Result<Micros, Absence>,
    lang: Lang,
) -> Vec<String> {
    let step = Micros(run.clock.step_us);
    let sent = |t: &Trace| t.marks.between(Mark::Input, Mark::Sent);
    let first = run.traces.iter().map(sent).min_by_key(|wait| wait.map_or(i64::MAX, |wait| wait.0));
    let line = |key: Rac, time: Result<Micros, Absence>, step: Micros| match time {
        Ok(time) => fill(key.get(lang), &[&millis(time.0, step)]),
        Err(why) => fill(Rac::PressMissing.get(lang), &[Rac::name_of(key).get(lang), absence(lang, why)]),
    };
    let mut lines = vec![
        line(Rac::PressSent, first.unwrap_or(Err(Absence::NotReached)), step),
        // Browsers give it in steps of 8 ms.
        line(Rac::PressPaint, to_paint, Micros::ms(8)),
        line(Rac::PressContentful, contentful, step),
    ];
    let mut lanes: Vec<&Trace> = run.traces.iter().collect();
    lanes.sort_by_key(|t| (t.planned.arm, t.planned.mode == Mode::NonStreaming));
    let named = |t: &Trace| Lane { mode: t.planned.mode, arm: t.planned.arm, id: t.planned.id };
    lines.extend(lanes.iter().filter_map(|t| {
        let agreement = agreement(t)?;
        Some(agreement_line(&lane_name(named(t), lanes.len(), lang), agreement, step, lang))
    }));
    lines
}

fn agreement_line(lane: &str, agreement: Result<Agreement, Absence>, step: Micros, lang: Lang) -> String {
    match agreement {
        Ok(Agreement::Agrees) => fill(Rac::PressAgrees.get(lang), &[lane]),
        Ok(Agreement::Differs(by)) => fill(Rac::PressDiffers.get(lang), &[lane, &millis(by.0.abs(), step)]),
        Err(Absence::NoPaintEntry) => fill(Rac::PressUnchecked.get(lang), &[lane, Rac::PressSmaller.get(lang)]),
        Err(why) => fill(Rac::PressUnchecked.get(lang), &[lane, absence(lang, why)]),
    }
}
