//! What did the server say of itself meanwhile? Its own aggregate metrics, a lane for each quantity, on the time axis of every
//! request.

use super::frame::{Along, across, along_side, plot, text_width};
use super::scene::{Figure, Form, Glyph, Ink, Layer, Place, Reading, Rect, Shape, Size, Tick};
use super::sheet::{Sheet, begin};
use crate::Micros;
use crate::format::{count, significant};
use crate::mark::Mark;
use crate::report::Run;
use crate::scrape::{Quantity, Scraped, Series, Unit, mean_and_largest, resets, series};
use crate::summary::context_line;
use crate::text::{Agg, Cht, Scr, fill, missed, quantity_name};

/// The height of a lane's data.
const LANE: f64 = 44.0;
/// The room above it, for its name.
const NAME: f64 = 22.0;

/// From where to where both charts over time go, in µs since the first request was sent: all requests and all that was read of
/// the server's metrics. None if nothing was.
pub(super) fn stretch(run: &Run) -> Option<(i64, i64)> {
    let begin = begin(run)?;
    let read: Vec<i64> = run.scraped.as_ref()?.read().map(|(at, _)| (at - begin).0).collect();
    let sent = run.traces.iter().filter_map(|t| t.marks.get(Mark::Sent).ok()).map(|at| (at - begin).0).max()?;
    let (from, to) = ((*read.iter().min()?).min(0), (*read.iter().max()?).max(sent));
    Some((from, if to - from < 1000 { from + 1_000_000 } else { to }))
}

/// A value as text: numbers of requests are whole.
pub(super) fn told(quantity: Quantity, value: f64) -> String {
    significant(value, if Unit::of(quantity) == Some(Unit::Requests) { 0 } else { 2 })
}

/// A series as it is drawn: shares in per cent.
struct Lane {
    series: Series,
    along: Along,
    ticks: Vec<Tick>,
}

impl Lane {
    /// The `nth` from above.
    fn new(mut series: Series, nth: usize, plot: Rect) -> Lane {
        let share = series.unit == Unit::Share;
        if share {
            series.points.iter_mut().for_each(|(_, value)| *value *= 100.0);
        }
        let most = series.points.iter().map(|(_, value)| *value).fold(if share { 100.0 } else { 1.0 }, f64::max);
        let place = Rect { y: plot.y + nth as f64 * (NAME + LANE) + NAME, height: LANE, ..plot };
        let along = Along::up(place, 0.0, most);
        let ticks = if series.unit == Unit::Requests { along.whole_ticks() } else { along.ticks() };
        Lane { series, along, ticks }
    }
}

/// The server's metrics over time; none if none were read.
pub fn server_metrics(sheet: &Sheet) -> Option<Figure> {
    let run = sheet.run;
    let (scraped, begin, (from, to)) = (run.scraped.as_ref()?, begin(run)?, stretch(run)?);
    let all = series(run);
    if all.is_empty() {
        return None;
    }
    let frame = plot(Size { height: 0.0, ..sheet.size }, 0.0);
    let heights = all.len() as f64 * (NAME + LANE);
    let lanes = |plot: Rect| all.iter().cloned().enumerate().map(move |(nth, series)| Lane::new(series, nth, plot));
    let widest = lanes(frame).flat_map(|lane| lane.ticks).map(|tick| text_width(&tick.label)).fold(0.0, f64::max);
    let size = Size { height: sheet.size.height - plot(sheet.size, 0.0).height + heights, ..sheet.size };
    let plot = plot(size, widest);
    let lanes: Vec<Lane> = lanes(plot).collect();
    let x = Along::right(plot, from as f64 / 1e6, to as f64 / 1e6);
    let mut figure = sheet.figure("server_metrics", Agg::Title.get(sheet.lang).to_owned(), plot);
    figure.size = size;
    figure.x = across(Cht::AxisSinceBegin.get(sheet.lang), "s", x.ticks(), size);
    figure.y = along_side(Agg::OwnScale.get(sheet.lang), "", lanes.iter().flat_map(|lane| lane.ticks.clone()).collect());
    warm_up(sheet, &mut figure, begin, &x);
    let (mut strokes, mut dots, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for lane in &lanes {
        let place = |(at, value): &(Micros, f64)| (x.at((*at - begin).as_secs()), lane.along.at(*value));
        let points = &lane.series.points;
        let name = quantity_name(sheet.lang, lane.series.quantity);
        figure.names.push(((plot.x, lane.along.start - LANE - 7.0), name.to_owned()));
        let breaks = breaks(run, scraped, &lane.series);
        strokes.extend(
            points.windows(2).filter(|two| joined(two[0].0, two[1].0, &breaks)).map(|two| (place(&two[0]), place(&two[1]))),
        );
        let places: Vec<Place> = points.iter().map(place).collect();
        let around = around(sheet, points);
        for ((place, requests), (at, value)) in places.iter().zip(&around).zip(points) {
            figure.spot(*place, (0.0, 0.0), requests);
            values.push((lane.series.quantity, *value, *at - begin));
        }
        dots.extend(places);
    }
    figure.layers.extend((!strokes.is_empty()).then(|| Layer::new(Ink::Server, Shape::Strokes(strokes))));
    figure.layers.push(Layer::new(Ink::Server, Shape::Points(Glyph::Dot, dots)));
    figure.key(Ink::Server, Form::Point(Glyph::Dot), Agg::Told.get(sheet.lang));
    figure.reading = Reading::Told(values);
    tell(sheet, &mut figure, scraped, &lanes, begin, (from, to));
    Some(figure)
}

/// Where warm-up ends.
fn warm_up(sheet: &Sheet, figure: &mut Figure, begin: Micros, x: &Along) {
    let of = |warmup: bool| sheet.run.traces.iter().filter(move |t| t.planned.warmup == warmup);
    let measured = of(false).filter_map(|t| t.marks.get(Mark::Sent).ok()).min();
    let Some(ends) = measured.filter(|_| of(true).next().is_some()) else { return };
    let over = Rect { width: (x.at((ends - begin).as_secs()) - figure.plot.x).max(0.0), ..figure.plot };
    figure.layers.push(Layer::faint(Ink::Muted, Shape::Rects(vec![over])));
    figure.key(Ink::Muted, Form::Box, Cht::WarmUp.get(sheet.lang));
}

/// Where nothing is known of what lies between two values: a sample without this quantity (what only grows has a rate over it
/// as well), or a stretch in which the server counted anew.
fn breaks(run: &Run, scraped: &Scraped, series: &Series) -> Vec<(Micros, Micros)> {
    let quantity = series.quantity;
    let without = |sample: &&crate::scrape::Sample| {
        !quantity.is_counter() && !sample.read.as_ref().is_ok_and(|values| values.number(quantity).is_some())
    };
    let missing = scraped.samples.iter().filter(without).map(|sample| (sample.at, sample.at));
    missing.chain(resets(run)).collect()
}

fn joined(from: Micros, to: Micros, breaks: &[(Micros, Micros)]) -> bool {
    !breaks.iter().any(|(begin, end)| *begin < to && from < *end)
}

/// Of each value the requests of this way of asking that were under way nearer to it than to its neighbours, in time. Every
/// request is at one value at least.
fn around(sheet: &Sheet, points: &[(Micros, f64)]) -> Vec<Vec<u32>> {
    let between: Vec<Micros> = points.windows(2).map(|two| Micros((two[0].0.0 + two[1].0.0) / 2)).collect();
    let mut around = vec![Vec::new(); points.len()];
    for trace in sheet.all() {
        let Ok(sent) = trace.marks.get(Mark::Sent) else { continue };
        let first = between.partition_point(|edge| *edge <= sent);
        let last = between.partition_point(|edge| *edge < trace.last_known).max(first);
        around[first..=last].iter_mut().for_each(|requests| requests.push(trace.planned.id));
    }
    around
}

fn tell(sheet: &Sheet, figure: &mut Figure, scraped: &Scraped, lanes: &[Lane], begin: Micros, (from, to): (i64, i64)) {
    let lang = sheet.lang;
    let seconds = |at: Micros| significant((at - begin).as_secs(), 2);
    let (mut said, mut rows, mut order) = (Vec::new(), Vec::new(), Vec::new());
    for Lane { series, .. } in lanes {
        let name = quantity_name(lang, series.quantity);
        if let Some((mean, (at, most))) = mean_and_largest(&series.points) {
            let values = [name, &count(series.points.len()), &significant(mean, 2), &told(series.quantity, most), &seconds(at)];
            said.push(fill(Agg::About.get(lang), &values));
        }
        let row = |(at, value): &(Micros, f64)| vec![seconds(*at), name.to_owned(), told(series.quantity, *value)];
        for point in &series.points {
            // At one time the quantities keep their order.
            order.push((point.0, rows.len() as u32));
            rows.push(row(point));
        }
    }
    order.sort_unstable();
    let head = [Agg::ColTime, Agg::ColQuantity, Agg::ColValue].map(|key| key.get(lang).to_owned());
    figure.table = sheet.rows_of(head.to_vec(), order.iter().map(|(_, at)| rows[*at as usize].clone()));
    let [first, last] = [from, to].map(|at| significant(at as f64 / 1e6, 2));
    let stretch = fill(Agg::Stretch.get(lang), &[&first, &last]);
    let about = [stretch].into_iter().chain(said).chain([Agg::NoKey.get(lang).to_owned()]).collect::<Vec<_>>();
    figure.about = format!("{}. {}", figure.title, about.join(" "));
    figure.notes.extend([Agg::NoKey, Agg::ByTime].map(|key| key.get(lang).to_owned()));
    for (why, n) in scraped.missed() {
        figure.notes.push(fill(Scr::Missed.get(lang), &[&count(n), &missed(lang, why)]));
    }
    for (from, to) in resets(sheet.run) {
        figure.notes.push(fill(Scr::Reset.get(lang), &[&seconds(from), &seconds(to)]));
    }
    if scraped.read().count() < scraped.samples.len() || !resets(sheet.run).is_empty() {
        figure.notes.push(Agg::Broken.get(lang).to_owned());
    }
    figure.context =
        context_line(sheet.run, lang, None, figure.title.as_str(), &format!("n = {}", count(scraped.read().count())));
}
