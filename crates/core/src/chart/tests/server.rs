//! The server's own metrics: exact places in each lane, on the time axis of every request, linked by time alone.

use super::*;
use crate::scrape::Missed;
use crate::scrape::tests::{page, sampled};

/// Ten requests, sent at 1,000 ms, over after 20, 40, … 200 ms; the server's page before, at the same instant, after 100 ms (not
/// answered), 200 ms and a second.
pub(super) fn metered() -> Run {
    sampled(&[
        (500, Ok(page(0, 0, 100, &[]))),
        (1000, Ok(page(4, 2, 300, &[]))),
        (1100, Err(Missed::Busy)),
        (1200, Ok(page(2, 0, 301, &[]))),
        (2000, Ok(page(0, 0, 301, &[]))),
    ])
}

fn figure(run: &Run) -> Figure {
    drawn(run, Chart::ServerMetrics, Metric::FirstAnswer)
}

fn strokes(figure: &Figure) -> Vec<(Place, Place)> {
    let of = |l: &Layer| match &l.shape {
        Shape::Strokes(strokes) if l.ink == Ink::Server => Some(strokes.clone()),
        _ => None,
    };
    figure.layers.iter().find_map(of).unwrap_or_default()
}

#[test]
fn each_quantity_has_a_lane_of_its_own_on_one_axis_of_time() {
    let figure = figure(&metered());
    let names: Vec<&str> = figure.names.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["Requests running", "Requests waiting", "Output tokens/s"]);
    // Three lanes of 44 below 22 for the name.
    assert_eq!(figure.plot.height, 3.0 * 66.0);
    assert_eq!(figure.size.height, 28.0 + 198.0 + 44.0);
    // From half a second before the first request to a second after it.
    let x = |seconds: f64| figure.plot.x + figure.plot.width * (seconds + 0.5) / 1.5;
    let y = |lane: f64, of: f64| figure.plot.y + 66.0 * lane + 22.0 + 44.0 * (1.0 - of);
    near(tick(&figure.x, "0.0"), x(0.0));
    let want = [
        (x(-0.5), y(0.0, 0.0)),
        (x(0.0), y(0.0, 1.0)),
        (x(0.2), y(0.0, 0.5)),
        (x(1.0), y(0.0, 0.0)),
        (x(-0.5), y(1.0, 0.0)),
        (x(0.0), y(1.0, 1.0)),
        (x(0.2), y(1.0, 0.0)),
        (x(1.0), y(1.0, 0.0)),
        // 200 tokens in half a second, 1 in a fifth, none.
        (x(-0.25), y(2.0, 1.0)),
        (x(0.1), y(2.0, 5.0 / 400.0)),
        (x(0.6), y(2.0, 0.0)),
    ];
    let got = points(&figure, Ink::Server, Glyph::Dot);
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(want) {
        near(got.0, want.0);
        near(got.1, want.1);
    }
    assert_eq!(figure.spots.iter().map(|s| (s.x, s.y)).collect::<Vec<_>>(), got);
}

#[test]
fn a_line_ends_where_a_sample_is_missing_or_the_server_counted_anew() {
    let figure = figure(&metered());
    let got = points(&figure, Ink::Server, Glyph::Dot);
    let pair = |a: usize, b: usize| (got[a], got[b]);
    // A rate is over the missing sample too.
    assert_eq!(strokes(&figure), [pair(0, 1), pair(2, 3), pair(4, 5), pair(6, 7), pair(8, 9), pair(9, 10)]);
    assert!(figure.notes.iter().any(|n| n.starts_with("Missing samples: 1")), "{:?}", figure.notes);
    let anew = sampled(&[(1000, Ok(page(1, 0, 50, &[]))), (1100, Ok(page(1, 0, 10, &[]))), (1200, Ok(page(1, 0, 20, &[])))]);
    let figure = self::figure(&anew);
    // Running and waiting from the second on; the tokens have one rate left.
    assert_eq!((strokes(&figure).len(), points(&figure, Ink::Server, Glyph::Dot).len()), (2, 7));
    assert!(figure.notes.iter().any(|n| n.contains("counted anew")), "{:?}", figure.notes);
}

#[test]
fn both_charts_over_time_have_one_axis_and_without_metrics_there_is_no_second() {
    let run = metered();
    let (server, requests) = (figure(&run), drawn(&run, Chart::OverTime, Metric::FirstAnswer));
    let labels = |f: &Figure| f.x.ticks.iter().map(|t| t.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(&server), labels(&requests));
    let share = |f: &Figure, label: &str| (tick(&f.x, label) - f.plot.x) / f.plot.width;
    near(share(&server, "0.0"), 1.0 / 3.0);
    near(share(&requests, "0.0"), 1.0 / 3.0);
    let of = |run: &Run| drawn_at(run, Chart::ServerMetrics, Metric::FirstAnswer, WIDE, Lang::En, Mode::Streaming);
    assert_eq!(of(&plain(5)), None);
    assert_eq!(of(&sampled(&[(1000, Err(Missed::Status(404)))])), None);
}

#[test]
fn values_and_requests_are_linked_by_time_alone() {
    let figure = figure(&metered());
    // Nearest to the sample at 1,000 ms until 1,100 ms, to that at 1,200 ms until 1,600 ms: those over after 120 ms and more.
    let of = |spot| figure.requests(spot).to_vec();
    assert!(of(0).is_empty());
    assert_eq!(of(1), (1..=10).collect::<Vec<_>>());
    assert_eq!(of(2), (6..=10).collect::<Vec<_>>());
    assert!(of(3).is_empty());
    let (x, y) = points(&figure, Ink::Server, Glyph::Dot)[2];
    assert_eq!(figure.inside(Rect { x: x - 1.0, y: y - 1.0, width: 2.0, height: 2.0 }), of(2));
    // The first request marks the values of its time in every lane.
    let marks = figure.marks_of(&[1]);
    let at = |shape: &Shape| match shape {
        Shape::Points(Glyph::Ring, places) => places.clone(),
        other => panic!("{other:?}"),
    };
    let spots: Vec<Place> = [1, 5, 9].map(|at: usize| (figure.spots[at].x, figure.spots[at].y)).to_vec();
    assert_eq!(at(&marks[0].shape), spots);
}

#[test]
fn it_says_its_figures_and_that_they_belong_to_no_request() {
    let run = metered();
    let figure = figure(&run);
    assert_eq!(
        figure.label(&run, 1, Lang::En),
        "Requests running: 4, 0.00 s after the run began; 10 of the requests drawn here were under way then"
    );
    assert!(figure.about.contains("Requests waiting: 4 values, mean 0.50, largest 2 at 0.00 s."), "{}", figure.about);
    assert!(figure.about.contains("no value belongs to a request"), "{}", figure.about);
    assert_eq!(figure.table.rows.len(), 11);
    assert_eq!(figure.table.rows[0], ["−0.50", "Requests running", "0"]);
    let file = svg::document(&figure);
    assert!(file.contains("Requests waiting") && file.contains("no value belongs to a request"));
}
