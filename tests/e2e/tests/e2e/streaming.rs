//! A plain streaming run: what is stamped agrees with what the server really did.

use firstlight_core::Micros;
use firstlight_core::mark::Mark;
use firstlight_core::paint::Method;
use firstlight_core::summary::{Edge, Summary, table};
use firstlight_core::text::Lang;
use firstlight_core::trace::{Mode, Shape};
use firstlight_e2e::Browser;
use firstlight_e2e::page::Row;
use firstlight_e2e::served::{write_of_first_answer, write_of_last_answer};
use firstlight_server::Truth;

use crate::checks::{all_complete, at, measure, open, own};

pub(crate) fn marks_follow_the_servers_truth(browser: &Browser) {
    let (served, page) = open(browser);
    let clocks = served.join_clocks(&page).expect("joined clocks");
    let setup = own(&served.endpoint("preset=fast&rid=truth"), 10).with("warmup", 1);
    let run = measure(&page, &setup);
    all_complete(&run);
    let truths = served.truths("truth");
    assert_eq!((run.traces.len(), truths.len()), (11, 11));
    assert_eq!(run.traces.iter().filter(|t| t.planned.warmup).count(), 1);
    assert!(run.traces[0].planned.warmup, "warm-up comes first");
    // Stamps of the page are rounded down to its clock's step.
    let error = clocks.error + Micros(run.clock.step_us);
    for (trace, truth) in run.traces.iter().zip(&truths) {
        assert_eq!((trace.planned.mode, trace.shape), (Mode::Streaming, Some(Shape::Stream)));
        // One at a time, so the nth that was sent is the nth that came.
        let received = clocks.on_page(i64::try_from(truth.received_us).expect("a time"));
        assert!(at(trace, Mark::Sent) <= received + error, "sent after it came: {trace:?} {truth:?}");
        let first = clocks.on_page(write_of_first_answer(truth).expect("an answer"));
        let last = clocks.on_page(write_of_last_answer(truth).expect("an answer"));
        assert!(at(trace, Mark::FirstAnswer) + error >= first, "read before it was written: {trace:?} {truth:?}");
        assert!(at(trace, Mark::LastAnswer) + error >= last, "read before it was written: {trace:?} {truth:?}");
        // What the server wrote is what was counted.
        let pieces = truth.pieces.iter().filter(|piece| piece.kind.is_output()).count();
        assert_eq!(pieces, 10);
        assert_eq!(trace.reads.iter().map(|read| read.output_events).sum::<u32>(), 10);
        assert_eq!(trace.reads.iter().map(|read| read.bytes as usize).sum::<usize>(), bytes(truth));
        assert_eq!(trace.usage.and_then(|usage| usage.output), Some(10));
        assert_eq!(trace.reads.iter().map(|read| read.events).sum::<u32>() as usize, truth.pieces.len());
    }
}

fn bytes(truth: &Truth) -> usize {
    truth.pieces.iter().map(|piece| piece.bytes).sum()
}

pub(crate) fn the_first_characters_were_seen_at_a_known_instant(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 10));
    all_complete(&run);
    assert!(run.environment.isolated, "the server's headers isolate the page");
    for trace in &run.traces {
        for (paint, received) in [(trace.first_visible, Mark::FirstAnswer), (trace.complete_visible, Mark::LastAnswer)] {
            let seen = paint.unwrap_or_else(|why| panic!("not seen: {}; {trace:?}", why.code()));
            assert_eq!(seen.method, Method::ElementTiming);
            assert!(seen.value.expect("a value") >= at(trace, received), "seen before it was received: {trace:?}");
        }
    }
}

pub(crate) fn the_first_characters_were_seen_within_bounds(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 10));
    all_complete(&run);
    for trace in &run.traces {
        for (paint, received) in [(trace.first_visible, Mark::FirstAnswer), (trace.complete_visible, Mark::LastAnswer)] {
            let seen = paint.unwrap_or_else(|why| panic!("not seen: {}; {trace:?}", why.code()));
            assert_eq!((seen.method, seen.value), (Method::FrameCallbacks, None));
            assert!(seen.earliest >= at(trace, received), "seen before it was received: {trace:?}");
        }
    }
}

pub(crate) fn the_table_is_computed_from_the_run(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 12).with("warmup", 2));
    let expected = table(&run, &Summary::of(&run), Lang::En);
    let shown = page.table().expect("a table");
    assert_eq!(shown.len(), expected.len());
    for expected in &expected {
        let edge = match expected.edge {
            Edge::Value => "value",
            Edge::Earliest => "earliest",
            Edge::Latest => "latest",
        };
        let same = |row: &&Row| {
            (row.metric.as_str(), row.mode.as_str(), row.edge.as_str()) == (expected.metric.code(), expected.mode.code(), edge)
        };
        let shown = shown.iter().find(same).unwrap_or_else(|| panic!("no row “{}”", expected.name));
        if expected.cells.is_empty() {
            assert_eq!((shown.cells.len(), shown.reason.as_str()), (0, expected.missing.join(" · ").as_str()));
            continue;
        }
        assert_eq!(shown.figure("n"), Some(expected.n.as_str()), "{}", expected.name);
        for cell in &expected.cells {
            let wanted = (cell.text.clone(), cell.interval.clone());
            assert_eq!(shown.cells.get(&cell.stat.replace('.', "")), Some(&wanted), "{} of {}", cell.stat, expected.name);
        }
    }
    let first = page.row("time_to_first_answer", "streaming").expect("a row");
    assert_eq!(first.figure("n"), Some("12"), "warm-up is in no figure");
    assert!(!page.text("headline").expect("a headline").is_empty());
}
