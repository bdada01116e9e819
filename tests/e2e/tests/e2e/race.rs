//! The race page: pairs judge what the endpoint's own schedule says, lanes start by a key, and a link opens the same set-up.

use std::time::{Duration, Instant};

use firstlight_core::Micros;
use firstlight_core::outcome::Outcome;
use firstlight_core::race::{Margin, verdict_section, verdicts};
use firstlight_core::report::Run;
use firstlight_core::stats::{Interval, Verdict};
use firstlight_core::text::{Lang, Rac, fill};
use firstlight_core::trace::{Mode, Trace};
use firstlight_e2e::llama::{Llama, Options as LlamaOptions};
use firstlight_e2e::page::Setup;
use firstlight_e2e::served::write_of_first_answer;
use firstlight_e2e::{Browser, Engine, Page, Served};
use firstlight_server::Truth;

use crate::accessible::clean;
use crate::checks::{LIMIT, all_complete, check};
use crate::layout::{fits, resize};

/// Forty pairs take their time, a slow machine twice that: a limit against hanging, not a judgement.
const LONG: Duration = Duration::from_secs(240);

fn open(browser: &Browser) -> (Served, Page<'_>) {
    let served = Served::start().expect("the server starts");
    let page = Page::open(browser, &format!("{}#race", served.running().page_url())).expect("the page opens");
    (served, page)
}

/// What the page says in an element that is shown.
fn said(page: &Page<'_>, css: &str) -> Vec<String> {
    let script = format!("return JSON.stringify([...document.querySelectorAll({css:?})].map(e => e.innerText.trim()));");
    serde_json::from_str(&page.string(&script, vec![]).expect("texts")).expect("a list")
}

fn no_errors(page: &Page<'_>) {
    let errors = page.errors().expect("errors");
    assert!(errors.is_empty(), "the page ran into {errors:?}");
}

/// When the write began that carried the first words: of a whole answer, the one that made it whole.
fn first_words(truth: &Truth) -> i64 {
    let whole = || truth.pieces.last().and_then(|piece| i64::try_from(piece.at_us).ok());
    write_of_first_answer(truth).or_else(whole).expect("an answer")
}

/// From a request's coming to its first words' being written, by the server's own ledger.
fn written_after(truth: &Truth) -> i64 {
    first_words(truth) - i64::try_from(truth.received_us).expect("a time")
}

/// The median of the pairs' true differences, streaming − not streaming. One request at a time: the nth that was sent is the
/// nth that came.
fn true_difference(run: &Run, truths: &[Truth]) -> Micros {
    assert_eq!(run.traces.len(), truths.len());
    let both: Vec<(&Trace, &Truth)> = run.traces.iter().zip(truths).filter(|(t, _)| !t.planned.warmup).collect();
    let of = |pair: &[(&Trace, &Truth)]| {
        let side = |mode: Mode| pair.iter().find(|(t, _)| t.planned.mode == mode).map(|(_, truth)| written_after(truth));
        side(Mode::Streaming).expect("a side") - side(Mode::NonStreaming).expect("a side")
    };
    let mut differences: Vec<i64> = both.chunks(2).map(of).collect();
    differences.sort_unstable();
    Micros(differences[(differences.len() - 1) / 2])
}

pub(crate) fn forty_pairs_say_what_the_schedule_says(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=60&gap_ms=10&tokens=16&rid=pairs");
    page.fill_in(&Setup::own(&url).with("race-count", 40).with("race-margin", "100 ms")).expect("filled in");
    page.click("race-pairs").expect("pressed");
    page.wait_for_state("running", LIMIT).expect("pairs are measured");
    page.wait_done(LONG).expect("the pairs end");
    let shown = said(&page, "#race-verdict .said");
    // The same run stands in the measuring page.
    page.click("race-open").expect("opened");
    page.wait_until("return !!document.getElementById('save') && !document.getElementById('race');").expect("the results");
    let run = page.saved_run().expect("the run of the pairs");
    run.traces.iter().for_each(check);
    all_complete(&run);
    let margin = Margin::Ms(100);
    let expected = verdict_section(&run, margin, Lang::En);
    let plain = |text: &String| text.trim_start_matches(['●', '▲', ' ']).to_owned();
    assert_eq!(
        shown.iter().map(plain).collect::<Vec<_>>(),
        expected.sentences.iter().map(|(_, t)| t.clone()).collect::<Vec<_>>()
    );

    let found = verdicts(&run, margin);
    assert_eq!((found.pairs, found.failed, found.unequal), (40, 0, 0), "{found:?}");
    assert_eq!((found.margin, found.complete.verdict), (Some(100_000), Verdict::NoDifference), "{found:?}");
    assert_eq!(found.first.verdict, Verdict::Lower, "{found:?}");
    // The fifteen gaps between the first and the last token, by the schedule; by the ledger, what they really took.
    let truth = true_difference(&run, &served.truths("pairs"));
    let Interval::Between { lower: Some(lower), upper: Some(upper) } = found.first.interval else { panic!("{found:?}") };
    // What is printed beside the interval: the clocks' error, and how often the screen shows something new. Where only the arrival
    // is known, the interval is of what the page saw, with the browser's own way from socket to page: a whole answer's is longer
    // than that of a first piece, by about a millisecond in WebKitGTK, by less than a frame in every engine.
    let frame = run.environment.frame_interval_us.unwrap_or(16_667);
    let (lower, upper) = (lower - found.error.0 - frame, upper + found.error.0 + frame);
    assert!((lower..=upper).contains(&truth.0), "{truth} is not in {lower}..{upper}: {found:?}");
    no_errors(&page);
}

/// Takes the focus from whatever was filled in, so that keys are the page's own.
fn leave_fields(page: &Page<'_>) {
    page.browser().execute("document.activeElement?.blur();", vec![]).expect("left");
}

pub(crate) fn a_key_starts_every_lane_at_the_same_moment(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=400&gap_ms=25&tokens=20&rid=lanes");
    let other = served.endpoint("ttft_ms=500&gap_ms=25&tokens=20&rid=others");
    page.fill_in(&Setup::own(&url)).expect("filled in");
    leave_fields(&page);
    page.press(" ").expect("pressed");
    page.wait_for_state("running", LIMIT).expect("the race runs");
    page.wait_done(LIMIT).expect("the race ends");
    // Both had come before either was answered.
    let together = |truths: &[Truth]| {
        let last = truths.iter().filter_map(|t| i64::try_from(t.received_us).ok()).max().expect("requests");
        let first = truths.iter().map(first_words).min().expect("answers");
        assert!(last < first, "one was answered before the other came: {truths:?}");
    };
    let truths = served.truths("lanes");
    assert_eq!(truths.len(), 2);
    together(&truths);
    for lane in ["streaming-0", "non_streaming-0"] {
        let figures = said(&page, &format!("[data-lane='{lane}'] [data-metric='ttfv'] dd"));
        assert!(figures.len() == 1 && figures[0].contains("ms"), "{lane}: {figures:?}");
        assert!(said(&page, &format!("[data-lane='{lane}'] .answer"))[0].len() > 20, "the answer stays");
    }
    let showed = said(&page, "#race-showed .seen-line");
    assert!(showed[0].starts_with("With streaming, the first words") && showed[0].contains("earlier"), "{showed:?}");
    let press = page.string("return document.querySelector('.press')?.textContent ?? '';", vec![]).expect("a text");
    assert!(press.contains("Until the first request was sent: "), "a key press is a person's: {press}");
    if browser.engine() != Engine::Chromium {
        assert!(press.contains("not checked against the browser"), "no other keeps such a record: {press}");
    }
    // Four lanes, by the other key.
    page.click("second").expect("chosen");
    page.set("second-url", &other).expect("filled in");
    leave_fields(&page);
    page.press("\u{E007}").expect("pressed");
    page.wait_for_state("running", LIMIT).expect("the race runs");
    page.wait_done(LIMIT).expect("the race ends");
    let all: Vec<Truth> = served.truths("lanes").into_iter().skip(2).chain(served.truths("others")).collect();
    assert_eq!(all.len(), 4);
    together(&all);
    assert_eq!(said(&page, ".lane .answer").iter().filter(|text| text.len() > 20).count(), 4);
    assert_eq!(said(&page, "#race-showed .seen-line").len(), 2);
    no_errors(&page);
}

/// Chromium's own record of what a press caused, beside what the page found out of each lane's first paint.
pub(crate) fn the_record_of_the_press_agrees_with_the_page(browser: &Browser) {
    let (served, page) = open(browser);
    let lines = |url: &str| -> Vec<String> {
        page.fill_in(&Setup::own(url)).expect("filled in");
        page.click("race-start").expect("pressed");
        page.wait_for_state("running", LIMIT).expect("the race runs");
        page.wait_done(LIMIT).expect("the race ends");
        let script =
            "return JSON.stringify([...document.querySelectorAll('.press li')].slice(-2).map(e => e.textContent.trim()));";
        serde_json::from_str(&page.string(script, vec![]).expect("texts")).expect("a list")
    };
    let lane = |lane: Rac| lane.get(Lang::En);
    let agrees = |of: Rac| fill(Rac::PressAgrees.get(Lang::En), &[lane(of)]);
    // Larger than what the page shows for the press itself.
    let large = lines(&served.endpoint("ttft_ms=300&gap_ms=20&tokens=100&first_chunk_bytes=400"));
    assert_eq!(large, [agrees(Rac::LaneStreaming), agrees(Rac::LaneWhole)]);
    // One word is smaller, and a whole answer is not.
    let small = lines(&served.endpoint("ttft_ms=300&gap_ms=20&tokens=60"));
    let unchecked = fill(Rac::PressUnchecked.get(Lang::En), &[lane(Rac::LaneStreaming), Rac::PressSmaller.get(Lang::En)]);
    assert_eq!(small, [unchecked, agrees(Rac::LaneWhole)]);
    no_errors(&page);
}

pub(crate) fn keys_stop_it_and_fill_the_screen(browser: &Browser) {
    let (served, page) = open(browser);
    page.fill_in(&Setup::own(&served.endpoint("ttft_ms=20000&gap_ms=20&tokens=10&rid=slow"))).expect("filled in");
    // What is typed into a field is for that field.
    page.set("race-count", "12").expect("filled in");
    page.press(" sf").expect("typed");
    assert_eq!(page.state().expect("a state"), "setup");
    page.set("race-count", "12").expect("filled in");
    leave_fields(&page);
    if page.browser().execute("return document.fullscreenEnabled === true;", vec![]).expect("asked") == true {
        let fills = |wanted: &str| {
            let end = Instant::now() + LIMIT;
            let now = || page.string("return document.fullscreenElement?.id ?? '';", vec![]).expect("an element");
            while now() != wanted {
                assert!(Instant::now() < end, "“{wanted}” does not fill the screen");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        page.press("f").expect("pressed");
        fills("race");
        page.press("f").expect("pressed");
        fills("");
    }
    page.press(" ").expect("pressed");
    page.wait_for_state("running", LIMIT).expect("the race runs");
    served.wait_for_truth("slow", |truths| truths.len() == 2).expect("both came");
    page.press("s").expect("pressed");
    page.wait_done(LIMIT).expect("stopped");
    let showed = said(&page, "#race-showed .seen-line");
    let cancelled = firstlight_core::text::outcome(Lang::En, &Outcome::Cancelled);
    assert!(showed[0].starts_with("This race shows nothing") && showed[0].contains(&cancelled), "{showed:?}");
    no_errors(&page);
}

/// Nowhere in what others get.
const SECRET: &str = "sk-secret-1";

pub(crate) fn a_link_opens_the_same_race_and_holds_no_key(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint(&format!("preset=fast&rid=link&api_key={SECRET}"));
    let asked: [(&'static str, &str); 7] = [
        ("prompt", "왜 하늘은 파란가요? & why #1"),
        ("max-tokens", "12"),
        ("model", "a model/1"),
        ("race-count", "33"),
        ("race-margin", "5 %"),
        ("second-url", "http://localhost:1/v1"),
        ("second-model", "other"),
    ];
    page.fill_in(&Setup::own(&url).with("api-key", SECRET).with("headers", format!("X-Extra: {SECRET}"))).expect("filled in");
    page.click("second").expect("chosen");
    page.fill_in(&asked.iter().fold(Setup::new(), |setup, (id, value)| setup.with(id, value))).expect("filled in");
    let link = said(&page, "#race-link pre").remove(0);
    assert!(!link.contains(SECRET) && link.contains("#race?v=1&"), "{link}");
    // A page of its own, as somebody else opens it.
    let opened = |link: &str| {
        firstlight_e2e::rt::block_on(browser.client().goto("about:blank")).expect("left");
        Page::open(browser, link).expect("the link opens")
    };
    let theirs = opened(&link);
    for (id, value) in asked {
        theirs.unfold(id).expect("unfolded");
        assert_eq!(theirs.value(id).expect("a value"), value, "#{id}");
    }
    assert_eq!(theirs.value("url").expect("a value"), url.replace(SECRET, "redacted"));
    assert_eq!(
        (theirs.value("target-kind").expect("a value").as_str(), theirs.value("api-key").expect("a value").as_str()),
        ("own", "")
    );
    assert_eq!(said(&theirs, "#race-link pre")[0], link, "it is the same link again");
    // What this page does not know it does not guess.
    for (wrong, words) in [("v=2", "newer Firstlight"), ("v=1&key=1", "“key”"), ("v=1&pairs=2", "“pairs”")] {
        let refused = opened(&link.replace("v=1", wrong).replace(if wrong.contains("pairs") { "&pairs=33" } else { "\n" }, ""));
        let why = refused.text("race-link-wrong").expect("a text");
        assert!(why.contains(words) && why.contains("not opened"), "{wrong}: {why}");
        assert_eq!(refused.value("race-count").expect("a value"), "20", "nothing of it is used");
    }
}

pub(crate) fn a_real_engine_races_and_is_judged(browser: &Browser) {
    let llama = Llama::start(LlamaOptions::SLOW).expect("llama.cpp");
    let (_served, page) = open(browser);
    let setup = Setup::own(&llama.chat_url()).with("max-tokens", 60).with("race-count", 6).with("race-margin", "10000 ms");
    page.fill_in(&setup).expect("filled in");
    leave_fields(&page);
    page.press(" ").expect("pressed");
    page.wait_for_state("running", LIMIT).expect("the race runs");
    page.wait_done(LIMIT).expect("the race ends");
    for lane in ["streaming-0", "non_streaming-0"] {
        let figures = said(&page, &format!("[data-lane='{lane}'] [data-metric='ttfv'] dd"));
        assert!(figures.len() == 1 && figures[0].contains("ms"), "{lane}: {figures:?}");
    }
    page.click("race-pairs").expect("pressed");
    page.wait_until("return !!document.getElementById('race-open');").expect("a verdict");
    page.click("race-open").expect("opened");
    page.wait_until("return !!document.getElementById('save') && !document.getElementById('race');").expect("the results");
    let run = page.saved_run().expect("the run of the pairs");
    all_complete(&run);
    run.traces.iter().for_each(check);
    // Sixty tokens at about ten milliseconds each: whoever waits for all of them waits longer for the first words.
    let found = verdicts(&run, Margin::Ms(10_000));
    assert_eq!((found.pairs, found.failed, found.first.verdict), (6, 0, Verdict::Lower), "{found:?}");
    no_errors(&page);
}

pub(crate) fn it_fits_and_has_no_barriers(browser: &Browser) {
    resize(browser, 390, 844);
    let (served, page) = open(browser);
    page.click("second").expect("chosen");
    page.browser()
        .execute("for (const fold of document.querySelectorAll('details')) fold.open = true;", vec![])
        .expect("unfolded");
    fits(&page, "the race");
    clean(&page, "the race's set-up");
    page.fill_in(&Setup::own("x").with("race-count", "2")).expect("filled in");
    leave_fields(&page);
    page.press("v").expect("pressed");
    page.wait_until("return document.querySelectorAll('#problems li').length >= 3;").expect("problems");
    clean(&page, "its problems");
    page.click("second").expect("chosen");
    page.fill_in(&Setup::own(&served.endpoint("preset=fast")).with("race-count", "6")).expect("filled in");
    leave_fields(&page);
    page.press(" ").expect("pressed");
    page.wait_for_state("running", LIMIT).expect("the race runs");
    page.wait_done(LIMIT).expect("the race ends");
    page.press("v").expect("pressed");
    page.wait_until("return !!document.getElementById('race-open');").expect("a verdict");
    fits(&page, "a race that is over");
    clean(&page, "a race that is over");
    browser.cdp("Emulation.clearDeviceMetricsOverride", serde_json::json!({})).expect("the size");
    clean(&page, "a race that is over, wide");
    no_errors(&page);
}
