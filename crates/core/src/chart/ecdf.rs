//! How many requests were done by when? The empirical distribution, with a band that holds the whole true curve.

use super::frame::{Along, across, along_side, thin, upright};
use super::scene::{Figure, Form, Ink, Layer, Place, Reading, Shape};
use super::sheet::{Sheet, axis_value, unit, with_unit};
use crate::format::{count, quantile, significant};
use crate::metrics::Metric;
use crate::stats::{Distribution, P50, P95};
use crate::summary::row_context;
use crate::text::{Cht, metric_name};

/// How far above and below the empirical curve of `n` samples the true one lies, everywhere at once, with 95 % confidence:
/// Dvoretzky, Kiefer, Wolfowitz, with Massart's constant.
pub(super) fn dkw(n: usize) -> f64 {
    (40f64.ln() / (2.0 * n.max(1) as f64)).sqrt()
}

/// The share at or below each value as steps, moved up or down by `off` and kept between 0 and 1, over the whole width.
fn steps(sorted: &[i64], n: usize, off: f64, x: &Along, y: &Along) -> Vec<Place> {
    let height = |rank: usize| y.at(100.0 * (rank as f64 / n as f64 + off).clamp(0.0, 1.0));
    let mut points = vec![(x.at(x.scale.from), height(0))];
    for (rank, value) in sorted.iter().enumerate() {
        let at = x.at(axis_value(*value));
        points.extend([(at, height(rank)), (at, height(rank + 1))]);
    }
    points.push((x.at(x.scale.to), height(sorted.len())));
    thin(points)
}

/// The distribution of a metric; none of a pooled one, whose values are not independent.
pub fn ecdf(sheet: &Sheet, metric: Metric) -> Option<Figure> {
    if metric == Metric::InterChunk {
        return None;
    }
    let name = metric_name(sheet.lang, metric);
    let (id, title) = ("ecdf", sheet.say(Cht::Ecdf, &[name]));
    let rows = sheet.rows(metric);
    let ends = |d: &Distribution| d.sorted().first().copied().zip(d.sorted().last().copied());
    let range = rows.iter().filter_map(|r| ends(&r.distribution)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let (Some(range), [low, ..]) = (range, &rows[..]) else {
        let mut why = vec![Cht::NoteNobody.get(sheet.lang).to_owned()];
        why.extend(sheet.missing(metric));
        return Some(sheet.nothing(id, title, why));
    };
    let high = rows.last().unwrap_or(low);
    let (plot, y, y_ticks) = upright(sheet.size, 0.0, 100.0);
    let x = Along::right(plot, axis_value(range.0.min(0)), axis_value(range.1));
    let mut figure = sheet.figure(id, title, plot);
    figure.x = across(name, unit(metric), x.ticks(), sheet.size);
    figure.y = along_side(Cht::AxisShare.get(sheet.lang), "%", y_ticks);
    let (ink, n) = (Ink::of(metric), low.distribution.n());
    let samples = sheet.samples(metric);
    // What had not got there may have done so right after it was last heard of.
    let mut earliest: Vec<i64> = samples.iter().map(|s| s.low).filter(|v| *v <= range.1).collect();
    earliest.sort_unstable();
    let off = dkw(n);
    let upper = steps(&earliest, n, off, &x, &y);
    let lower = steps(high.distribution.sorted(), n, -off, &x, &y);
    figure.layers.push(Layer::faint(Ink::Muted, Shape::Area(upper.into_iter().chain(lower.into_iter().rev()).collect())));
    let lines: Vec<Vec<Place>> = rows.iter().map(|r| steps(r.distribution.sorted(), n, 0.0, &x, &y)).collect();
    if let [first, second] = &lines[..] {
        figure.layers.push(Layer::new(ink, Shape::Area(first.iter().chain(second.iter().rev()).copied().collect())));
        figure.key(ink, Form::Band, sheet.say(Cht::Between, &[name]));
        figure.notes.push(Cht::NoteOnlyBounds.get(sheet.lang).to_owned());
        let unbounded = samples.iter().filter(|s| s.high.is_none() && !s.censored).count();
        if unbounded > 0 {
            figure.notes.push(sheet.say(Cht::NoteNoUpper, &[&count(unbounded)]));
        }
    }
    figure.layers.extend(lines.into_iter().map(|points| Layer::new(ink, Shape::Line(points))));
    figure.key(ink, Form::Line, name);
    figure.key(Ink::Muted, Form::Band, Cht::Band.get(sheet.lang));
    for (rank, sample) in samples.iter().filter(|s| !s.censored).enumerate() {
        let [from, to] = [sample.low, sample.high.unwrap_or(sample.low)].map(|v| x.at(axis_value(v)));
        let height = y.at(100.0 * (rank + 1) as f64 / n as f64);
        figure.spot(((from + to) / 2.0, height), ((to - from) / 2.0, 0.0), &[sample.id]);
    }
    figure.reading = Reading::Samples(metric);
    let points = significant(100.0 * off.min(1.0), 1);
    figure.notes.push(sheet.say(Cht::NoteDkw, &[&points, &count(n)]));
    if low.distribution.censored() > 0 {
        figure.notes.push(sheet.say(Cht::NoteCensored, &[&count(low.distribution.censored())]));
    }
    let sets: Vec<(String, &Distribution)> =
        sheet.edge_names(name, rows.len()).into_iter().zip(rows.iter().map(|r| &r.distribution)).collect();
    let shown = |d: &Distribution, p| {
        let show = |q| quantile(q, |value| with_unit(metric, value, sheet.step()));
        d.percentile(p).map_or_else(|| "–".to_owned(), show)
    };
    let about = sets
        .iter()
        .map(|(name, d)| format!("{name}: {}", sheet.say(Cht::AboutEcdf, &[&count(d.n()), &shown(d, P50), &shown(d, P95)])));
    figure.about = format!("{}. {}", figure.title, about.collect::<Vec<_>>().join(" "));
    figure.table = sheet.percentiles(metric, &sets);
    figure.context = row_context(sheet.run, low, sheet.lang);
    Some(figure)
}
