//! Does an answer flow, come in lumps, or stand still? One row a request, one stroke a read that bore output.

use super::frame::{Along, across, along_side, plot, text_width};
use super::scene::{Figure, Form, Ink, Layer, Place, Reading, Rect, Shape, Tick};
use super::sheet::{Sheet, axis_value};
use crate::format::count;
use crate::mark::Mark;
use crate::metrics::Metric;
use crate::stats::{P50, P95, nearest_rank};
use crate::summary::row_context;
use crate::text::Cht;
use crate::trace::{Mode, Trace};

/// The most rows.
const ROWS: usize = 60;
/// The lowest row that can be told from the next, in pixels.
const ROW: f64 = 4.0;
/// A gap is a stall from this many times the median gap on …
const STALL_TIMES: i64 = 5;
/// … but never below what a person notices, in µs.
const STALL_LEAST: i64 = 100_000;

/// Ranks spread evenly from the first to the last.
fn spread(of: usize, rows: usize) -> Vec<usize> {
    match rows.min(of) {
        0 => Vec::new(),
        1 => vec![of / 2],
        rows => (0..rows).map(|at| at * (of - 1) / (rows - 1)).collect(),
    }
}

/// A row's picture, in µs since `sent`.
struct Row {
    reads: Vec<i64>,
    seen: Option<(i64, i64)>,
    stalls: Vec<(i64, i64)>,
    longest: i64,
}

fn row(trace: &Trace, stall: i64) -> Option<Row> {
    let sent = trace.marks.get(Mark::Sent).ok()?;
    let reads: Vec<i64> = trace.output_reads().map(|r| (r.at - sent).0).collect();
    let gaps = || reads.windows(2).map(|w| (w[0], w[1]));
    let stalls = gaps().filter(|(a, b)| b - a >= stall).collect();
    let longest = gaps().map(|(a, b)| b - a).max().unwrap_or(0);
    let seen = trace.first_visible.ok().map(|seen| {
        let from = seen.value.unwrap_or(seen.earliest);
        (from - sent, seen.value.or(seen.latest).unwrap_or(from) - sent)
    });
    Some(Row { seen: seen.map(|(a, b)| (a.0, b.0)), stalls, longest, reads })
}

/// When each answer's parts arrived; none without streaming.
pub fn barcode(sheet: &Sheet) -> Option<Figure> {
    if sheet.mode != Mode::Streaming {
        return None;
    }
    let (id, title) = ("barcode", Cht::Barcode.get(sheet.lang).to_owned());
    let duration = |t: &Trace| {
        let sent = t.marks.get(Mark::Sent).ok()?;
        Some((t.output_reads().last()?.at - sent).0)
    };
    let mut ranked: Vec<(i64, &Trace)> =
        sheet.entering().filter(|t| t.streamed()).filter_map(|t| Some((duration(t)?, t))).collect();
    ranked.sort_by_key(|(duration, t)| (*duration, t.planned.id));
    let gaps = sheet.rows(Metric::InterChunk);
    let median = gaps.first().and_then(|r| nearest_rank(r.distribution.sorted(), P50)).unwrap_or(0);
    let stall = (STALL_TIMES * median).max(STALL_LEAST);
    let rows = ROWS.min((plot(sheet.size, 0.0).height / ROW) as usize);
    let chosen: Vec<(usize, &Trace, Row)> =
        spread(ranked.len(), rows).into_iter().filter_map(|at| Some((at, ranked[at].1, row(ranked[at].1, stall)?))).collect();
    if chosen.is_empty() {
        return Some(sheet.nothing(id, title, vec![Cht::NoteNobody.get(sheet.lang).to_owned()]));
    }
    let plot = plot(sheet.size, text_width("p95"));
    let ends = chosen.iter().flat_map(|(_, _, r)| r.reads.iter().copied().chain(r.seen.map(|(_, to)| to)));
    let x = Along::right(plot, 0.0, axis_value(ends.max().unwrap_or(0).max(1)));
    let mut figure = sheet.figure(id, title, plot);
    let height = plot.height / chosen.len() as f64;
    let (mut bounds, mut stalls) = (Vec::new(), Vec::new());
    let [mut strokes, mut seen]: [Vec<(Place, Place)>; 2] = Default::default();
    let (mut texts, mut table, mut stalled) = (Vec::new(), Vec::new(), 0);
    for (at, (rank, trace, row)) in chosen.iter().enumerate() {
        let top = plot.y + height * at as f64;
        let (from, to) = (top + height * 0.1, top + height * 0.9);
        let over = |a: i64, b: i64| Rect::between((x.at(axis_value(a)), from), (x.at(axis_value(b)), to));
        stalls.extend(row.stalls.iter().map(|(a, b)| over(*a, *b)));
        match row.seen {
            Some((a, b)) if a == b => seen.push(((x.at(axis_value(a)), from), (x.at(axis_value(a)), to))),
            Some((a, b)) => bounds.push(over(a, b)),
            None => {}
        }
        let mut drawn = f64::NEG_INFINITY;
        for read in &row.reads {
            let place = x.at(axis_value(*read));
            // Strokes of less than a pixel's distance can't be told apart.
            if place - drawn >= 1.0 {
                strokes.push(((place, from), (place, to)));
                drawn = place;
            }
        }
        figure.spot((plot.x + plot.width / 2.0, top + height / 2.0), (plot.width / 2.0, height / 2.0), &[trace.planned.id]);
        stalled += row.stalls.len();
        let last = sheet.ms(row.reads.last().copied().unwrap_or(0));
        let [id, place, reads] = [trace.planned.id as usize, rank + 1, row.reads.len()].map(count);
        let [longest, n] = [sheet.ms(row.longest), count(row.stalls.len())];
        texts.push(sheet.say(Cht::ReadRow, &[&id, &place, &count(ranked.len()), &reads, &last, &longest, &n]));
        table.push([place, id, reads, last, longest, n]);
    }
    figure.y = along_side(Cht::AxisRank.get(sheet.lang), "", ranks(&chosen, ranked.len(), plot, height));
    figure.x = across(Cht::AxisSinceSent.get(sheet.lang), "ms", x.ticks(), sheet.size);
    let stall_name = sheet.say(Cht::Stall, &[&sheet.ms(stall)]);
    let layers = [
        (Layer::faint(Ink::Warn, Shape::Rects(stalls)), stall_name.as_str()),
        (Layer::faint(Ink::Seen, Shape::Rects(bounds)), Cht::BoundsOf.get(sheet.lang)),
        (Layer::new(Ink::Received, Shape::Strokes(strokes)), Cht::OneRead.get(sheet.lang)),
        (
            Layer { weight: super::scene::Weight::Strong, ..Layer::new(Ink::Seen, Shape::Strokes(seen)) },
            Cht::FirstSeen.get(sheet.lang),
        ),
    ];
    for (layer, name) in layers.into_iter().filter(|(layer, _)| !layer.is_empty()) {
        let form = if matches!(layer.shape, Shape::Rects(_)) { Form::Band } else { Form::Stroke };
        figure.key(layer.ink, form, name);
        figure.layers.push(layer);
    }
    if chosen.len() < ranked.len() {
        figure.notes.push(sheet.say(Cht::NoteRows, &[&count(chosen.len()), &count(ranked.len())]));
    }
    let about = sheet.say(Cht::AboutBarcode, &[&count(chosen.len()), &count(ranked.len()), &count(stalled)]);
    figure.about = format!("{}. {about}", figure.title);
    figure.reading = Reading::Texts(texts);
    let head = [Cht::ColRank, Cht::ColRequest, Cht::ColReads, Cht::ColLast, Cht::ColLongest, Cht::ColStalls];
    figure.table = sheet.table(head, table.into_iter());
    if let Some(row) = gaps.first() {
        figure.context = row_context(sheet.run, row, sheet.lang);
    }
    Some(figure)
}

/// The rows nearest to the ranks that have names.
fn ranks(chosen: &[(usize, &Trace, Row)], of: usize, plot: Rect, height: f64) -> Vec<Tick> {
    let nearest = |rank: usize| (0..chosen.len()).min_by_key(|at| chosen[*at].0.abs_diff(rank)).unwrap_or(0);
    let named = [(0, "p0"), (P50.rank(of) - 1, "p50"), (P95.rank(of) - 1, "p95"), (of - 1, "max")];
    let tick =
        |(rank, name): (usize, &str)| Tick { at: plot.y + height * (nearest(rank) as f64 + 0.5), label: name.to_owned() };
    named.into_iter().map(tick).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn ranks_are_spread_from_end_to_end() {
        assert_eq!(spread(5, 60), [0, 1, 2, 3, 4]);
        assert_eq!(spread(101, 3), [0, 50, 100]);
        assert_eq!(spread(7, 1), [3]);
        assert!(spread(0, 5).is_empty());
    }
}
