//! A page that ends in the middle of a run: what is lost are the requests that were under way, and those that ended in the last
//! second. Loaded again in every browser; in Chromium tabs and the browser itself are killed at random moments.

use std::time::Duration;

use fantoccini::Locator;
use fantoccini::wd::WindowHandle;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::text::{His, Lang, Res};
use firstlight_e2e::rt::block_on;
use firstlight_e2e::shared::Alone;
use firstlight_e2e::{Browser, Engine, Served};

use crate::checks::{LIMIT, check, own};
use crate::history::{ids, list, open_empty, quick, rows, run_of};

/// How often.
const KILLS: usize = 20;
/// So many runs go on at once, each in a window of its own; one of them is killed, then another begins.
const AT_ONCE: usize = 3;
/// More requests than a run comes to before its window is killed, however long that takes.
const MANY: u32 = 20_000;
/// May be lost, in µs before the end.
const LAST_US: i64 = 1_000_000;

/// The same moments in every run of the test.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// The requests that were over for a second at this instant of the server's clock.
fn due(served: &Served, rid: &str, ended: i64) -> usize {
    let over = |at: i64| at + LAST_US <= ended;
    served.truths(rid).iter().filter(|truth| truth.closed_us.is_some_and(|at| over(at as i64))).count()
}

fn is_incomplete(run: &Run) {
    assert!(run.stopped && run.page_ended);
    run.traces.iter().for_each(check);
    // What is not over is not saved.
    assert!(run.traces.iter().all(|trace| trace.outcome == Outcome::Complete), "{:?}", run.traces);
}

pub(crate) fn a_run_whose_page_ended_is_given_back(browser: &Browser) {
    let (served, page) = open_empty(browser);
    page.fill_in(&own(&quick(&served, "ended"), 1000)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth("ended", |truths| truths.len() > 25).expect("under way");
    let ended = served.running().clock().now_us() as i64;
    let page = served.open(browser).expect("loaded again");
    page.wait_until("return !!document.querySelector('#offered .open-kept');").expect("offered");
    let client = browser.client();
    block_on(async { client.find(Locator::Css("#offered .open-kept")).await?.click().await }).expect("opened");
    page.wait_for_state("done", LIMIT).expect("shown");
    let run = page.saved_run().expect("a run");
    let said = Res::PageEnded.get(Lang::En).split('.').next().unwrap_or_default();
    assert!(page.text("headline").expect("words").contains(said));
    assert_eq!(page.text("offered").expect("words"), "", "it was looked at");
    is_incomplete(&run);
    // One at a time: what was lost are the last.
    assert!(run.traces.iter().zip(0..).all(|(trace, id)| trace.planned.id == id), "{:?}", run.traces);
    let due = due(&served, "ended", ended);
    assert!(due >= 3 && run.traces.len() >= due, "{} of the {due} that were over for a second", run.traces.len());
    list(&page, 1);
    assert!(rows(&page)[0].contains(His::Ended.get(Lang::En)));
}

pub(crate) fn a_run_that_goes_on_in_another_tab_is_not_given_back(browser: &Browser) {
    let (served, page) = open_empty(browser);
    page.fill_in(&own(&quick(&served, "here"), 1000)).expect("filled in");
    page.click("run").expect("started");
    page.wait_for_kept(|kept| kept.keys().filter(|key| key.starts_with("live/")).count() >= 2).expect("saved as it goes");
    let tab = browser.cover().expect("another tab");
    let other = served.open(browser).expect("the page there");
    // That it has looked can't be seen; a run of its own is kept after that.
    crate::checks::measure(&other, &own(&quick(&served, "there"), 1));
    list(&other, 1);
    assert!(other.text("offered").expect("words").is_empty());
    browser.show(tab).expect("shown");
    page.click("stop").expect("stopped");
    page.wait_for_state("done", LIMIT).expect("over");
    let kept = page.wait_for_kept(|kept| ids(kept).len() == 2).expect("kept");
    assert!(ids(&kept).iter().all(|id| !run_of(&kept, id).page_ended));
}

/// A run in a window of its own, with a request that has begun.
fn begin(browser: &Browser, served: &Served, rid: &str, concurrency: u64) -> WindowHandle {
    let client = browser.client();
    let window = block_on(async {
        let window = client.new_window(false).await?.handle;
        client.switch_to_window(window.clone()).await?;
        Ok::<_, fantoccini::error::CmdError>(window)
    });
    let page = served.open(browser).expect("the page opens");
    page.fill_in(&own(&quick(served, rid), MANY).with("concurrency", concurrency)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth(rid, |truths| !truths.is_empty()).expect("under way");
    window.expect("a window")
}

#[test]
fn at_most_the_last_second_is_lost_when_a_tab_or_the_browser_is_killed() {
    let _alone = Alone::take();
    let profile = tempfile::tempdir().expect("a folder");
    let served = Served::start().expect("the server starts");
    let mut browser =
        Browser::start_with(Engine::Chromium, &[format!("--user-data-dir={}", profile.path().display())]).expect("it starts");
    let mut random = Random(8);
    let now = || served.running().clock().now_us() as i64;
    let (mut under_way, mut ended) = (Vec::new(), Vec::new());
    for kill in 0..KILLS {
        let rid = format!("killed-{kill}");
        under_way.push((begin(&browser, &served, &rid, 1 + random.below(2)), rid));
        if under_way.len() < AT_ONCE {
            continue;
        }
        // A moment that nothing in the page decides.
        std::thread::sleep(Duration::from_millis(random.below(400)));
        let at = random.below(AT_ONCE as u64) as usize;
        let (window, rid) = under_way.swap_remove(at);
        let client = browser.client();
        block_on(client.switch_to_window(window)).expect("its window");
        ended.push((rid, now()));
        block_on(client.close_window()).expect("its tab ends");
        let (other, _) = &under_way[0];
        block_on(client.switch_to_window(other.clone())).expect("another window");
    }
    let last = now();
    ended.extend(under_way.into_iter().map(|(_, rid)| (rid, last)));
    browser.kill().expect("killed");
    drop(browser);
    let browser = Browser::start_with(Engine::Chromium, &[format!("--user-data-dir={}", profile.path().display())])
        .expect("it starts again");
    let page = served.open(&browser).expect("the page opens");
    let kept = page.wait_for_kept(|kept| kept.keys().all(|key| !key.starts_with("live/"))).expect("all is put together");
    let runs: Vec<Run> = ids(&kept).iter().map(|id| run_of(&kept, id)).collect();
    assert_eq!(ended.len(), KILLS);
    let mut saved = 0;
    for (rid, ended) in &ended {
        let due = due(&served, rid, *ended);
        let asked = served.truths(rid).len();
        let run = runs.iter().find(|run| run.config.url.ends_with(&format!("rid={rid}")));
        let got = run.map_or(0, |run| run.traces.len());
        println!("{rid}: of {asked} requests {due} were over for a second, {got} are there");
        assert!((due..=asked).contains(&got), "{rid}: {got} are there of {due} that were over for a second, and {asked} asked");
        if let Some(run) = run {
            is_incomplete(run);
            assert!(run.traces.iter().all(|trace| trace.usage.is_some_and(|usage| usage.output == Some(8))));
        }
        saved += due;
    }
    assert!(saved > 10 * KILLS, "{saved} in all: the runs were too short to show anything");
}
