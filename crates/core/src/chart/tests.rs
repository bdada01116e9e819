//! Figures of runs whose times are known: exact places, and what must hold of every figure at every width.

use super::*;
use crate::Micros;
use crate::config::ModeChoice;
use crate::gap::Wait;
use crate::load::{Over, Shape as LoadShape, Spacing};
use crate::mark::{Absence, Mark};
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::Run;
use crate::summary::Summary;
use crate::summary::fixture::{run, trace};
use crate::text::Lang;
use crate::trace::{Mode, Trace};
use proptest::prelude::*;

mod server;
mod sound;

const WIDE: Size = Size { width: 1100.0, height: 360.0 };

fn drawn_at(run: &Run, chart: Chart, metric: Metric, size: Size, lang: Lang, mode: Mode) -> Option<Figure> {
    let summary = Summary::of(run);
    chart.draw(&Sheet { run, summary: &summary, mode, size, lang }, metric)
}

fn drawn(run: &Run, chart: Chart, metric: Metric) -> Figure {
    drawn_at(run, chart, metric, WIDE, Lang::En, Mode::Streaming).expect("it applies")
}

fn seen(trace: Trace, value: Option<i64>, earliest: i64, latest: Option<i64>) -> Trace {
    let at = |ms: i64| trace.marks.get(Mark::Sent).expect("sent") + Micros::ms(ms);
    let (value, earliest, latest) = (value.map(at), at(earliest), latest.map(at));
    let paint = Ok(Seen { method: Method::ElementTiming, earliest, latest, value });
    Trace { first_visible: paint, ..trace }
}

/// First words after 100, 200, … ms, seen 10 ms later.
fn plain(n: u32) -> Run {
    let one = |id: u32| seen(trace(id, 100 * i64::from(id + 1)), Some(100 * i64::from(id + 1) + 10), 0, None);
    run((0..n).map(one).collect())
}

/// The same with bounds alone, the last without an upper one; with failures, a time limit, a stop and warm-up.
fn troubled() -> Run {
    let mut traces: Vec<Trace> = (0..24u32)
        .map(|id| {
            let first = 80 + 35 * i64::from(id);
            seen(trace(id, first), None, first + 4, (id != 20).then_some(first + 30))
        })
        .collect();
    for (at, t) in traces.iter_mut().enumerate() {
        let late = Micros::ms(250 * at as i64);
        for mark in Mark::ALL {
            if let Ok(before) = t.marks.get(mark) {
                t.marks.set(mark, before + late);
            }
        }
        t.reads.iter_mut().for_each(|r| r.at += late);
        t.last_known += late;
        let moved = |s: Seen| Seen { earliest: s.earliest + late, latest: s.latest.map(|l| l + late), ..s };
        t.first_visible = t.first_visible.map(moved);
        t.planned.warmup = at < 3;
    }
    traces[5].outcome = Outcome::HttpError { status: 503 };
    traces[9].outcome = Outcome::Cancelled;
    for at in [5, 12] {
        for mark in [Mark::FirstEvent, Mark::FirstOutput, Mark::FirstAnswer, Mark::LastAnswer, Mark::LastOutput] {
            traces[at].marks.withdraw(mark, Absence::NotReached);
        }
        traces[at].first_visible = Err(Absence::NotReached);
        traces[at].reads.clear();
    }
    traces[12].outcome = Outcome::Timeout;
    run(traces)
}

/// Four pairs, streaming faster by 5, 10, 15 and −20 ms to the end.
fn in_pairs() -> Run {
    let mut traces = Vec::new();
    for (pair, faster) in [5i64, 10, 15, -20].into_iter().enumerate() {
        for mode in [Mode::Streaming, Mode::NonStreaming] {
            let mut t = trace(traces.len() as u32, 100);
            t.planned.mode = mode;
            t.planned.pair = Some(pair as u32);
            if mode == Mode::Streaming {
                t.marks.set(Mark::LastOutput, Micros::ms(1200 - faster));
            }
            traces.push(t);
        }
    }
    let mut run = run(traces);
    run.config.mode = ModeChoice::Both;
    run
}

/// Levels 1, 2 and 4 at once: 10, 20 and 20 requests per second.
fn swept() -> Run {
    let mut traces = Vec::new();
    for (stage, (apart, first)) in [(100, 60), (50, 60), (50, 90)].into_iter().enumerate() {
        for n in 0..21i64 {
            let mut t = trace(traces.len() as u32, first);
            let late = Micros::ms(10_000 * stage as i64 + apart * n);
            for mark in Mark::ALL {
                if let Ok(before) = t.marks.get(mark) {
                    t.marks.set(mark, before + late);
                }
            }
            t.reads.push(crate::trace::Read { at: Micros::ms(1000 + 3 * first), bytes: 1, events: 1, output_events: 1 });
            t.reads.iter_mut().for_each(|r| r.at += late);
            t.usage = Some(crate::trace::Usage { output: Some(11), ..Default::default() });
            t.last_known += late;
            t.planned.stage = stage as u32;
            traces.push(t);
        }
    }
    let mut run = run(traces);
    run.config.load.shape =
        LoadShape::Sweep { over: Over::Concurrency, levels: vec![1.0, 2.0, 4.0], settle_ms: 0, spacing: Spacing::Even };
    run
}

fn points(figure: &Figure, ink: Ink, glyph: Glyph) -> Vec<Place> {
    let of = |l: &&Layer| l.ink == ink && matches!(&l.shape, Shape::Points(g, _) if *g == glyph);
    let places = |l: &Layer| match &l.shape {
        Shape::Points(_, places) => places.clone(),
        _ => Vec::new(),
    };
    figure.layers.iter().filter(of).flat_map(places).collect()
}

fn line(figure: &Figure, ink: Ink) -> Vec<Place> {
    let places = |l: &Layer| match &l.shape {
        Shape::Line(places) if l.ink == ink => Some(places.clone()),
        _ => None,
    };
    figure.layers.iter().find_map(places).expect("a line")
}

fn rects(figure: &Figure, ink: Ink) -> Vec<Rect> {
    let of = |l: &Layer| match &l.shape {
        Shape::Rects(rects) if l.ink == ink => rects.clone(),
        _ => Vec::new(),
    };
    figure.layers.iter().flat_map(of).collect()
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

fn tick(axis: &Axis, label: &str) -> f64 {
    axis.ticks.iter().find(|t| t.label == label).unwrap_or_else(|| panic!("{label} of {:?}", axis.ticks)).at
}

#[test]
fn each_further_nine_takes_the_same_width_as_far_as_n_allows() {
    let figure = drawn(&plain(1000), Chart::ByNines, Metric::FirstVisible);
    let labels: Vec<&str> = figure.x.ticks.iter().map(|t| t.label.as_str()).collect();
    assert_eq!(labels, ["p0", "p50", "p90", "p99", "p99.9"]);
    let third = figure.plot.width / 3.0;
    for (label, n) in [("p0", 0.0), ("p90", 1.0), ("p99", 2.0), ("p99.9", 3.0)] {
        near(tick(&figure.x, label), figure.plot.x + n * third);
    }
    let small = drawn(&plain(20), Chart::ByNines, Metric::FirstVisible);
    assert_eq!(small.x.ticks.iter().map(|t| t.label.as_str()).collect::<Vec<_>>(), ["p0", "p50", "p90"]);
    // Three curves in three meanings: 60 ms reported, received, and seen 10 ms later.
    for (ink, ms) in [(Ink::Server, 60.0), (Ink::Received, 1000.0), (Ink::Seen, 1010.0)] {
        let at = points(&small, ink, Glyph::Dot).into_iter().find(|p| (p.0 - tick(&small.x, "p50")).abs() < 1e-9);
        near(at.expect("the median").1, small.plot.bottom() - small.plot.height * ms / 2010.0);
    }
    let spot = (0..small.spots.len())
        .find(|s| small.label(&plain(20), *s, Lang::En).starts_with("First words seen, p50"))
        .expect("p50");
    assert_eq!(small.requests(spot), [9]);
    let text = small.label(&plain(20), spot, Lang::En);
    assert_eq!(text, "First words seen, p50: 1,010 ms, n = 20, 95 % interval 610–1,510 ms");
}

#[test]
fn bounds_are_a_band_and_never_a_line_between() {
    let figure = drawn(&troubled(), Chart::ByNines, Metric::FirstVisible);
    let seen = |of: fn(&Shape) -> bool| figure.layers.iter().filter(|l| l.ink == Ink::Seen && of(&l.shape)).count();
    assert_eq!((seen(|s| matches!(s, Shape::Area(_))), seen(|s| matches!(s, Shape::Line(_)))), (1, 2));
    assert!(figure.notes.iter().any(|n| n.contains("no value between them")), "{:?}", figure.notes);
    let over = drawn(&troubled(), Chart::OverTime, Metric::FirstVisible);
    // 24 requests without the two that have no such mark; one without an upper bound is a triangle.
    let strokes = over.layers.iter().find_map(|l| match &l.shape {
        Shape::Strokes(s) if l.ink == Ink::Seen => Some(s.len()),
        _ => None,
    });
    assert_eq!(strokes, Some(18), "and three of warm-up");
    assert!(points(&over, Ink::Seen, Glyph::Dot).is_empty());
}

#[test]
fn the_gap_is_of_each_request_and_every_request_is_in_one_bar() {
    // Waits of 110, 210, … 1,010 ms, of which 60 were reported.
    let run = plain(10);
    let figure = drawn(&run, Chart::Gap, Metric::FirstVisible);
    let bars = rects(&figure, Ink::Neutral);
    assert_eq!(figure.members.len(), 10);
    let tallest = bars.iter().map(|b| b.height).fold(0.0, f64::max);
    near(tallest, figure.plot.height);
    assert!(figure.about.contains("p50 450 ms") && figure.about.contains("largest 950 ms"), "{}", figure.about);
    let (first, last) = (&bars[0], &bars[bars.len() - 1]);
    assert!(first.x >= figure.plot.x && last.right() <= figure.plot.right() + 1e-9);
    let mut silent = plain(10);
    silent.traces.iter_mut().for_each(|t| t.spans.clear());
    let none = drawn(&silent, Chart::Gap, Metric::FirstVisible);
    assert!(none.is_empty() && none.notes[0].contains("reported nothing"), "{:?}", none.notes);
}

#[test]
fn parts_fill_their_bar_exactly() {
    let run = plain(100);
    let figure = drawn(&run, Chart::SplitFirst, Metric::FirstVisible);
    let names: Vec<&str> = figure.y.ticks.iter().rev().map(|t| t.label.as_str()).collect();
    assert_eq!(names, ["p50 −1", "p50", "p50 +1", "p95 −1", "p95", "p95 +1", "p99 −1", "p99", "p99 +1"]);
    assert_eq!(figure.members, [48, 49, 50, 93, 94, 95, 97, 98, 99]);
    // The longest of them waited for 10,010 ms: 60 reported, 10 on the way to the screen.
    let width = |ms: f64| figure.plot.width * ms / 10_010.0;
    for (spot, id) in figure.spots.iter().zip(&figure.members) {
        let of_bar = |ink| rects(&figure, ink).into_iter().find(|r| r.y <= spot.y && r.bottom() >= spot.y).expect("a part");
        let (server, rest, render) = (of_bar(Ink::Server), of_bar(Ink::Unattributed), of_bar(Ink::Render));
        let wait = 100.0 * f64::from(id + 1) + 10.0;
        near(server.x, figure.plot.x);
        near(server.width, width(60.0));
        near(server.right(), rest.x);
        near(rest.right(), render.x);
        near(render.width, width(10.0));
        near(render.right(), figure.plot.x + width(wait));
        near(spot.x + spot.reach.0, render.right());
    }
    assert!(figure.label(&run, 1, Lang::En).starts_with("p50, request 49, rank 50 of 100. First words seen: 5,010 ms in all."));
    // Of one request there is one bar.
    assert_eq!(drawn(&plain(1), Chart::SplitFirst, Metric::FirstVisible).members, [0]);
}

#[test]
fn the_distribution_rises_by_one_request_a_step_inside_its_band() {
    let figure = drawn(&plain(4), Chart::Ecdf, Metric::FirstAnswer);
    let x = |ms: f64| figure.plot.x + figure.plot.width * ms / 400.0;
    let y = |share: f64| figure.plot.bottom() - figure.plot.height * share;
    let want = [
        (0.0, 0.0),
        (100.0, 0.0),
        (100.0, 0.25),
        (200.0, 0.25),
        (200.0, 0.5),
        (300.0, 0.5),
        (300.0, 0.75),
        (400.0, 0.75),
        (400.0, 1.0),
    ];
    let got = line(&figure, Ink::Received);
    for (ms, share) in want {
        assert!(got.iter().any(|p| (p.0 - x(ms)).abs() < 1e-6 && (p.1 - y(share)).abs() < 1e-6), "{ms} {share}: {got:?}");
    }
    // √(ln 40 / 8).
    assert!(figure.notes.iter().any(|n| n.contains("67.9 percentage points")), "{:?}", figure.notes);
    assert_eq!(
        figure.label(&plain(4), 2, Lang::En),
        "request 2: Time to first answer token 300 ms, complete; sent 0.00 s after the run began"
    );
    let cut = drawn(&troubled(), Chart::Ecdf, Metric::FirstAnswer);
    assert!(line(&cut, Ink::Received).iter().all(|p| p.1 > cut.plot.y + 1.0), "one of them never got there");
}

#[test]
fn a_request_over_time_is_drawn_by_how_it_ended() {
    let run = troubled();
    let figure = drawn(&run, Chart::OverTime, Metric::FirstAnswer);
    let n = |ink, glyph| points(&figure, ink, glyph).len();
    assert_eq!(n(Ink::Muted, Glyph::Dot), 3, "warm-up");
    assert_eq!(n(Ink::Warn, Glyph::Cross), 1, "503");
    assert_eq!(n(Ink::Warn, Glyph::Triangle), 1, "time limit");
    assert_eq!(n(Ink::Muted, Glyph::Diamond), 1, "cancelled");
    assert_eq!(n(Ink::Received, Glyph::Dot), 18);
    // Sent 250 ms apart over 5.75 s.
    let warm = points(&figure, Ink::Muted, Glyph::Dot);
    near(warm[1].0 - warm[0].0, figure.plot.width * 0.25 / 5.75);
    let cross = points(&figure, Ink::Warn, Glyph::Cross)[0];
    assert!(figure.spots.iter().all(|s| s.y >= cross.1), "what has no time stands above");
    let spot = figure.spots.iter().position(|s| (s.x, s.y) == cross).expect("a spot");
    assert_eq!((figure.requests(spot), figure.label(&run, spot, Lang::En).contains("HTTP 503")), (&[5u32][..], true));
    assert!(figure.about.contains("21 requests over 5.8 s"), "{}", figure.about);
}

#[test]
fn equal_spans_stand_on_the_line() {
    let mut equal = plain(3);
    for t in &mut equal.traces {
        t.first_visible = Err(Absence::NotInPaintedSubset);
        t.spans[0].value = t.marks.between(Mark::Sent, Mark::FirstAnswer).expect("a wait");
    }
    let figure = drawn(&equal, Chart::Scatter, Metric::FirstVisible);
    near(figure.plot.width, figure.plot.height);
    for (x, y) in points(&figure, Ink::Received, Glyph::Dot) {
        near(x - figure.plot.x, figure.plot.bottom() - y);
    }
    assert_eq!(
        figure.label(&equal, 0, Lang::En),
        "request 0: First words received 100 ms, of which the server reported 100 ms; 0.00 ms outside"
    );
    // A report longer than the wait is flagged and not plotted.
    equal.traces[1].spans[0].value = Micros::ms(9999);
    let figure = drawn(&equal, Chart::Scatter, Metric::FirstVisible);
    assert_eq!(figure.members, [0, 2]);
    assert!(figure.notes.iter().any(|n| n.contains("1 requests whose report does not fit")), "{:?}", figure.notes);
}

#[test]
fn a_stall_is_seen_in_its_row() {
    // Two reads each, as far apart as the first is from `sent`: the median gap is 200 ms, and one stands still for 1.5 s.
    let run = run([100, 200, 200, 200, 1500].into_iter().zip(0..).map(|(first, id)| trace(id, first)).collect());
    let figure = drawn(&run, Chart::Barcode, Metric::FirstVisible);
    let stalls = rects(&figure, Ink::Warn);
    assert_eq!(stalls.len(), 1);
    near(stalls[0].x, figure.plot.x + figure.plot.width / 2.0);
    near(stalls[0].right(), figure.plot.right());
    assert_eq!(figure.members, [0, 1, 2, 3, 4]);
    assert!(
        figure.label(&run, 4, Lang::En).ends_with("longest stall 1,500 ms, 1 stalls"),
        "{}",
        figure.label(&run, 4, Lang::En)
    );
    let many = drawn(&plain(1000), Chart::Barcode, Metric::FirstVisible);
    assert_eq!((many.spots.len(), many.members[0], many.members[many.members.len() - 1]), (60, 0, 999));
    assert!(many.notes[0].starts_with("60 of 1,000 answers"), "{:?}", many.notes);
}

#[test]
fn levels_stand_at_their_throughput_and_saturation_is_marked() {
    let run = swept();
    let figure = drawn(&run, Chart::Levels, Metric::FirstVisible);
    let dots = points(&figure, Ink::Received, Glyph::Dot);
    // 10, 20 and 20 completed a second; p50 of 60, 60 and 90 ms.
    let x = |rate: f64| figure.plot.x + figure.plot.width * rate / 20.0;
    let y = |ms: f64| figure.plot.bottom() - figure.plot.height * ms / 90.0;
    for (dot, want) in dots.iter().zip([(x(10.0), y(60.0)), (x(20.0), y(60.0)), (x(20.0), y(90.0))]) {
        near(dot.0, want.0);
        near(dot.1, want.1);
    }
    let saturated = figure.layers.iter().find_map(|l| match &l.shape {
        Shape::Rule { from, .. } if l.ink == Ink::Warn => Some(from.0),
        _ => None,
    });
    near(saturated.expect("a mark"), x(20.0));
    assert!(figure.notes.iter().any(|n| n.starts_with("Level 4")), "{:?}", figure.notes);
    let speed = drawn(&run, Chart::Speed, Metric::FirstVisible);
    assert_eq!(points(&speed, Ink::Received, Glyph::Dot).len(), 3, "{:?}", speed.notes);
    assert_eq!(drawn_at(&plain(3), Chart::Levels, Metric::FirstVisible, WIDE, Lang::En, Mode::Streaming), None);
}

#[test]
fn pairs_are_differences_and_their_median() {
    let run = in_pairs();
    let figure = drawn(&run, Chart::Paired, Metric::FirstVisible);
    // Received differences of −15, −10, −5 and 20 ms; the median by nearest rank is −10.
    let x = |ms: f64| figure.plot.x + figure.plot.width * (ms + 15.0) / 35.0;
    let median = figure.layers.iter().find_map(|l| match &l.shape {
        Shape::Strokes(s) if l.weight == Weight::Strong => Some(s.clone()),
        _ => None,
    });
    assert!(median.expect("medians").iter().any(|(from, _)| (from.0 - x(-10.0)).abs() < 1e-6));
    let summary = Summary::of(&run);
    let whole = summary.paired.iter().find(|p| p.metric == Metric::EndToEnd).expect("pairs");
    assert_eq!(whole.differences.sorted(), [-15_000, -10_000, -5_000, 20_000]);
    let last = figure.spots.len() - 1;
    assert_eq!(
        figure.label(&run, last, Lang::En),
        "requests 7 and 6, End-to-end, last token: 200 and 220 ms, difference +20.0 ms"
    );
    assert_eq!(figure.requests(last), [7, 6]);
    assert_eq!(drawn_at(&plain(3), Chart::Paired, Metric::FirstVisible, WIDE, Lang::En, Mode::Streaming), None);
}

#[test]
fn a_pointer_a_key_a_brush_and_a_selection_find_their_requests() {
    let run = plain(10);
    let figure = drawn(&run, Chart::OverTime, Metric::FirstAnswer);
    let ecdf = drawn(&run, Chart::Ecdf, Metric::FirstAnswer);
    for (at, spot) in ecdf.spots.iter().enumerate() {
        assert_eq!(ecdf.nearest(spot.x + 0.3, spot.y - 0.3), Some(at));
    }
    let mut at = ecdf.step(None, Direction::Right);
    let mut walked = Vec::new();
    for _ in 0..12 {
        let here = at.expect("a spot");
        if walked.last() != Some(&here) {
            walked.push(here);
        }
        at = ecdf.step(at, Direction::Right);
    }
    assert_eq!(walked, (0..10).collect::<Vec<_>>());
    assert_eq!(ecdf.step(Some(4), Direction::Left), Some(3));
    assert_eq!(ecdf.step(Some(4), Direction::Up), Some(5));
    assert_eq!((ecdf.step(Some(4), Direction::First), ecdf.step(Some(4), Direction::Last)), (Some(0), Some(9)));
    let half = Rect { width: ecdf.plot.width * 0.45, ..ecdf.plot };
    assert_eq!(ecdf.inside(half), [0, 1, 2, 3]);
    let marks = figure.marks_of(&[3, 4]);
    assert_eq!(marks.len(), 1);
    assert!(matches!(&marks[0].shape, Shape::Points(Glyph::Ring, p) if p.len() == 2));
    let bars = drawn(&run, Chart::SplitFirst, Metric::FirstVisible);
    assert!(matches!(&bars.marks_of(&[9])[..], [Layer { shape: Shape::Strokes(frame), .. }] if frame.len() == 4));
    assert!(figure.marks_of(&[]).is_empty() && figure.inside(Rect::default()).is_empty());
}

#[test]
fn ten_thousand_requests_make_few_elements() {
    let mut large = plain(10_000);
    for (t, n) in large.traces.iter_mut().zip(0u32..) {
        let spread = i64::from(n.wrapping_mul(2_654_435_761) % 900);
        *t = seen(trace(n, 100 + spread), Some(120 + spread), 0, None);
        t.planned.painted = true;
    }
    for chart in Chart::ALL {
        let Some(figure) = drawn_at(&large, chart, Metric::FirstVisible, WIDE, Lang::En, Mode::Streaming) else { continue };
        assert!(!figure.is_empty() && figure.layers.len() <= 12, "{chart:?}: {}", figure.layers.len());
        assert!(figure.table.rows.len() <= 200, "{chart:?}");
        let length: usize = figure.layers.iter().map(|l| l.path().len()).sum();
        assert!(length < 600_000, "{chart:?}: {length}");
        let texts = matches!(&figure.reading, Reading::Texts(texts) if texts.len() > 200);
        assert!(!texts, "{chart:?} makes every label before anybody asks");
        assert!(!figure.label(&large, figure.spots.len() / 2, Lang::En).is_empty(), "{chart:?}");
    }
    // Selected, every point lies in a marked cell, and every cell holds one; neighbours are one mark.
    let figure = drawn_at(&large, Chart::OverTime, Metric::FirstVisible, WIDE, Lang::En, Mode::Streaming).expect("a chart");
    let marks = figure.marks_of(&(0..10_000).collect::<Vec<_>>());
    let [Layer { shape: Shape::Rects(cells), .. }] = &marks[..] else { panic!("{marks:?}") };
    assert!(cells.len() < figure.spots.len() / 2 && !cells.is_empty(), "{} of {}", cells.len(), figure.spots.len());
    let within =
        |spot: &Spot, x: f64, cell: &Rect| x <= spot.x && spot.x < x + 4.0 && cell.y <= spot.y && spot.y < cell.bottom();
    for spot in &figure.spots {
        let holds = |cell: &&Rect| cell.x <= spot.x && spot.x < cell.right() && cell.y <= spot.y && spot.y < cell.bottom();
        assert_eq!(cells.iter().filter(holds).count(), 1, "{spot:?}");
    }
    for cell in cells {
        for nth in 0..(cell.width / 4.0) as u32 {
            let x = cell.x + f64::from(nth) * 4.0;
            assert!(figure.spots.iter().any(|spot| within(spot, x, cell)), "{cell:?} marks nothing at {x}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn curves_never_fall_and_bars_hold_their_parts(firsts in prop::collection::vec((61i64..5_000, 0i64..60), 1..60)) {
        let traces = firsts.iter().zip(0u32..).map(|((first, paint), id)| seen(trace(id, *first), Some(first + paint), 0, None));
        let run = run(traces.collect());
        for chart in [Chart::ByNines, Chart::Ecdf] {
            for layer in drawn(&run, chart, Metric::FirstVisible).layers {
                if let Shape::Line(points) = &layer.shape {
                    // To the right is never lower on the screen's scale of values.
                    prop_assert!(points.windows(2).all(|w| w[1].0 >= w[0].0 - 1e-9 && w[1].1 <= w[0].1 + 1e-9));
                }
            }
        }
        let figure = drawn(&run, Chart::SplitFirst, Metric::FirstVisible);
        let inks = [Ink::Server, Ink::Before, Ink::Unattributed, Ink::Render];
        for spot in &figure.spots {
            let of_bar = |ink| rects(&figure, ink).into_iter().filter(|r| r.y <= spot.y && r.bottom() >= spot.y).collect::<Vec<_>>();
            let sum: f64 = inks.into_iter().flat_map(of_bar).map(|r| r.width).sum();
            prop_assert!((sum - 2.0 * spot.reach.0).abs() < 1e-6, "{} is not {}", sum, 2.0 * spot.reach.0);
        }
        let gap = drawn(&run, Chart::Gap, Metric::FirstVisible);
        let mut all = gap.inside(gap.plot);
        all.sort_unstable();
        prop_assert_eq!(all, (0..firsts.len() as u32).collect::<Vec<_>>());
        prop_assert_eq!(drawn(&run, Chart::Scatter, Metric::FirstVisible).members.len(), firsts.len());
        let waits: Vec<Wait> = Summary::of(&run).gaps.iter().filter(|(_, _, g)| g.outside.n() > 0).map(|(_, w, _)| *w).collect();
        prop_assert!(waits.contains(&Wait::FirstVisible));
    }
}
