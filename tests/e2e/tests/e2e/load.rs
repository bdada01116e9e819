//! Loads: what was sent when, what a stall does to it, and what the page says about both.

use std::time::{Duration, Instant};

use firstlight_core::Micros;
use firstlight_core::config::{Field, Problem};
use firstlight_core::load::{
    Cancel, Cases, ReplayError, Saturated, Shape, Wrong, levels, paused, plan, response_times, saturation, spelled_time,
};
use firstlight_core::mark::Mark;
use firstlight_core::metrics::Metric;
use firstlight_core::network::NetworkTiming;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::sections::{Section, sections};
use firstlight_core::stats::{Distribution, P99};
use firstlight_core::summary::Summary;
use firstlight_core::text::{Lang, LoadText, Sec, fill, metric_name, problem, saturated};
use firstlight_core::trace::{Planned, Trace};
use firstlight_e2e::page::{Page, Setup};
use firstlight_e2e::places;
use firstlight_e2e::stub::Stub;
use firstlight_e2e::{Browser, Served};
use firstlight_server::{Certificate, Options, Truth};

use crate::checks::{LIMIT, all_complete, at, check, measure, open, own};
use crate::fields::says;

/// A page over https, where a browser speaks HTTP/2 and keeps none of a hundred requests back for want of a connection.
pub(crate) fn open_https(browser: &Browser) -> (Served, Page<'_>) {
    let https = Some(Certificate::fresh("127.0.0.1").expect("a certificate"));
    let served = Served::start_as(Options { dist: Some(places::dist()), https, ..Options::default() }).expect("a server");
    let page = served.open(browser).expect("the page opens");
    (served, page)
}

/// An endpoint of one's own under a load of one line.
fn under(url: &str, shape: &str, line: &str, requests: u32) -> Setup {
    let setup = own(url, requests).with("load-shape", shape);
    if shape == "closed" { setup } else { setup.with("load-line", line) }
}

/// What the plan asks for, drawn again from what the file keeps.
fn planned(run: &Run) -> Vec<Planned> {
    plan(&run.config, &Cases::ONE, 0)
}

/// The part about the load, of which every sentence and every cell stands on the page.
fn load_section(page: &Page<'_>, run: &Run) -> Section {
    let part =
        sections(run, &Summary::of(run), Lang::En).into_iter().find(|part| part.id == "load").expect("a part about the load");
    let shown = page.text("load").expect("a text");
    let said = part.sentences.iter().map(|(_, text)| text);
    let cells = part.tables.iter().flat_map(|table| table.rows.iter().flatten());
    for text in said.chain(cells) {
        assert!(shown.contains(text.as_str()), "“{text}” is not in “{shown}”");
    }
    part
}

fn is_said(part: &Section, text: &str) {
    assert!(part.sentences.iter().any(|(_, said)| said == text), "“{text}” is not among {:?}", part.sentences);
}

/// Each request of an open loop: on time or late, never early, and due when the plan says.
fn keeps_to_the_plan(run: &Run) {
    let wanted: Vec<Option<Micros>> = planned(run).iter().map(|p| p.intended).collect();
    assert!(wanted.iter().all(Option::is_some) && wanted.is_sorted(), "{wanted:?}");
    let kept: Vec<Option<Micros>> = run.traces.iter().map(|t| t.planned.intended).collect();
    assert_eq!(kept, wanted);
    for trace in &run.traces {
        let (intended, dispatched, sent) = (at(trace, Mark::Intended), at(trace, Mark::Dispatched), at(trace, Mark::Sent));
        assert!(intended <= dispatched && dispatched <= sent, "{trace:?}");
    }
}

pub(crate) fn an_open_loop_keeps_to_its_plan(browser: &Browser) {
    let (served, page) = open(browser);
    let loads = [("poisson", "poisson 20/s", 40), ("rate", "rate 20/s", 20)];
    for (nth, (shape, line, requests)) in loads.into_iter().enumerate() {
        if nth > 0 {
            page.click("change").expect("pressed");
            page.wait_until("return document.body.dataset.state === 'setup';").expect("the form");
        }
        let url = served.endpoint(&format!("preset=fast&rid=open-{shape}"));
        let run = measure(&page, &under(&url, shape, line, requests));
        all_complete(&run);
        assert_eq!(run.config.load.shape, Shape::spelled(line).expect("a shape"));
        assert_eq!((run.traces.len(), served.truths(&format!("open-{shape}")).len()), (requests as usize, requests as usize));
        keeps_to_the_plan(&run);
        // All are due from one origin: nothing stood still.
        assert_eq!(paused(&run.traces.iter().collect::<Vec<_>>()), Micros::ZERO);
        if shape == "rate" {
            let offsets: Vec<Micros> = run.traces.iter().filter_map(|t| t.planned.intended).collect();
            assert_eq!(offsets, (0..20).map(|n| Micros::ms(50 * n)).collect::<Vec<_>>());
        }
        // Response times are later than service times by `sent − intended`, exactly.
        let part = load_section(&page, &run);
        let rows: Vec<&str> = part.tables.iter().flat_map(|t| &t.rows).map(|row| row[0].as_str()).collect();
        let name = metric_name(Lang::En, Metric::EndToEnd);
        for wanted in [Sec::Service, Sec::Response] {
            let names =
                [Metric::EndToEnd, Metric::CompleteVisible].map(|m| fill(wanted.get(Lang::En), &[metric_name(Lang::En, m)]));
            assert!(rows.iter().any(|row| names.iter().any(|n| n == row)), "no row like {name} in {rows:?}");
        }
        for trace in &run.traces {
            let late = at(trace, Mark::Sent) - at(trace, Mark::Intended);
            let response = response_times(Metric::EndToEnd, [trace].into_iter()).max().expect("a response time").value;
            assert_eq!(response, (at(trace, Mark::LastOutput) - at(trace, Mark::Sent) + late).0);
        }
    }
}

/// Four slots: eight at once get no more done than four, and sixteen are never tried.
pub(crate) fn a_sweep_ends_where_the_slots_do(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("preset=fast&slots=4&pool=sweep&rid=sweep");
    let run = measure(&page, &under(&url, "sweep", "sweep 1 2 4 8 16 32 settle 100ms", 30));
    all_complete(&run);
    let judged = saturation(&run.config.load.shape, &levels(&run.config), &run.traces);
    let last = judged.last().expect("a level");
    assert!(matches!(last.saturated, Some(Saturated::NoGain(_))), "{judged:?}");
    // Regular times: within one step of what is known. Of 32 at once nothing was sent.
    assert!([4.0, 8.0, 16.0].contains(&last.level), "{judged:?}");
    assert!(judged.iter().rev().skip(1).all(|level| level.saturated.is_none()), "{judged:?}");
    assert!(judged.iter().all(|level| (level.n, level.failed) == (30, 0)), "{judged:?}");
    // The server's word: as many requests as levels that were begun, and never more than four served at once.
    let truths = served.truths("sweep");
    assert_eq!((run.traces.len(), truths.len()), (30 * judged.len(), 30 * judged.len()));
    let served_us = |t: &Truth| t.served_us.expect("served");
    let at_once = |us: u64| truths.iter().filter(|t| served_us(t) <= us && t.closed_us.is_none_or(|end| end > us)).count();
    assert!(truths.iter().all(|t| at_once(served_us(t)) <= 4), "{truths:?}");
    let part = load_section(&page, &run);
    let why = saturated(Lang::En, last.saturated.expect("a reason"));
    let names = |text: &str| text.contains(&why) && text.contains(&last.level.to_string());
    assert!(part.sentences.iter().any(|(_, text)| names(text)), "{why} at level {} is not said: {part:?}", last.level);
}

/// A stall of two seconds meets forty requests of an open loop, and one of a closed loop.
pub(crate) fn a_stall_shows_in_response_times_and_hides_in_a_closed_loop(browser: &Browser) {
    let (served, page) = open_https(browser);
    let endpoint = |pool: &str, at_ms: u32| {
        served.endpoint(&format!("ttft_ms=5&gap_ms=2&tokens=5&pool={pool}&freeze_at_ms={at_ms}&freeze_ms=2000&rid={pool}"))
    };
    let run = measure(&page, &under(&endpoint("stall-open", 1000), "rate", "rate 20/s", 100).with("max-in-flight", 200));
    all_complete(&run);
    keeps_to_the_plan(&run);
    let response = response_times(Metric::EndToEnd, run.traces.iter());
    // Those that were due in the first half second of the stall, ten of a hundred, waited for more than 1.5 s.
    assert!(response.percentile(P99).is_some_and(|q| q.value >= 1_500_000), "{response:?}");
    load_section(&page, &run);

    page.click("change").expect("pressed");
    page.wait_until("return document.body.dataset.state === 'setup';").expect("the form");
    let setup = under(&endpoint("stall-closed", 500), "closed", "", 100).with("concurrency", 1).with("max-in-flight", "");
    let run = measure(&page, &setup);
    all_complete(&run);
    let service: Vec<i64> = run.traces.iter().map(|t| (at(t, Mark::LastOutput) - at(t, Mark::Sent)).0).collect();
    let service = Distribution::new(service, Vec::new());
    // One request of a hundred met it: the largest. The 99th percentile is the second largest, and says nothing of it.
    assert!(service.max().is_some_and(|q| q.value >= 1_500_000), "{service:?}");
    assert!(service.percentile(P99).is_some_and(|q| q.value < 500_000), "{service:?}");
    assert_eq!(response_times(Metric::EndToEnd, run.traces.iter()).n(), 0, "a closed loop has no response times");
    let said = page.text("load").expect("a text");
    assert!(said.contains(LoadText::ClosedLoopOmits.get(Lang::En)), "what a closed loop can't show is not said: “{said}”");
}

pub(crate) fn a_hidden_page_pauses_an_open_loop(browser: &Browser) {
    let (served, page) = open(browser);
    let watch = page.tell_visibility().expect("a listener");
    page.fill_in(&under(&served.endpoint("preset=fast&rid=pause"), "rate", "rate 20/s", 60)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth("pause", |truths| truths.len() >= 10).expect("it is under way");
    let covering = Instant::now();
    let tab = browser.cover().expect("covered");
    watch.wait_for("hidden", LIMIT).expect("it is hidden");
    let hidden = Instant::now();
    // What was sent at the moment of hiding arrives and ends; more than an interval of the schedule passes many times over.
    std::thread::sleep(Duration::from_millis(500));
    let before = served.truths("pause").len();
    std::thread::sleep(Duration::from_millis(1000));
    assert_eq!(served.truths("pause").len(), before, "sent while hidden");
    let at_least = hidden.elapsed();
    browser.show(tab).expect("shown again");
    watch.wait_for("visible", LIMIT).expect("it is shown");
    let at_most = covering.elapsed();
    page.wait_for_state("done", LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    run.traces.iter().for_each(check);
    all_complete(&run);
    keeps_to_the_plan(&run);
    let truths = served.truths("pause");
    assert_eq!((run.traces.len(), truths.len()), (60, 60));
    // The pause is the time in which it was hidden, as it is known from outside.
    let set: Vec<&Trace> = run.traces.iter().collect();
    let paused = paused(&set);
    let micros = |d: Duration| Micros(i64::try_from(d.as_micros()).expect("a time"));
    assert!(micros(at_least) <= paused && paused <= micros(at_most), "{at_least:?} <= {paused:?} <= {at_most:?}");
    // Nothing was caught up: in no half second after it more requests came than are due in it, and three for those that
    // came a little late before it.
    let after: Vec<u64> = truths[before..].iter().map(|t| t.received_us).collect();
    assert!(after.len() > 20, "{after:?}");
    for from in &after {
        let burst = after.iter().filter(|us| (*from..*from + 500_000).contains(*us)).count();
        assert!(burst <= 10 + 3, "{burst} requests within half a second: {after:?}");
    }
    let text = LoadText::Paused.get(Lang::En);
    let seconds = firstlight_core::format::significant(paused.as_secs(), 1);
    is_said(&load_section(&page, &run), &fill(text, &[&seconds]));
}

/// Answers of three seconds, a load of one, and a fifth of a second of grace.
pub(crate) fn what_is_not_done_after_the_grace_is_cut(browser: &Browser) {
    let (served, page) = open(browser);
    let slow = |rid: &str| served.endpoint(&format!("ttft_ms=50&gap_ms=100&tokens=30&rid={rid}"));
    let limits = |setup: Setup| setup.with("duration", "1s").with("drain", "200ms");
    let cut = |run: &Run, rid: &str, n: usize| {
        assert_eq!(run.traces.len(), n);
        for trace in &run.traces {
            assert_eq!(trace.outcome, Outcome::Cut, "{trace:?}");
            // Some of it came, and is kept.
            assert!(!trace.reads.is_empty() && trace.marks.get(Mark::Terminal).is_err(), "{trace:?}");
        }
        let truths = served.wait_for_truth(rid, |truths| truths.iter().all(|t| t.closed_us.is_some())).expect("all closed");
        assert_eq!(truths.len(), n);
        let output = |t: &Truth| t.pieces.iter().filter(|piece| piece.kind.is_output()).count();
        assert!(truths.iter().all(|t| output(t) < 30), "{truths:?}");
        let rows = page.requests().expect("requests");
        assert!(rows.len() == n && rows.iter().all(|row| row.outcome == Outcome::Cut.code()), "{rows:?}");
    };
    let run = measure(&page, &limits(under(&slow("cut-open"), "rate", "rate 5/s", 100)));
    keeps_to_the_plan(&run);
    // At 0, 0.2, 0.4, 0.6 and 0.8 s; the limit itself is outside.
    assert_eq!(planned(&run).len(), 5);
    cut(&run, "cut-open", 5);
    page.click("change").expect("pressed");
    page.wait_until("return document.body.dataset.state === 'setup';").expect("the form");
    let run = measure(&page, &under(&slow("cut-closed"), "closed", "", 100).with("concurrency", 2));
    cut(&run, "cut-closed", 2);
}

pub(crate) fn users_give_up_as_the_plan_says(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=50&gap_ms=50&tokens=15&rid=give-up");
    let run = measure(&page, &own(&url, 20).with("concurrency", 5).with("cancel", "50% after 100ms to 300ms"));
    assert_eq!(run.config.load.cancel, Cancel::spelled("50% after 100ms to 300ms").ok());
    let wanted: Vec<Option<Micros>> = planned(&run).iter().map(|p| p.cancel_after).collect();
    assert_eq!(run.traces.iter().map(|t| t.planned.cancel_after).collect::<Vec<_>>(), wanted);
    // Of twenty with even chances: none or all would come up once in 500,000 runs.
    let given_up = wanted.iter().flatten().count();
    assert!((1..20).contains(&given_up), "{wanted:?}");
    assert!(wanted.iter().flatten().all(|after| (Micros::ms(100)..=Micros::ms(300)).contains(after)), "{wanted:?}");
    for trace in &run.traces {
        match trace.planned.cancel_after {
            Some(after) => {
                assert_eq!(trace.outcome, Outcome::Cancelled, "{trace:?}");
                let last = trace.reads.last().map_or(Micros::ZERO, |read| read.at - at(trace, Mark::Sent));
                // A read that was under way when the time came may still be stamped: well before the end of the answer.
                assert!(last < Micros::ms(700) && trace.marks.get(Mark::Terminal).is_err(), "{after:?}: {trace:?}");
            }
            None => assert_eq!(trace.outcome, Outcome::Complete, "{trace:?}"),
        }
    }
    // The server was told: it never wrote all of an answer that was given up.
    let truths = served.wait_for_truth("give-up", |t| t.iter().all(|t| t.closed_us.is_some())).expect("all closed");
    let output = |t: &Truth| t.pieces.iter().filter(|piece| piece.kind.is_output()).count();
    assert_eq!((truths.len(), truths.iter().filter(|t| output(t) < 15).count()), (20, given_up));
}

/// A field, what is typed into it, and what is wrong with that.
type Bad = (&'static str, &'static str, Problem);

/// What has to be chosen before a group of fields is there, and bad input for each of them.
fn bad_inputs() -> Vec<(&'static str, Vec<Bad>)> {
    let shape = |line: &str| Problem::Spelling(Field::Load, Shape::spelled(line).expect_err(line));
    let time = |word: &str| Problem::Spelling(Field::Load, spelled_time(word).expect_err(word));
    let wrong = Problem::Load;
    vec![
        (
            "rate",
            vec![
                ("load-line", "rate 5", shape("rate 5")),
                ("load-line", "rate 0/s", wrong(Wrong::Rate)),
                ("load-line", "gamma 5/s burstiness 0", wrong(Wrong::Burstiness)),
                ("load-line", "ramp 1/s to 10/s over 0s", wrong(Wrong::Time)),
                ("load-line", "steps 1 300 each 30s", wrong(Wrong::Concurrency)),
                ("load-line", "steps 1 2 each 0 requests", wrong(Wrong::Length)),
                ("load-line", "sweep 4 2 settle 1s", wrong(Wrong::NotRising)),
                ("load-line", "sweep 1 2/s", shape("sweep 1 2/s")),
            ],
        ),
        (
            "replay",
            vec![
                ("replay-times", "1\nsoon", Problem::Replay(ReplayError::NoTime(2))),
                ("replay-times", "5\n3", Problem::Replay(ReplayError::Order(2))),
                ("replay-times", "", Problem::Replay(ReplayError::Empty)),
                ("replay-times", "when,what\n1,2", Problem::Replay(ReplayError::NoColumn)),
            ],
        ),
        (
            "closed",
            vec![
                ("duration", "5", time("5")),
                ("duration", "0s", wrong(Wrong::Time)),
                ("warmup-time", "a while", time("a while")),
                ("drain", "2h", time("2h")),
                ("max-in-flight", "0", wrong(Wrong::InFlight)),
                ("max-in-flight", "many", wrong(Wrong::InFlight)),
                ("max-in-flight", "257", wrong(Wrong::InFlight)),
                ("cancel", "10%", Problem::Spelling(Field::Cancel, Cancel::spelled("10%").expect_err("no time"))),
                ("cancel", "150% after 1s to 2s", wrong(Wrong::Cancel)),
                ("cancel", "10% after 2s to 1s", wrong(Wrong::Cancel)),
            ],
        ),
    ]
}

pub(crate) fn bad_input_is_named_and_kept_and_nothing_is_sent(browser: &Browser) {
    let (_served, page) = open(browser);
    let stub = Stub::page("never asked").expect("a stub");
    for lang in [Lang::En, Lang::Ko] {
        page.set("language", lang.code()).expect("switched");
        page.wait_until(&format!("return document.documentElement.lang === '{}';", lang.code())).expect("the language");
        // A problem that is none of the load's: each message after it is its own.
        let other = || says(&page, &Setup::own("none"), &[problem(lang, &Problem::Url("none".into()))]);
        for (shape, fields) in bad_inputs() {
            page.set("load-shape", shape).expect("chosen");
            for (id, typed, wrong) in fields {
                let kept = page.value(id).expect("a value");
                other();
                says(&page, &Setup::own(stub.url()).with(id, typed), &[problem(lang, &wrong)]);
                assert_eq!(page.value(id).expect("a value"), typed, "{id}");
                page.set(id, &kept).expect("put back");
            }
            if shape == "replay" {
                other();
                let setup = Setup::own(stub.url()).with("replay-times", "1\n2").with("replay-speed", "0");
                says(&page, &setup, &[problem(lang, &Problem::Load(Wrong::Speed))]);
                assert_eq!(page.value("replay-times").expect("a value"), "1\n2");
            }
        }
    }
    assert_eq!(stub.heads(), [""; 0], "something was sent");
}

/// Every request fails: a rule that allows one in twenty ends the run long before its plan does.
pub(crate) fn a_stop_rule_ends_the_run_early(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("fault=status-500&ttft_ms=20&rid=rule");
    let run = measure(&page, &under(&url, "rate", "rate 20/s", 200).with("stop-rules", "error_rate<5%"));
    let broken = run.stopped_by.expect("a rule");
    assert_eq!(Some(&broken.rule), run.config.stop_rules.first());
    assert_eq!((Some(broken.seen), run.config.stop_rules.len()), (broken.beyond, 1));
    assert!(broken.seen >= 20 && run.traces.len() < 200, "{broken:?}");
    assert!(run.traces.iter().all(|t| t.outcome.is_failure()), "{run:?}");
    assert_eq!(served.truths("rule").len(), run.traces.len(), "all that was sent is in the file");
    let count = firstlight_core::format::count(broken.seen as usize);
    let said = fill(Sec::StoppedByRule.get(Lang::En), &[&broken.rule.to_string(), &count]);
    is_said(&load_section(&page, &run), &said);
}

/// One connection carries a hundred streams: nothing is lost, and each has the browser's timing of its own.
pub(crate) fn a_hundred_streams_at_once(browser: &Browser) {
    let (served, page) = open_https(browser);
    let url = served.endpoint("ttft_ms=100&gap_ms=35&tokens=40&rid=hundred");
    let run = measure(&page, &own(&url, 100).with("concurrency", 100));
    all_complete(&run);
    let truths = served.truths("hundred");
    assert_eq!((run.traces.len(), truths.len()), (100, 100));
    let output = |t: &Truth| t.pieces.iter().filter(|piece| piece.kind.is_output()).count();
    assert!(truths.iter().all(|t| output(t) == 40), "{truths:?}");
    for trace in &run.traces {
        assert_eq!(trace.reads.iter().map(|read| read.output_events).sum::<u32>(), 40, "{trace:?}");
        assert_eq!(trace.usage.and_then(|usage| usage.output), Some(40), "{trace:?}");
    }
    // All were under way at once.
    let last_sent = run.traces.iter().map(|t| at(t, Mark::Sent)).max().expect("a request");
    assert!(run.traces.iter().all(|t| at(t, Mark::LastOutput) > last_sent), "not at once");
    let timing = |t: &Trace| t.network.clone().unwrap_or_else(|why| panic!("no timing: {}; {t:?}", why.code()));
    let all: Vec<NetworkTiming> = run.traces.iter().map(timing).collect();
    assert!(all.iter().all(|t| t.protocol.as_deref() == Some("h2")), "{all:?}");
    let step = Micros(run.clock.step_us);
    let after_read = |t: &Trace| at(t, Mark::FirstByte) - at(t, Mark::FirstRead);
    let late: Vec<Micros> = run.traces.iter().map(after_read).filter(|late| *late > step).collect();
    assert_eq!(late, [], "first bytes after they were read");
}
