//! Does what the server reports go along with what is measured here? One point a request, both axes alike, and the line on
//! which both would be equal.

use super::frame::{Along, across, along_side, upright};
use super::scene::{Figure, Form, Glyph, Ink, Layer, Reading, Shape};
use super::sheet::{Sheet, axis_value};
use crate::Micros;
use crate::format::count;
use crate::gap::{PartKind, Split, Wait};
use crate::stats::{P50, P95};
use crate::text::Cht;

/// What was waited since `sent`: what the request waited before it in the client's queue is nothing a server could report.
pub(super) fn since_sent(split: &Split) -> Micros {
    let queued = split.parts.iter().filter(|p| p.kind == PartKind::ClientQueue).map(|p| p.value).sum();
    split.total - queued
}

/// Reported against measured spans.
pub fn scatter(sheet: &Sheet) -> Figure {
    let (id, title) = ("scatter", Cht::Scatter.get(sheet.lang).to_owned());
    let found = sheet.reported_wait();
    let Some(wait) = found else {
        let mut why = vec![Cht::NoteNoReport.get(sheet.lang).to_owned()];
        why.extend(sheet.left_out(Wait::FirstAnswer));
        return sheet.nothing(id, title, why);
    };
    let splits = sheet.splits(wait).into_iter().filter(|(_, split)| split.has_report);
    let points: Vec<(u32, i64, i64)> = splits.map(|(id, s)| (id, s.reported().0, since_sent(&s).0)).collect();
    let most = points.iter().map(|(_, reported, measured)| *reported.max(measured)).max().unwrap_or(1).max(1);
    let (mut plot, mut y, y_ticks) = upright(sheet.size, 0.0, axis_value(most));
    // A square, so that the line stands at 45°.
    let side = plot.width.min(plot.height);
    let shrunk = plot.height - side;
    (plot.width, plot.height) = (side, side);
    y.scale.length = side;
    y.start -= shrunk;
    let y_ticks = if shrunk > 0.0 { y.ticks() } else { y_ticks };
    let x = Along::right(plot, 0.0, axis_value(most));
    let mut figure = sheet.figure(id, title, plot);
    figure.size.height -= shrunk;
    figure.x = across(Cht::AxisReported.get(sheet.lang), "ms", x.ticks(), sheet.size);
    figure.y = along_side(Cht::AxisMeasured.get(sheet.lang), "ms", y_ticks);
    let line = Shape::Rule { from: (plot.x, plot.bottom()), to: (plot.right(), plot.y), label: "y = x".to_owned() };
    figure.layers.push(Layer::new(Ink::Muted, line));
    let ink = if matches!(wait, Wait::FirstVisible | Wait::CompleteVisible) { Ink::Seen } else { Ink::Received };
    let mut dots = Vec::with_capacity(points.len());
    for (id, reported, measured) in &points {
        let place = (x.at(axis_value(*reported)), y.at(axis_value(*measured)));
        dots.push(place);
        figure.spot(place, (0.0, 0.0), &[*id]);
    }
    figure.layers.push(Layer::new(ink, Shape::Points(Glyph::Dot, dots)));
    figure.key(ink, Form::Point(Glyph::Dot), crate::summary::wait_name(wait, sheet.lang));
    figure.key(Ink::Muted, Form::Rule, "y = x");
    figure.reading = Reading::Waits(wait);
    figure.notes = sheet.left_out(wait);
    let outside = sheet.summary.gaps_of(sheet.mode, wait).map(|gaps| &gaps.outside);
    let shown = |p| outside.map_or_else(String::new, |d| sheet.percentile(d, p));
    let about = sheet.say(Cht::AboutScatter, &[&count(points.len()), &shown(P50), &shown(P95)]);
    figure.about = format!("{}. {about}", figure.title);
    let head = [Cht::ColRequest, Cht::ColReported, Cht::ColMeasured, Cht::ColOutside];
    let row = |(id, reported, measured): &(u32, i64, i64)| {
        [count(*id as usize), sheet.ms(*reported), sheet.ms(*measured), sheet.ms(measured - reported)]
    };
    figure.table = sheet.table(head, points.iter().map(row));
    figure.context = sheet.wait_context(wait, points.len());
    figure
}
