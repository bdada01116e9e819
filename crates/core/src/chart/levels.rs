//! What does more load cost the user? Each level of a sweep: throughput against the wait, and against each answer's pace.

use super::frame::{Along, across, along_side, upright};
use super::scene::{Figure, Form, Glyph, Ink, Layer, Place, Reading, Shape, Weight};
use super::sheet::{Sheet, axis_value};
use crate::breakdown::waits;
use crate::format::{count, significant, value};
use crate::load::{Level, levels, saturation};
use crate::metrics::{Metric, Unit};
use crate::stats::{Distribution, Interval, P, P50, P95};
use crate::summary::{Row, context_line, metric_rows};
use crate::text::{Cht, Sec, fill, metric_name, saturated};
use crate::trace::Trace;

/// A level that has a place on the axis, with its requests.
struct At<'a> {
    level: Level,
    throughput: f64,
    requests: Vec<&'a Trace>,
}

/// The levels of a sweep, and what is said of those that can't be drawn.
fn measured<'a>(sheet: &Sheet<'a>) -> Option<(Vec<At<'a>>, Vec<String>)> {
    let run = sheet.run;
    let judged = saturation(&run.config.load.shape, &levels(&run.config), &run.traces);
    if judged.is_empty() {
        return None;
    }
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    for level in judged {
        if let Some(why) = level.saturated {
            notes.push(fill(Sec::SaturatedAt.get(sheet.lang), &[&level.level.to_string(), &saturated(sheet.lang, why)]));
        }
        let mine = |t: &Trace| t.planned.mode == sheet.mode && t.planned.arm == 0 && !t.planned.warmup;
        let here = |t: &&Trace| t.planned.stage == level.stage && mine(t);
        match level.throughput {
            Some(throughput) => found.push(At { throughput, requests: run.traces.iter().filter(here).collect(), level }),
            None => {
                let why = crate::text::absence(sheet.lang, crate::mark::Absence::TooFew);
                notes.push(sheet.say(Cht::NoteNoPace, &[&level.level.to_string(), why]));
            }
        }
    }
    Some((found, notes))
}

/// What stands at a level: bounds of a percentile, each an end of the same stroke; alike where the value is exact.
struct Mark {
    low: i64,
    high: i64,
    at_least: bool,
}

fn mark(rows: &[Row], p: P) -> Option<Mark> {
    let of = |d: &Distribution| d.percentile(p);
    let (low, high) = (of(&rows.first()?.distribution)?, of(&rows.last()?.distribution)?);
    Some(Mark { low: low.value, high: high.value.max(low.value), at_least: high.at_least })
}

/// Draws one percentile over the levels: a line through lower ends, strokes to upper ends, a glyph at each.
fn trail(sheet: &Sheet, figure: &mut Figure, ink: Ink, weight: Weight, glyph: Glyph, marks: &[(f64, f64, f64, bool)]) {
    let low: Vec<Place> = marks.iter().map(|(x, low, _, _)| (*x, *low)).collect();
    figure.layers.push(Layer { ink, weight, shape: Shape::Line(low) });
    let spread = marks.iter().filter(|m| m.1 != m.2).map(|(x, low, high, _)| ((*x, *low), (*x, *high))).collect();
    let of = |wanted: bool| marks.iter().filter(|m| m.3 == wanted).map(|(x, low, _, _)| (*x, *low)).collect();
    let layers = [
        Layer { ink, weight: Weight::Plain, shape: Shape::Strokes(spread) },
        Layer::new(ink, Shape::Points(glyph, of(false))),
        Layer::new(Ink::Warn, Shape::Points(Glyph::Triangle, of(true))),
    ];
    if marks.iter().any(|m| m.3) && !figure.key.iter().any(|k| k.ink == Ink::Warn) {
        figure.key(Ink::Warn, Form::Point(Glyph::Triangle), Cht::AtLeast.get(sheet.lang));
    }
    figure.layers.extend(layers.into_iter().filter(|l| !l.is_empty()));
}

/// Axes, saturation and context, alike in both figures.
fn frame(sheet: &Sheet, figure: &mut Figure, found: &[At], x: &Along) {
    figure.x = across(Cht::AxisThroughput.get(sheet.lang), "", x.ticks(), sheet.size);
    if let Some(at) = found.iter().find(|at| at.level.saturated.is_some()) {
        let place = x.at(at.throughput);
        let (from, to) = ((place, figure.plot.y), (place, figure.plot.bottom()));
        let label = Cht::Saturated.get(sheet.lang).to_owned();
        figure.layers.push(Layer::new(Ink::Warn, Shape::Rule { from, to, label: label.clone() }));
        figure.key(Ink::Warn, Form::Rule, label);
    }
}

fn context(sheet: &Sheet, boundary: &str, n: usize) -> String {
    context_line(sheet.run, sheet.lang, Some(sheet.mode), boundary, &format!("n = {}", count(n)))
}

fn ids(at: &At) -> Vec<u32> {
    at.requests.iter().map(|t| t.planned.id).collect()
}

/// Throughput against p50 and p95 of the wait; none where the load has no levels.
pub fn sweep_wait(sheet: &Sheet) -> Option<Figure> {
    let (found, notes) = measured(sheet)?;
    let (id, title) = ("levels", Cht::Levels.get(sheet.lang).to_owned());
    let everyone: Vec<&Trace> = found.iter().flat_map(|at| at.requests.iter().copied()).collect();
    let metric = waits(&everyone).first().copied().unwrap_or(Metric::EndToEnd);
    let both = |at: &At| {
        let rows = metric_rows(metric, sheet.mode, &at.requests);
        mark(&rows, P50).zip(mark(&rows, P95)).map(|m| (m, rows[0].distribution.n()))
    };
    let drawn: Vec<_> = found.iter().filter_map(|at| Some((at, both(at)?))).collect();
    let Some(most) = drawn.iter().map(|(_, ((_, p95), _))| p95.high).max() else {
        let why = notes.into_iter().chain([Cht::NoteNobody.get(sheet.lang).to_owned()]).collect();
        return Some(sheet.nothing(id, title, why));
    };
    let (plot, y, y_ticks) = upright(sheet.size, 0.0, axis_value(most.max(1)));
    let x = Along::right(plot, 0.0, drawn.iter().map(|(at, _)| at.throughput).fold(0.0, f64::max));
    let mut figure = sheet.figure(id, title, plot);
    let name = metric_name(sheet.lang, metric);
    figure.y = along_side(name, "ms", y_ticks);
    let place = |at: &At, m: &Mark| (x.at(at.throughput), y.at(axis_value(m.low)), y.at(axis_value(m.high)), m.at_least);
    let ink = Ink::of(metric);
    let marks: Vec<_> = drawn.iter().map(|(at, ((_, p95), _))| place(at, p95)).collect();
    trail(sheet, &mut figure, ink, Weight::Faint, Glyph::Square, &marks);
    let marks: Vec<_> = drawn.iter().map(|(at, ((p50, _), _))| place(at, p50)).collect();
    trail(sheet, &mut figure, ink, Weight::Plain, Glyph::Dot, &marks);
    figure.key(ink, Form::Point(Glyph::Dot), "p50");
    figure.key(ink, Form::Point(Glyph::Square), "p95");
    frame(sheet, &mut figure, &found, &x);
    let (mut texts, mut rows) = (Vec::new(), Vec::new());
    for (at, ((p50, p95), n)) in &drawn {
        let ms = |m: &Mark| match (m.at_least, m.low == m.high) {
            (true, _) => format!("≥ {}", sheet.ms(m.low)),
            (_, true) => sheet.ms(m.low),
            _ => format!("{}–{}", sheet.ms(m.low), sheet.ms(m.high)),
        };
        let (level, rate) = (at.level.level.to_string(), significant(at.throughput, 2));
        let text = sheet.say(Cht::ReadLevel, &[&level, &rate, name, &ms(p50), &ms(p95), &count(*n)]);
        for m in [p50, p95] {
            let (x, low, high, _) = place(at, m);
            figure.spot((x, (low + high) / 2.0), (0.0, (low - high).abs() / 2.0), &ids(at));
            texts.push(text.clone());
        }
        rows.push([level, rate, ms(p50), ms(p95), count(*n)]);
    }
    figure.context = context(sheet, name, drawn.iter().map(|(_, (_, n))| n).sum());
    let said: Vec<String> = texts.iter().step_by(2).cloned().chain(notes.iter().cloned()).collect();
    figure.about = format!("{}. {}", figure.title, said.join(" "));
    figure.reading = Reading::Texts(texts);
    figure.notes = notes;
    let head = [Cht::ColLevelName, Cht::AxisThroughput, Cht::ColP50, Cht::ColP95, Cht::AxisRequests];
    figure.table = sheet.table(head, rows.into_iter());
    Some(figure)
}

/// Throughput against the output rate of each request; none where the load has no levels.
pub fn sweep_speed(sheet: &Sheet) -> Option<Figure> {
    let (found, notes) = measured(sheet)?;
    let (id, title) = ("speed", Cht::Speed.get(sheet.lang).to_owned());
    let rate = |at: &At| metric_rows(Metric::OutputRate, sheet.mode, &at.requests).pop().map(|r| r.distribution);
    let drawn: Vec<(&At, Distribution, i64)> = found
        .iter()
        .filter_map(|at| {
            let rates = rate(at)?;
            let median = rates.percentile(P50)?.value;
            Some((at, rates, median))
        })
        .collect();
    let ends = |d: &Distribution| match d.interval(P50) {
        Interval::Between { lower, upper } => Some((lower.value, upper.value)),
        Interval::Needs { .. } => None,
    };
    let most = drawn.iter().map(|(_, d, median)| ends(d).map_or(*median, |(_, upper)| upper)).max();
    let Some(most) = most else {
        let why = notes.into_iter().chain([Cht::NoteNobody.get(sheet.lang).to_owned()]).collect();
        return Some(sheet.nothing(id, title, why));
    };
    let (plot, y, y_ticks) = upright(sheet.size, 0.0, axis_value(most.max(1)));
    let x = Along::right(plot, 0.0, drawn.iter().map(|(at, _, _)| at.throughput).fold(0.0, f64::max));
    let mut figure = sheet.figure(id, title, plot);
    figure.y = along_side(Cht::AxisRate.get(sheet.lang), "tok/s", y_ticks);
    let (mut places, mut intervals): (Vec<Place>, Vec<(Place, Place)>) = (Vec::new(), Vec::new());
    let (mut texts, mut rows) = (Vec::new(), Vec::new());
    for (at, rates, median) in &drawn {
        let place = (x.at(at.throughput), y.at(axis_value(*median)));
        let shown = |v: i64| value(v, Unit::TokenRate, sheet.step());
        let mut between = String::new();
        if let Some((lower, upper)) = ends(rates) {
            intervals.push(((place.0, y.at(axis_value(lower))), (place.0, y.at(axis_value(upper)))));
            between = sheet.say(Cht::ReadSpeedInterval, &[&shown(lower), &shown(upper)]);
        }
        places.push(place);
        figure.spot(place, (0.0, 0.0), &ids(at));
        let cells = [at.level.level.to_string(), significant(at.throughput, 2), shown(*median), count(rates.n())];
        texts.push(sheet.say(Cht::ReadSpeed, &[&cells[0], &cells[1], &cells[2], &between, &cells[3]]));
        rows.push(cells);
    }
    figure.layers.push(Layer::faint(Ink::Received, Shape::Line(places.clone())));
    if !intervals.is_empty() {
        figure.layers.push(Layer::new(Ink::Received, Shape::Strokes(intervals)));
        figure.key(Ink::Received, Form::Stroke, Cht::LevelInterval.get(sheet.lang));
    }
    figure.layers.push(Layer::new(Ink::Received, Shape::Points(Glyph::Dot, places)));
    figure.key(Ink::Received, Form::Point(Glyph::Dot), "p50");
    frame(sheet, &mut figure, &found, &x);
    let name = metric_name(sheet.lang, Metric::OutputRate);
    figure.context = context(sheet, name, drawn.iter().map(|(_, rates, _)| rates.n()).sum());
    figure.about = format!("{}. {}", figure.title, texts.join(" "));
    figure.reading = Reading::Texts(texts);
    figure.notes = notes;
    let head = [Cht::ColLevelName, Cht::AxisThroughput, Cht::ColRate, Cht::AxisRequests];
    figure.table = sheet.table(head, rows.into_iter());
    Some(figure)
}
