//! Does it help? Pairs of requests that were sent side by side: each pair's difference, and the median of them all.

use super::frame::{Along, across, along_side, plot, text_width};
use super::scene::{Figure, Form, Glyph, Ink, Layer, Place, Reading, Rect, Shape, Tick, Weight};
use super::sheet::{Sheet, axis_value, sample};
use crate::compare::paired_differences;
use crate::config::ModeChoice;
use crate::format::{count, millis};
use crate::metrics::Metric;
use crate::stats::{Interval, P50};
use crate::summary::context_line;
use crate::text::{Cht, Sec, Sum, metric_name};
use crate::trace::{Mode, Trace};

/// The waits that are compared.
const METRICS: [(Metric, Cht); 4] = [
    (Metric::FirstVisible, Cht::RowFirst),
    (Metric::FirstAnswer, Cht::RowFirstReceived),
    (Metric::CompleteVisible, Cht::RowWhole),
    (Metric::EndToEnd, Cht::RowReceived),
];

/// Two requests side by side, the one that is taken away first.
type Pair<'a> = (&'a Trace, &'a Trace);

/// Every pair and the names of both sides; none where nothing was measured in pairs.
fn pairs<'a>(sheet: &Sheet<'a>) -> Option<(Vec<Pair<'a>>, [&'static str; 2])> {
    let config = &sheet.run.config;
    let lang = sheet.lang;
    let (side, names): (fn(&Trace) -> bool, _) = match (&config.versus, config.mode) {
        // In a canary, blocks are no pairs.
        (Some(versus), _) if versus.one_in != 2 => return None,
        (Some(_), _) => (|t| t.planned.arm == 1, [Sec::Present.get(lang), Sec::Candidate.get(lang)]),
        (None, ModeChoice::Both) => {
            (|t| t.planned.mode == Mode::Streaming, [Sum::NotStreaming.get(lang), Sum::Streaming.get(lang)])
        }
        _ => return None,
    };
    let mut halves: Vec<(u32, bool, &Trace)> =
        sheet.run.traces.iter().filter(|t| !t.planned.warmup).filter_map(|t| Some((t.planned.pair?, side(t), t))).collect();
    halves.sort_by_key(|(pair, side, t)| (*pair, *side, t.planned.id));
    let of_pair = |w: &[(u32, bool, &'a Trace)]| (w[0].0 == w[1].0 && !w[0].1 && w[1].1).then_some((w[0].2, w[1].2));
    Some((halves.windows(2).filter_map(of_pair).collect(), names))
}

/// A place between 0 and 1 for each number, so that neighbours don't cover each other: van der Corput's sequence.
fn spread(n: usize) -> f64 {
    f64::from((n as u32).reverse_bits()) / 4_294_967_296.0
}

/// Differences of pairs; none where nothing was measured in pairs.
pub fn paired(sheet: &Sheet) -> Option<Figure> {
    let (pairs, names) = pairs(sheet)?;
    let (id, title) = ("paired", sheet.say(Cht::Paired, &[names[1], names[0]]));
    let exact = |t: &Trace, metric| {
        sample(t, metric).filter(|s| s.high == Some(s.low) && t.outcome.enters_distributions()).map(|s| s.low)
    };
    let row = |(metric, name): (Metric, Cht)| {
        let difference = |(a, b): &(&Trace, &Trace)| Some((exact(b, metric)? - exact(a, metric)?, a.planned.id, b.planned.id));
        let of: Vec<(i64, u32, u32)> = pairs.iter().filter_map(difference).collect();
        (!of.is_empty()).then(|| (metric, name, of, paired_differences(metric, &pairs)))
    };
    let rows: Vec<_> = METRICS.into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return Some(sheet.nothing(id, title, vec![Cht::NoteNoPairs.get(sheet.lang).to_owned()]));
    }
    let all = || rows.iter().flat_map(|(_, _, of, _)| of.iter().map(|d| d.0));
    let (least, most) = (all().min().unwrap_or(0).min(0), all().max().unwrap_or(0).max(0));
    let widest = rows.iter().map(|(_, name, _, _)| text_width(name.get(sheet.lang))).fold(0.0, f64::max);
    let plot = plot(sheet.size, widest);
    let x = Along::right(plot, axis_value(least), axis_value(most));
    let mut figure = sheet.figure(id, title, plot);
    let height = plot.height / rows.len() as f64;
    let (mut medians, mut intervals): (Vec<(Place, Place)>, Vec<Rect>) = (Vec::new(), Vec::new());
    let mut dots: Vec<(Ink, Vec<Place>)> = Vec::new();
    let (mut ticks, mut table, mut said, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let signed = |v: i64| format!("{}{}", if v > 0 { "+" } else { "" }, millis(v, sheet.step()));
    for (at, (metric, name, of, differences)) in rows.iter().enumerate() {
        let top = plot.y + height * at as f64;
        let (from, to) = (top + height * 0.1, top + height * 0.9);
        let mut places = Vec::with_capacity(of.len());
        for (n, (difference, a, b)) in of.iter().enumerate() {
            let place = (x.at(axis_value(*difference)), top + height * (0.2 + 0.6 * spread(n + 1)));
            places.push(place);
            figure.spot(place, (0.0, 0.0), &[*a, *b]);
        }
        dots.push((Ink::of(*metric), places));
        counts.push((*metric, of.len()));
        ticks.push(Tick { at: top + height / 2.0, label: name.get(sheet.lang).to_owned() });
        let Some(median) = differences.percentile(P50).map(|q| q.value) else { continue };
        let line = x.at(axis_value(median));
        medians.push(((line, from), (line, to)));
        let (mut words, mut cell) = (String::new(), "–".to_owned());
        if let Interval::Between { lower, upper } = differences.interval(P50) {
            let [l, u] = [lower.value, upper.value].map(|v| x.at(axis_value(v)));
            intervals.push(Rect::between((l, from), (u, to)));
            let (l, u) = (signed(lower.value), signed(upper.value));
            words = sheet.say(Cht::ReadInterval, &[&l, &u]);
            cell = format!("{l} – {u}");
        }
        let n = count(of.len());
        let name = metric_name(sheet.lang, *metric);
        said.push(sheet.say(Cht::ReadMedian, &[name, &signed(median), &words, &n]));
        table.push([name.to_owned(), n, signed(median), cell]);
    }
    let zero = x.at(0.0);
    let label = Cht::NoDifference.get(sheet.lang).to_owned();
    figure.layers.push(Layer::new(Ink::Muted, Shape::Rule { from: (zero, plot.y), to: (zero, plot.bottom()), label }));
    if !intervals.is_empty() {
        figure.layers.push(Layer::faint(Ink::Neutral, Shape::Rects(intervals)));
        figure.key(Ink::Neutral, Form::Band, Cht::MedianInterval.get(sheet.lang));
    }
    for ink in [Ink::Seen, Ink::Received] {
        let places: Vec<Place> = dots.iter().filter(|(i, _)| *i == ink).flat_map(|(_, p)| p.iter().copied()).collect();
        if !places.is_empty() {
            figure.layers.push(Layer::new(ink, Shape::Points(Glyph::Dot, places)));
            figure.key(ink, Form::Point(Glyph::Dot), Cht::OnePair.get(sheet.lang));
        }
    }
    figure.layers.push(Layer { ink: Ink::Neutral, weight: Weight::Strong, shape: Shape::Strokes(medians) });
    figure.key(Ink::Neutral, Form::Stroke, Cht::Median.get(sheet.lang));
    figure.x = across(Cht::AxisDifference.get(sheet.lang), "ms", x.ticks(), sheet.size);
    figure.y = along_side("", "", ticks);
    figure.about = format!("{}. {}.", figure.title, said.join(". "));
    figure.reading = Reading::Pairs(counts);
    figure.notes = vec![sheet.say(Cht::NotePairs, &[&count(pairs.len())]), Cht::NoteSpread.get(sheet.lang).to_owned()];
    let head = [Cht::ColFigure, Cht::ColPairs, Cht::ColMedian, Cht::ColInterval];
    figure.table = sheet.table(head, table.into_iter());
    figure.context = context_line(sheet.run, sheet.lang, None, &names.join(" / "), "");
    Some(figure)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn neighbours_stand_apart() {
        assert_eq!([1, 2, 3, 4].map(spread), [0.5, 0.25, 0.75, 0.125]);
    }
}
