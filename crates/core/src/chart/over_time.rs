//! What happened when? Every request at the instant it was sent, with its figure and how it ended; warm-up stands apart.

use super::frame::{Along, across, along_side, upright};
use super::scene::{Figure, Form, Glyph, Ink, Layer, Place, Reading, Rect, Shape, Tick};
use super::server_metrics::stretch;
use super::sheet::{Sheet, axis_value, begin, sample, unit, with_unit};
use crate::format::{count, significant};
use crate::mark::Mark;
use crate::metrics::Metric;
use crate::outcome::Outcome;
use crate::summary::row_context;
use crate::text::{Cht, metric_name, outcome};
use crate::trace::Trace;

/// The height of the lane for requests without a time.
const LANE: f64 = 18.0;

/// How an outcome is drawn: colour and shape.
pub(super) fn mark(outcome: &Outcome, metric: Metric) -> (Ink, Glyph, Cht) {
    match outcome {
        Outcome::Complete => (Ink::of(metric), Glyph::Dot, Cht::Complete),
        Outcome::Timeout | Outcome::Cut => (Ink::Warn, Glyph::Triangle, Cht::AtLeast),
        Outcome::Cancelled | Outcome::Slept | Outcome::Frozen | Outcome::Backgrounded => {
            (Ink::Muted, Glyph::Diamond, Cht::Interrupted)
        }
        _ => (Ink::Warn, Glyph::Cross, Cht::Failed),
    }
}

/// A request in the picture.
struct Dot<'a> {
    trace: &'a Trace,
    /// µs since the run began.
    at: i64,
    /// Its figure; none if it has none and yet belongs here, as a failure does.
    value: Option<(i64, Option<i64>)>,
}

/// Every request that was sent and has the figure, or did not end well.
fn dots<'a>(sheet: &Sheet<'a>, metric: Metric) -> Vec<Dot<'a>> {
    let Some(begin) = begin(sheet.run) else { return Vec::new() };
    let dot = |trace: &'a Trace| {
        let at = (trace.marks.get(Mark::Sent).ok()? - begin).0;
        let value = sample(trace, metric).map(|s| (s.low, s.high));
        (value.is_some() || trace.outcome != Outcome::Complete).then_some(Dot { trace, at, value })
    };
    sheet.all().filter_map(dot).collect()
}

/// Every request over time; none of a pooled metric, which is no request's own.
pub fn over_time(sheet: &Sheet, metric: Metric) -> Option<Figure> {
    if metric == Metric::InterChunk {
        return None;
    }
    let name = metric_name(sheet.lang, metric);
    let (id, title) = ("over_time", sheet.say(Cht::OverTime, &[name]));
    let dots = dots(sheet, metric);
    if dots.is_empty() {
        let mut why = vec![Cht::NoteNobody.get(sheet.lang).to_owned()];
        why.extend(sheet.missing(metric));
        return Some(sheet.nothing(id, title, why));
    }
    let ends = || dots.iter().filter_map(|d| d.value).flat_map(|(low, high)| [low, high.unwrap_or(low)]);
    let (least, most) = (ends().min().unwrap_or(0).min(0), ends().max().unwrap_or(0).max(1));
    let lane = dots.iter().any(|d| d.value.is_none());
    // The lane stands above the highest value.
    let inner = if lane { sheet.size.height - LANE } else { sheet.size.height };
    let lowered = super::scene::Size { height: inner, ..sheet.size };
    let (mut plot, mut y, mut y_ticks) = upright(lowered, axis_value(least), axis_value(most));
    if lane {
        plot.height += LANE;
        y.start += LANE;
        y_ticks.iter_mut().for_each(|t| t.at += LANE);
    }
    let lane_at = plot.y + LANE / 2.0 - 2.0;
    // All sent at once stand at the left of a second.
    let last = dots.iter().map(|d| d.at).max().filter(|last| *last >= 1000).unwrap_or(1_000_000);
    // Beside the server's own metrics both go over the same time.
    let (from, to) = stretch(sheet.run).unwrap_or((0, last));
    let x = Along::right(plot, from as f64 / 1e6, to as f64 / 1e6);
    let mut figure = sheet.figure(id, title, plot);
    figure.x = across(Cht::AxisSinceBegin.get(sheet.lang), "s", x.ticks(), sheet.size);
    if lane {
        y_ticks.retain(|t| t.at > lane_at + 14.0);
        y_ticks.push(Tick { at: lane_at, label: String::new() });
    }
    figure.y = along_side(name, unit(metric), y_ticks);
    warm_up(sheet, &mut figure, &dots, &x);
    let mut points: Vec<(Ink, Glyph, Cht, Vec<Place>)> = Vec::new();
    let mut add = |(ink, glyph, name): (Ink, Glyph, Cht), place| match points
        .iter_mut()
        .find(|(i, g, n, _)| (*i, *g, *n) == (ink, glyph, name))
    {
        Some((_, _, _, places)) => places.push(place),
        None => points.push((ink, glyph, name, vec![place])),
    };
    let mut bounds: [Vec<(Place, Place)>; 2] = Default::default();
    for dot in &dots {
        let at = x.at(dot.at as f64 / 1e6);
        let (ink, glyph, name) = mark(&dot.trace.outcome, metric);
        let (ink, name) = if dot.trace.planned.warmup { (Ink::Muted, Cht::WarmUp) } else { (ink, name) };
        let height = |value: i64| y.at(axis_value(value));
        let (place, reach) = match dot.value {
            Some((low, Some(high))) if low != high => {
                bounds[usize::from(dot.trace.planned.warmup)].push(((at, height(low)), (at, height(high))));
                ((at, (height(low) + height(high)) / 2.0), (height(low) - height(high)) / 2.0)
            }
            Some((low, None)) => {
                add((if dot.trace.planned.warmup { ink } else { Ink::Warn }, Glyph::Triangle, Cht::AtLeast), (at, height(low)));
                ((at, height(low)), 0.0)
            }
            Some((value, _)) => {
                add((ink, glyph, name), (at, height(value)));
                ((at, height(value)), 0.0)
            }
            None => {
                // A triangle would say “at least this”, and there is nothing to say it of.
                let glyph = if glyph == Glyph::Triangle { Glyph::Cross } else { glyph };
                let name = if name == Cht::AtLeast { Cht::Failed } else { name };
                add((ink, glyph, name), (at, lane_at));
                ((at, lane_at), 0.0)
            }
        };
        figure.spot(place, (0.0, reach), &[dot.trace.planned.id]);
    }
    for (strokes, (ink, name)) in bounds.into_iter().zip([(Ink::of(metric), Cht::BoundsOf), (Ink::Muted, Cht::WarmUp)]) {
        if !strokes.is_empty() {
            figure.layers.push(Layer::new(ink, Shape::Strokes(strokes)));
            figure.key(ink, Form::Stroke, name.get(sheet.lang));
        }
    }
    points.sort_by_key(|(ink, ..)| *ink == Ink::Warn);
    for (ink, glyph, name, places) in points {
        figure.layers.push(Layer::new(ink, Shape::Points(glyph, places)));
        figure.key(ink, Form::Point(glyph), name.get(sheet.lang));
    }
    if lane {
        figure.notes.push(sheet.say(Cht::NoteLane, &[&count(dots.iter().filter(|d| d.value.is_none()).count())]));
    }
    figure.notes.extend(sheet.missing(metric));
    figure.reading = Reading::Samples(metric);
    tell(sheet, &mut figure, &dots, metric, last);
    Some(figure)
}

/// Where warm-up ends.
fn warm_up(sheet: &Sheet, figure: &mut Figure, dots: &[Dot], x: &Along) {
    let measured = dots.iter().filter(|d| !d.trace.planned.warmup).map(|d| d.at).min();
    let Some(ends) = measured.filter(|_| dots.iter().any(|d| d.trace.planned.warmup)) else { return };
    let (plot, at) = (figure.plot, x.at(ends as f64 / 1e6));
    let over = Rect { width: at - plot.x, ..plot };
    figure.layers.push(Layer::faint(Ink::Muted, Shape::Rects(vec![over])));
    let label = Cht::WarmUpEnds.get(sheet.lang).to_owned();
    figure.layers.push(Layer::new(Ink::Muted, Shape::Rule { from: (at, plot.y), to: (at, plot.bottom()), label }));
}

fn tell(sheet: &Sheet, figure: &mut Figure, dots: &[Dot], metric: Metric, last: i64) {
    let measured = || dots.iter().map(|d| d.trace).filter(|t| !t.planned.warmup);
    let of = |holds: &dyn Fn(&Trace) -> bool| count(measured().filter(|t| holds(t)).count());
    let values = [
        of(&|_| true),
        significant(last as f64 / 1e6, 1),
        of(&|t| t.outcome == Outcome::Complete),
        of(&|t| t.outcome.is_failure()),
        count(dots.len() - measured().count()),
    ];
    let about = sheet.say(Cht::AboutOverTime, &values.each_ref().map(String::as_str));
    figure.about = format!("{}. {about}", figure.title);
    let value = |dot: &Dot| match dot.value {
        Some((low, Some(high))) if low == high => with_unit(metric, low, sheet.step()),
        Some((low, Some(high))) => {
            format!("{}–{}", with_unit(metric, low, sheet.step()), with_unit(metric, high, sheet.step()))
        }
        Some((low, None)) => format!("≥ {}", with_unit(metric, low, sheet.step())),
        None => "–".to_owned(),
    };
    let row = |dot: &Dot| {
        let sent = significant(dot.at as f64 / 1e6, 2);
        [count(dot.trace.planned.id as usize), sent, value(dot), outcome(sheet.lang, &dot.trace.outcome)]
    };
    let head = [Cht::ColRequest, Cht::ColSent, Cht::AxisTime, Cht::ColOutcome];
    figure.table = sheet.table(head, dots.iter().map(row));
    if let Some(row) = sheet.rows(metric).first() {
        figure.context = row_context(sheet.run, row, sheet.lang);
    }
}
