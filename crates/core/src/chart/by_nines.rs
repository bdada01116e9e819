//! How do server-reported, received and seen times stand beside each other, out to the tail? Curves over percentiles, where
//! each further nine takes the same width.

use super::frame::{Along, across, along_side, thin, upright};
use super::scene::{Figure, Form, Glyph, Ink, Layer, Place, Reading, Shape, Tick};
use super::sheet::{Sample, Sheet, axis_value};
use crate::format::count;
use crate::gap::Wait;
use crate::metrics::Metric;
use crate::stats::{Distribution, P, P50, P90, P99, P999, Quantile};
use crate::summary::{row_context, wait_name};
use crate::text::Cht;
use crate::trace::Mode;

/// Where a share of all requests stands: 0 at 0, 1 at 90 %, 2 at 99 %.
fn nines(share: f64) -> f64 {
    -(1.0 - share).log10()
}

/// One set of times: its samples in one distribution, or the lower and upper bounds in two.
struct Curve {
    ink: Ink,
    name: String,
    edges: Vec<Distribution>,
    samples: Vec<Sample>,
}

impl Curve {
    fn n(&self) -> usize {
        self.edges.first().map_or(0, Distribution::n)
    }

    /// How far to the right it can speak: where the largest of its samples begins, and in any case to the median.
    fn end(&self) -> f64 {
        (self.n() as f64).log10().max(nines(P50.probability()))
    }

    /// A request that stands at a value of an edge.
    fn at(&self, edge: usize, value: i64) -> Option<u32> {
        let of = |s: &&Sample| !s.censored && if edge == 0 { s.low == value } else { s.high == Some(value) };
        self.samples.iter().find(of).map(|s| s.id)
    }
}

fn curves(sheet: &Sheet) -> Vec<Curve> {
    let (wait, received) = match sheet.mode {
        Mode::Streaming => (Wait::FirstAnswer, Metric::FirstAnswer),
        Mode::NonStreaming => (Wait::LastOutput, Metric::EndToEnd),
    };
    let reported: Vec<Sample> = sheet
        .splits(wait)
        .into_iter()
        .filter(|(_, split)| split.has_report)
        .map(|(id, split)| Sample { id, low: split.reported().0, high: Some(split.reported().0), censored: false })
        .collect();
    let server = Curve {
        ink: Ink::Server,
        name: Cht::ServerReported.get(sheet.lang).to_owned(),
        edges: vec![Distribution::new(reported.iter().map(|s| s.low).collect(), Vec::new())],
        samples: reported,
    };
    let measured = |metric: Metric, wait: Wait| Curve {
        ink: Ink::of(metric),
        name: wait_name(wait, sheet.lang).to_owned(),
        edges: sheet.rows(metric).iter().map(|r| r.distribution.clone()).collect(),
        samples: sheet.samples(metric),
    };
    let curves = [server, measured(received, wait), measured(Metric::FirstVisible, Wait::FirstVisible)];
    curves.into_iter().filter(|c| c.n() > 0).collect()
}

/// The value at each share as steps, as far as it is known.
fn steps(of: &Distribution, x: &Along, y: &Along) -> Vec<Place> {
    let n = of.n() as f64;
    let least = nines(P50.probability());
    let mut points = Vec::with_capacity(2 * of.sorted().len());
    for (rank, value) in of.sorted().iter().enumerate() {
        let height = y.at(axis_value(*value));
        let from = nines(rank as f64 / n);
        let to = if rank + 1 == of.n() { from.max(least) } else { nines((rank + 1) as f64 / n) };
        points.extend([(x.at(from), height), (x.at(to), height)]);
    }
    thin(points)
}

/// Server-reported, received and seen times over percentiles.
pub fn by_nines(sheet: &Sheet) -> Figure {
    let (id, title) = ("by_nines", Cht::ByNines.get(sheet.lang).to_owned());
    let curves = curves(sheet);
    let largest = curves.iter().flat_map(|c| &c.edges).filter_map(|d| d.sorted().last()).max().copied();
    let Some(largest) = largest else {
        return sheet.nothing(id, title, vec![Cht::NoteNobody.get(sheet.lang).to_owned()]);
    };
    let (plot, y, y_ticks) = upright(sheet.size, 0.0, axis_value(largest));
    let end = curves.iter().map(Curve::end).fold(0.0, f64::max);
    let x = Along::right(plot, 0.0, end);
    let mut figure = sheet.figure(id, title, plot);
    let labelled = [(0.0, "p0"), (P50.probability(), "p50")].into_iter();
    let shares = labelled.chain([P90, P99, P999].map(|p| (p.probability(), p.name())));
    let ticks = shares.filter(|(share, _)| nines(*share) <= end + 1e-9);
    let ticks = ticks.map(|(share, name)| Tick { at: x.at(nines(share)), label: name.to_owned() }).collect();
    figure.x = across(Cht::AxisPercentile.get(sheet.lang), "", ticks, sheet.size);
    figure.y = along_side(Cht::AxisTime.get(sheet.lang), "ms", y_ticks);
    let mut texts = Vec::new();
    for curve in &curves {
        draw(sheet, &mut figure, &mut texts, curve, (&x, &y));
    }
    let sets: Vec<(String, &Distribution)> = curves
        .iter()
        .flat_map(|c| sheet.edge_names(&c.name, c.edges.len()).into_iter().zip(&c.edges).collect::<Vec<_>>())
        .collect();
    figure.table = sheet.percentiles(Metric::FirstVisible, &sets);
    figure.about = format!("{}. {}.", figure.title, texts.join(". "));
    figure.reading = Reading::Texts(texts);
    if curves.len() > 1 {
        figure.notes.push(Cht::NoteMarginals.get(sheet.lang).to_owned());
    }
    let wait = if sheet.mode == Mode::Streaming { Wait::FirstAnswer } else { Wait::LastOutput };
    figure.notes.extend(sheet.left_out(wait));
    let row =
        [Metric::FirstVisible, Metric::FirstAnswer, Metric::EndToEnd].iter().find_map(|m| sheet.rows(*m).first().copied());
    if let Some(row) = row {
        figure.context = row_context(sheet.run, row, sheet.lang);
    }
    figure
}

fn draw(sheet: &Sheet, figure: &mut Figure, texts: &mut Vec<String>, curve: &Curve, (x, y): (&Along, &Along)) {
    let lines: Vec<Vec<Place>> = curve.edges.iter().map(|d| steps(d, x, y)).collect();
    if let [low, high] = &lines[..] {
        if !high.is_empty() {
            // As far as upper bounds are known.
            let until = high.last().map_or(0.0, |p| p.0);
            let below = low.iter().filter(|p| p.0 <= until);
            let band = below.chain(high.iter().rev()).copied().collect();
            figure.layers.push(Layer::new(curve.ink, Shape::Area(band)));
            figure.key(curve.ink, Form::Band, sheet.say(Cht::Between, &[&curve.name]));
        }
        figure.notes.push(Cht::NoteOnlyBounds.get(sheet.lang).to_owned());
    }
    figure.key(curve.ink, Form::Line, curve.name.clone());
    let lines = lines.into_iter().filter(|points| !points.is_empty());
    figure.layers.extend(lines.map(|points| Layer::new(curve.ink, Shape::Line(points))));
    let mut dots = Vec::new();
    for (edge, (of, name)) in curve.edges.iter().zip(sheet.edge_names(&curve.name, curve.edges.len())).enumerate() {
        let n = of.n();
        let known = |p: &P| nines(p.probability()) <= curve.end() + 1e-9;
        let shown = P::SHOWN.into_iter().filter(known).map(|p| (nines(p.probability()), p.name(), of.percentile(p), Some(p)));
        let ends = [(0.0, "p0", of.sorted().first().map(|v| Quantile { value: *v, at_least: false }), None)];
        let top = [(nines((n - 1) as f64 / n as f64), "max", of.max(), None)];
        for (at, percentile, quantile, p) in ends.into_iter().chain(shown).chain(top) {
            let Some(quantile) = quantile.filter(|q| !q.at_least) else { continue };
            let place = (x.at(at), y.at(axis_value(quantile.value)));
            let interval = p.map_or_else(String::new, |p| sheet.interval(of.interval(p)));
            let values = [name.as_str(), percentile, &sheet.quantile(quantile), &count(n), &interval];
            texts.push(sheet.say(Cht::ReadCurve, &values));
            figure.spot(place, (0.0, 0.0), curve.at(edge, quantile.value).as_slice());
            dots.push(place);
        }
        if of.censored() > 0 {
            let key = if edge == 1 { Cht::NoteNoUpper } else { Cht::NoteCensored };
            figure.notes.push(sheet.say(key, &[&count(of.censored())]));
        }
    }
    figure.layers.push(Layer::new(curve.ink, Shape::Points(Glyph::Dot, dots)));
}
