//! What a run decides: limits, criteria, comparisons and cost, against what servers and saved runs say.

use std::collections::BTreeMap;

use firstlight_core::Micros;
use firstlight_core::compare::{MetricDifference, compare_arms, sentence};
use firstlight_core::config::{Field, Problem};
use firstlight_core::decision::Answer;
use firstlight_core::format::significant;
use firstlight_core::mark::Mark;
use firstlight_core::metrics::Metric;
use firstlight_core::report::Run;
use firstlight_core::slo::SloError;
use firstlight_core::stats::{Interval, P50, Verdict};
use firstlight_core::text::{Cmp, Lang, Sec, Ui, fill, problem, slo_problem};
use firstlight_core::trace::Trace;
use firstlight_e2e::page::Setup;
use firstlight_e2e::served::write_of_first_answer;
use firstlight_e2e::shared::Alone;
use firstlight_e2e::stub::{Stub, USAGE};
use firstlight_e2e::{Browser, Page};
use firstlight_server::Truth;
use serde_json::json;

use crate::checks::{all_complete, at, measure, open, own};
use crate::fields::says;

/// The words of a key up to what is filled in.
fn begin(key: Sec) -> &'static str {
    key.get(Lang::En).split('{').next().unwrap_or_default().trim_end_matches('“')
}

fn measured(run: &Run) -> Vec<&Trace> {
    run.traces.iter().filter(|trace| !trace.planned.warmup).collect()
}

/// Criteria that the endpoint must keep, must break, and that ten requests are too few for: no answer takes 5 s, and none
/// comes before the endpoint's 60 ms are over.
const DECIDED: [(&str, Sec, Sec); 3] = [
    ("p50(first_answer)<5000ms", Sec::SaidPass, Sec::AnswerPass),
    ("p50(first_answer)<60ms", Sec::SaidFail, Sec::AnswerFail),
    ("p95(first_answer)<5000ms", Sec::SaidOpen, Sec::AnswerOpen),
];
const ENDPOINT: &str = "preset=fast&ttft_ms=60";

pub(crate) fn a_decision_is_answered_by_intervals(browser: &Browser) {
    let (served, page) = open(browser);
    for (criterion, said, answer) in DECIDED {
        let setup = own(&served.endpoint(ENDPOINT), 10)
            .with("claim", "Quick enough")
            .with("criteria", criterion)
            .with("owner", "the search team")
            .with("affected", "everyone who asks")
            .with("falsified-by", "one in twenty waits longer")
            .with("if-it-fails", "old-version");
        let run = measure(&page, &setup);
        let decision = page.text("decision").expect("a part");
        assert!(decision.contains(&fill(said.get(Lang::En), &["Quick enough"])), "{criterion}: {decision}");
        let passed = answer == Sec::AnswerPass;
        assert_eq!(decision.contains("the old version comes back"), !passed, "{criterion}: {decision}");
        for stated in ["the search team", "everyone who asks", "one in twenty waits longer"] {
            assert!(decision.contains(stated), "“{stated}” is not in {decision}");
        }
        let table = &page.part_tables("decision").expect("a table")[0];
        assert_eq!(table.rows.len(), 1);
        let row = &table.rows[0];
        assert_eq!((row[0].as_str(), row[3].as_str()), (criterion, "10"));
        assert!(row[4].starts_with(answer.get(Lang::En)), "{row:?}");
        if answer == Sec::AnswerOpen {
            assert!(row[4].contains("needs ≥ 72, has 10"), "{row:?}");
        }
        // It is kept with the run, as it was written down.
        let kept = run.config.decision.expect("a decision");
        assert_eq!((kept.claim.as_str(), kept.criteria[0].to_string().as_str()), ("Quick enough", criterion));
        page.click("change").expect("back to the form");
    }
}

/// The same from the command line: the exit status is the decision's.
#[test]
fn the_exit_status_is_the_decisions() {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    for (criterion, said, answer) in DECIDED {
        let target = format!("builtin:fast?{}", ENDPOINT.trim_start_matches("preset=fast&"));
        let args = ["--target", &target, "--requests", "10", "--warmup", "0", "--out", "run.json", "--criterion", criterion];
        let output = crate::command::measure(folder.path(), &args);
        let printed = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let status = match answer {
            Sec::AnswerPass => 0,
            Sec::AnswerFail => 1,
            _ => 4,
        };
        assert_eq!(output.status.code(), Some(status), "{criterion}: {printed}");
        assert!(printed.contains(begin(said)) && printed.contains(answer.get(Lang::En)), "{criterion}: {printed}");
        let run = std::fs::read_to_string(folder.path().join("run.json")).expect("saved, whatever the answer");
        let run = Run::from_json(&run).expect("a run");
        let decision = run.config.decision.as_ref().expect("a decision");
        let verdict = firstlight_core::decision::verdict(decision, &measured(&run), &|_| None);
        assert_eq!(matches!(verdict.answer, Answer::NotEnoughData(_)), answer == Sec::AnswerOpen);
    }
    // What is no criterion is refused before anything is sent.
    let output = crate::command::measure(folder.path(), &["--target", "builtin:fast", "--criterion", "first_answer<5s"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("p95(first_answer)"));
}

/// One slot of 200 ms and more for four users: the first is served at once, later ones wait for three others.
pub(crate) fn attainment_and_goodput_follow_from_the_run(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("preset=fast&ttft_ms=200&gap_ms=0&slots=1&pool=attainment");
    let limits = ["first_answer<500ms", "end_to_end<30000ms"];
    let run = measure(&page, &own(&url, 9).with("concurrency", 4).with("thresholds", limits.join("\n")));
    all_complete(&run);
    let set = measured(&run);
    let good: Vec<&&Trace> = set.iter().filter(|t| at(t, Mark::FirstAnswer) - at(t, Mark::Sent) < Micros::ms(500)).collect();
    // At least the first, and none of those that waited for three.
    assert!(!good.is_empty() && good.len() <= 5, "{run:?}");
    let rows = &page.part_tables("limits").expect("a table")[0].rows;
    let counts = |row: &[String]| row[..5].to_vec();
    let expected =
        |name: &str, met: usize| [name, &met.to_string(), &(9 - met).to_string(), "0", "0"].map(str::to_owned).to_vec();
    let rows_wanted = [expected(limits[0], good.len()), expected(limits[1], 9), expected("All of them", good.len())];
    assert_eq!(rows.iter().map(|row| counts(row)).collect::<Vec<_>>(), rows_wanted);
    let share = significant(good.len() as f64 * 100.0 / 9.0, 1);
    assert!(rows[0][5].starts_with(&format!("{share} % (")) && rows[1][5].starts_with("100 % ("), "{rows:?}");
    // From the first that was sent to the last that was complete.
    let from = set.iter().map(|t| at(t, Mark::Sent)).min().expect("some");
    let to = set.iter().map(|t| at(t, Mark::Terminal)).max().expect("some");
    let goodput = significant(good.len() as f64 / (to - from).as_secs(), 2);
    let said = page.text("limits").expect("a part");
    assert!(said.contains(&format!("Goodput: {goodput} requests/s and ")), "{goodput} is not in {said}");
}

/// A metric's difference of medians between both arms, as the page computes it.
fn difference(run: &Run, metric: Metric) -> MetricDifference {
    let arm = |arm: u8| measured(run).into_iter().filter(|t| t.planned.arm == arm).collect::<Vec<_>>();
    let arms = compare_arms(&arm(0), &arm(1), run.config.seed, None);
    let found = arms.metrics.into_iter().find(|d| d.metric == metric && d.difference.p == P50);
    found.expect("a difference")
}

/// What the server really let each wait, in the middle, from the request's receipt until the first of the answer was written.
fn median_wait(truths: &[Truth]) -> i64 {
    let wait = |t: &Truth| write_of_first_answer(t).map(|at| at - t.received_us as i64);
    let mut waits: Vec<i64> = truths.iter().filter_map(wait).collect();
    waits.sort_unstable();
    waits[waits.len() / 2]
}

/// The arms in the order in which the server received them.
fn order(truths: [&[Truth]; 2]) -> Vec<usize> {
    let received = |arm: usize| truths[arm].iter().map(move |t| (t.received_us, arm));
    let all: BTreeMap<u64, usize> = received(0).chain(received(1)).collect();
    all.into_values().collect()
}

/// The endpoint's two arms differ by 80 ms.
pub(crate) fn two_endpoints_are_measured_by_turns(browser: &Browser) {
    let (served, page) = open(browser);
    let of = |rid: &str, ttft_ms: u32| served.endpoint(&format!("preset=fast&tokens=3&gap_ms=1&ttft_ms={ttft_ms}&rid={rid}"));
    let setup = own(&of("present", 40), 40).with("versus", "endpoint").with("versus-url", of("candidate", 120));
    let run = measure(&page, &setup);
    all_complete(&run);
    let (present, candidate) = (served.truths("present"), served.truths("candidate"));
    let order = order([&present, &candidate]);
    assert_eq!(order.len(), 40);
    assert!(order.chunks(2).all(|pair| pair.iter().sum::<usize>() == 1), "each pair holds both: {order:?}");
    // All twenty pairs in the same order are one in half a million.
    let first: Vec<usize> = order.iter().copied().step_by(2).collect();
    assert!(first.contains(&0) && first.contains(&1), "always the same one first: {order:?}");
    assert_eq!(order, run.traces.iter().map(|t| usize::from(t.planned.arm)).collect::<Vec<_>>(), "the plan is what was sent");
    // The interval misses one time in twenty, and then by little; 5 ms more than hold what both medians may lack. What is
    // seen is seen in a frame: one of 16.7 ms more or less.
    let truth = median_wait(&candidate) - median_wait(&present);
    assert!((75_000..=100_000).contains(&truth), "the server's own timers: {truth}");
    let text = page.text("versus").expect("a part");
    for (metric, bound) in [(Metric::FirstAnswer, 5_000), (Metric::FirstVisible, 5_000 + 16_700)] {
        let found = difference(&run, metric);
        let Interval::Between { lower: Some(lower), upper: Some(upper) } = found.difference.interval else {
            panic!("no interval: {found:?}");
        };
        assert!((lower - bound..=upper + bound).contains(&truth), "{metric:?}: {truth} is not in {lower}–{upper}");
        assert_eq!(found.verdict, Verdict::Higher, "{found:?}");
    }
    let names = [Sec::Present.get(Lang::En), Sec::Candidate.get(Lang::En)];
    let words = sentence(&difference(&run, Metric::FirstVisible), names[0], names[1], Micros(run.clock.step_us), Lang::En);
    assert!(text.contains(&words), "“{words}” is not in {text}");
    assert!(text.contains(Cmp::ShowsInterleaved.get(Lang::En)), "{text}");
}

pub(crate) fn a_canary_gets_one_in_five(browser: &Browser) {
    let (served, page) = open(browser);
    let of = |rid: &str| served.endpoint(&format!("preset=fast&ttft_ms=5&gap_ms=1&tokens=3&rid={rid}"));
    // Eighteen are no whole blocks: two more make four of them.
    let setup = own(&of("many"), 18).with("versus", "endpoint").with("versus-url", of("canary")).with("versus-share", 5);
    page.fill_in(&setup).expect("filled in");
    let spend = page.text("spend").expect("what is sent");
    assert!(spend.contains("20"), "{spend}");
    let run = measure(&page, &Setup::new());
    all_complete(&run);
    let order = order([&served.truths("many"), &served.truths("canary")]);
    assert_eq!(order.len(), 20);
    assert!(order.chunks(5).all(|block| block.iter().sum::<usize>() == 1), "one in each five: {order:?}");
    assert_eq!(order, run.traces.iter().map(|t| usize::from(t.planned.arm)).collect::<Vec<_>>());
}

pub(crate) fn a_saved_run_is_the_baseline_and_contexts_come_first(browser: &Browser) {
    let folder = tempfile::tempdir().expect("a folder");
    let (served, page) = open(browser);
    let url = served.endpoint("preset=fast&ttft_ms=10&gap_ms=1&tokens=3");
    measure(&page, &own(&url, 8));
    let path = folder.path().join("before.json");
    let before = page.saved_text().expect("a text");
    std::fs::write(&path, &before).expect("written");
    page.click("change").expect("back to the form");
    measure(&page, &own(&url, 8).with("concurrency", 2));
    let choose = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        page.choose_file_for("baseline", &path).expect("chosen");
    };
    let refused = |name: &str, text: &str, why: Ui| {
        choose(name, text);
        let expected = why.get(Lang::En).split('{').next().unwrap_or_default().trim();
        let shown = format!("return document.getElementById('problems').innerText.includes({expected:?});");
        page.wait_until(&shown).unwrap_or_else(|error| panic!("{name}: “{expected}” is never said: {error:#}"));
    };
    let half: String = before.chars().take(before.chars().count() / 2).collect();
    // Nothing to compare with yet, and a broken file is none.
    let (table, saved) = (page.table().expect("a table"), page.saved_text().expect("a text"));
    refused("half.json", &half, Ui::OpenTruncated);
    assert_eq!(page.text("compare").expect("none"), "");
    page.choose_file_for("baseline", &path).expect("chosen");
    page.wait_until("return !!document.getElementById('compare');").expect("a comparison");
    assert_eq!(page.text("problems").expect("none"), "");
    let compared = page.text("compare").expect("a comparison");
    let place = |text: &str| compared.find(text).unwrap_or_else(|| panic!("“{text}” is not in {compared}"));
    let differs = place(&format!("{}: 1 → 2", Cmp::Concurrency.get(Lang::En)));
    assert!(place(Cmp::OtherContext.get(Lang::En)) < differs);
    // Whatever is said of figures comes after.
    let first_figure = compared.find("p50 ").expect("a difference");
    assert!(differs < first_figure, "{compared}");
    assert!(place(Cmp::ShowsRuns.get(Lang::En)) > first_figure);
    for item in [Cmp::Target, Cmp::Workload, Cmp::Requests, Cmp::Browser, Cmp::Mode] {
        assert!(!compared.contains(&format!("{}: ", item.get(Lang::En))), "{item:?} is the same: {compared}");
    }
    // Both sides' contexts stand below.
    assert!(compared.contains("closed loop, 1 at once") && compared.contains("closed loop, 2 at once"), "{compared}");
    // A broken one changes nothing but the message.
    refused("other.json", "{\"a\": 1}", Ui::OpenNotOurs);
    assert_eq!(page.text("compare").expect("a comparison"), compared);
    assert_eq!((page.table().expect("a table"), page.saved_text().expect("a text")), (table, saved));
}

/// Each answer costs 1,000 × 3 and 100 × 20 millionths: 0.005.
pub(crate) fn a_slow_canary_ends_the_run_and_the_verdict_has_its_interval(browser: &Browser) {
    let (served, page) = open(browser);
    let of = |rid: &str, ttft_ms: u32| served.endpoint(&format!("preset=fast&ttft_ms={ttft_ms}&gap_ms=1&tokens=3&rid={rid}"));
    let setup =
        own(&of("many", 20), 400).with("versus", "endpoint").with("versus-url", of("slow", 300)).with("versus-share", 5);
    let run = measure(&page, &setup.with("concurrency", 2).with("stop-rules", "p95(first_answer)<150ms"));
    let broken = run.stopped_by.expect("the rule spoke");
    assert_eq!(broken.rule.to_string(), "p95(first_answer)<150ms");
    assert!(run.traces.len() < 400, "it went on to the end");
    // Few met the candidate: one in five of what was sent, and not one more.
    let met = run.traces.iter().filter(|t| t.planned.arm == 1).count();
    assert!(met <= run.traces.len() / 5 + 1, "{met} of {}", run.traces.len());
    let found = difference(&run, Metric::FirstVisible);
    assert_eq!(found.verdict, Verdict::Higher, "{found:?}");
    let names = [Sec::Present.get(Lang::En), Sec::Candidate.get(Lang::En)];
    let words = sentence(&found, names[0], names[1], Micros(run.clock.step_us), Lang::En);
    assert!(words.contains("the 95 % interval of the difference is"), "no interval in “{words}”");
    let text = page.text("versus").expect("a part");
    assert!(text.contains(&words), "“{words}” is not in {text}");
}

pub(crate) fn spend_is_capped_told_and_ended(browser: &Browser) {
    let (_served, page) = open(browser);
    assert_eq!(USAGE, (1_000, 100));
    let stub = Stub::chat(std::time::Duration::ZERO, |_| "Nine.".to_owned()).expect("a stub");
    let spend = || page.text("spend").expect("what is sent");
    let most = |amount: &str| fill(Ui::SpendMost.get(Lang::En), &[amount]);
    page.fill_in(&own(stub.url(), 9).with("warmup", 1).with("price-output", 20)).expect("filled in");
    assert!(spend().contains(Ui::SpendUnknownLimit.get(Lang::En)), "{}", spend());
    page.fill_in(&Setup::new().with("max-tokens", 500)).expect("filled in");
    // 10 × 500 × 20 / 1,000,000, warm-up among them.
    assert!(spend().contains(&most("0.10 USD")), "{}", spend());
    page.fill_in(&Setup::new().with("price-input", 3).with("currency", "EUR")).expect("filled in");
    // What the input will cost is not known before, and so there is no “at most” of everything.
    assert!(spend().contains(&fill(Ui::SpendMostOutput.get(Lang::En), &["0.10 EUR"])), "{}", spend());
    let run = measure(&page, &Setup::new());
    all_complete(&run);
    assert_eq!(stub.bodies().len(), 10);
    let quality = page.text("quality").expect("a part");
    let spent =
        quality.split_once("Spent: ").and_then(|(_, rest)| rest.split_once(" EUR for 10,000 input and 1,000 output tokens."));
    let spent: f64 = spent.and_then(|(amount, _)| amount.parse().ok()).unwrap_or_else(|| panic!("{quality}"));
    assert!((spent - 0.05).abs() < 1e-9, "{quality}");
    // After the fourth it is 0.02, which is over 0.017; the rule speaks before a fifth is sent.
    page.click("change").expect("back to the form");
    let run = measure(&page, &Setup::new().with("warmup", 0).with("stop-rules", "spend<=0.017"));
    assert_eq!((run.traces.len(), stub.bodies().len()), (4, 14), "{run:?}");
    let broken = run.stopped_by.expect("a rule");
    assert_eq!((broken.rule.to_string().as_str(), broken.seen, broken.request), ("spend<=0.017", 4, 3));
    assert!(broken.spent.is_some_and(|spent| (spent - 0.02).abs() < 1e-9), "{broken:?}");
    let load = page.text("load").expect("a part");
    assert!(load.contains(&fill(Sec::StoppedByRule.get(Lang::En), &["spend<=0.017", "4"])), "{load}");
}

pub(crate) fn wrong_lines_are_named_and_nothing_is_sent(browser: &Browser) {
    let (_served, page) = open(browser);
    let stub = Stub::page("never asked").expect("a stub");
    let typed = [
        ("thresholds", "first_visible<800ms\nfirst_visibel<800ms\np95(first_visible)<1s\nfirst_visible 800"),
        ("stop-rules", "error_rate<5%\nspend<=much\np95<2s"),
        ("criteria", "first_visible<800ms\np97(first_visible)<1s\np95(first_visible)<800tokens/s"),
        ("price-input", "cheap"),
        ("price-output", "-1"),
        ("claim", "Quick enough"),
    ];
    let setup = typed.iter().fold(own(stub.url(), 1), |setup, (id, value)| setup.with(id, value));
    let texts = |lang: Lang| {
        let limit = |field, error| problem(lang, &Problem::Limit(field, error));
        let metric = |name: &str| SloError::Metric { name: name.into() };
        let value = |text: &str, name: &str| {
            // Up to the units that would fit.
            let words = slo_problem(lang, &SloError::Limit { text: text.into(), name: name.into(), units: "\u{0}" });
            words.split('\u{0}').next().unwrap_or_default().to_owned()
        };
        vec![
            limit(Field::Thresholds, metric("first_visibel")),
            limit(Field::Thresholds, SloError::NotOfOneRequest("p95(first_visible)".into())),
            limit(Field::Thresholds, SloError::NoRelation("first_visible 800".into())),
            value("much", "spend"),
            limit(Field::StopRules, metric("p95")),
            limit(Field::Criteria, SloError::NotAStatistic("first_visible".into())),
            limit(Field::Criteria, SloError::Percentile("p97".into())),
            value("800tokens/s", "first_visible"),
            problem(lang, &Problem::Price("cheap".into())),
            problem(lang, &Problem::Price("-1".into())),
        ]
    };
    let kept = || {
        for (id, value) in typed {
            assert_eq!(page.value(id).expect("a value"), value, "{id}");
        }
        let wrong = "return [...document.querySelectorAll('[aria-invalid=true]')].map((field) => field.id).sort().join(' ');";
        let wrong = page.string(wrong, vec![]).expect("fields");
        assert_eq!(wrong, "criteria price-input price-output stop-rules thresholds");
    };
    says(&page, &setup, &texts(Lang::En));
    kept();
    says(&page, &Setup::new().with("language", "ko"), &texts(Lang::Ko));
    kept();
    // Half a decision is none, and spend can't be held against nothing.
    let nothing = Setup::new().with("language", "en").with("thresholds", "").with("price-input", "").with("price-output", "");
    let half = nothing.with("stop-rules", "spend<=1").with("criteria", "");
    says(&page, &half, &[problem(Lang::En, &Problem::Decision), problem(Lang::En, &Problem::SpendWithoutPrices)]);
    let half = Setup::new().with("stop-rules", "").with("claim", "").with("criteria", "error_rate<1%");
    says(&page, &half, &[problem(Lang::En, &Problem::Decision)]);
    // The candidate's address is checked as the other is, and the field is the candidate's.
    let versus = Setup::new().with("criteria", "").with("versus", "endpoint").with("versus-url", "no/scheme");
    says(&page, &versus, &[problem(Lang::En, &Problem::Candidate(Box::new(Problem::Url("no/scheme".into()))))]);
    let other = "return document.querySelector('#url[aria-invalid=true]') ? 'the other is blamed' : '';";
    assert_eq!(page.string(other, vec![]).expect("looked at"), "");
    let share = Setup::new().with("versus-url", stub.url()).with("versus-share", 1);
    says(&page, &share, &["The candidate gets one request in 2 to 1,000.".to_owned()]);
    assert_eq!(stub.heads(), [""; 0], "something was sent");
}

/// Choices that bring fields of their own.
const CHOICES: [&[(&str, &str)]; 3] = [
    &[("target-kind", "own"), ("load-shape", "poisson"), ("workload-kind", "cases"), ("versus", "endpoint")],
    &[("load-shape", "replay"), ("workload-kind", "generated"), ("versus", "cache")],
    &[("load-shape", "sweep"), ("workload-kind", "prompt"), ("versus", "none")],
];

/// Every control has a label in sight beside it, and the browser makes its name of that.
pub(crate) fn every_control_has_its_name_in_sight(browser: &Browser) {
    const UNNAMED: &str = "document.querySelectorAll('form.setup details').forEach((fold) => { fold.open = true; });\
        const seen = (e) => e.getClientRects().length > 0 && e.innerText.trim() !== '';\
        const described = (e) => (e.getAttribute('aria-describedby') || '').split(' ').filter(Boolean)\
            .every((id) => document.getElementById(id));\
        const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);\
        const twice = ids.filter((id, at) => ids.indexOf(id) !== at);\
        const wrong = [...document.querySelectorAll('form.setup :is(input, select, textarea)')]\
            .filter((e) => !e.id || ![...e.labels].some(seen) || !described(e)).map((e) => e.outerHTML);\
        return [...wrong, ...twice].join('\\n');";
    let (_served, page) = open(browser);
    for lang in Lang::ALL {
        page.set("language", lang.code()).expect("switched");
        for choices in CHOICES {
            choices.iter().for_each(|(id, value)| page.set(id, value).expect("chosen"));
            assert_eq!(page.string(UNNAMED, vec![]).expect("looked at"), "", "{lang:?}, {choices:?}");
            // As assistive technology is told.
            browser.cdp("Accessibility.enable", json!({})).expect("enabled");
            let tree = browser.cdp("Accessibility.getFullAXTree", json!({})).expect("a tree");
            let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
            let text = |node: &serde_json::Value, field: &str| node[field]["value"].as_str().unwrap_or_default().to_owned();
            let roles = ["textbox", "combobox", "checkbox", "button", "spinbutton", "link", "DisclosureTriangle"];
            let of_use: Vec<_> = nodes.iter().filter(|node| roles.contains(&text(node, "role").as_str())).collect();
            assert!(of_use.len() > 30, "{} controls", of_use.len());
            let nameless: Vec<_> = of_use.iter().filter(|node| text(node, "name").trim().is_empty()).collect();
            assert!(nameless.is_empty(), "{lang:?}, {choices:?}: {nameless:?}");
            browser.cdp("Accessibility.disable", json!({})).expect("disabled");
        }
    }
    let errors = page.errors().expect("errors");
    assert!(errors.is_empty(), "{errors:?}");
}

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const UP: &str = "\u{E013}";
const DOWN: &str = "\u{E015}";
const END: &str = "\u{E010}";

/// What has the focus: kind, id, and whether a fold that it belongs to is open.
fn focus(page: &Page<'_>) -> (String, String) {
    let script = "const e = document.activeElement, fold = e.closest('details');\
        const closed = e.tagName === 'SUMMARY' && fold && !fold.open;\
        return [closed ? 'closed' : e.type || e.tagName.toLowerCase(), e.id || (fold ? fold.id : '')];";
    serde_json::from_value(page.browser().execute(script, vec![]).expect("focus")).expect("two texts")
}

/// Tabs from the top to the button and changes everything on the way; `choose` is the key pressed in each choice, and `digit`
/// the one in each field that is typed into, over all that is in it.
fn through_the_form(page: &Page<'_>, choose: &str, digit: &str) -> BTreeMap<String, String> {
    let value = "const e = document.getElementById(arguments[0]); return e.type === 'checkbox' ? String(e.checked) : e.value;";
    let value = |id: &str| page.string(value, vec![json!(id)]).expect("a value");
    let mut changed = BTreeMap::new();
    page.browser()
        .execute("document.activeElement.blur(); window.getSelection().removeAllRanges();", vec![])
        .expect("no focus");
    for _ in 0..150 {
        page.press(TAB).expect("tab");
        let (kind, id) = focus(page);
        if id == "run" {
            return changed;
        }
        let keys = match kind.as_str() {
            // Opens, and what is inside comes next.
            "closed" => ENTER,
            "select-one" if id != "language" && id != "recipe" => choose,
            "checkbox" => " ",
            "text" | "url" | "password" | "textarea" => digit,
            "file" => {
                changed.insert(id, kind);
                continue;
            }
            _ => continue,
        };
        let before = if kind == "closed" { String::new() } else { value(&id) };
        page.press(keys).expect("pressed");
        // The last of a choice has none after it.
        if kind == "select-one" && value(&id) == before {
            page.press(UP).expect("pressed");
        }
        if kind == "closed" {
            assert_ne!(focus(page).0, "closed", "#{id} does not open");
        } else {
            assert_ne!(value(&id), before, "#{id} is not changed by {keys:?}");
            changed.insert(id, kind);
        }
    }
    panic!("the button is never reached; changed were {changed:?}");
}

pub(crate) fn every_control_is_reached_and_changed_by_keys(browser: &Browser) {
    const ALL: &str = "return [...document.querySelectorAll('form.setup :is(input, select, textarea)')].map((e) => e.id)\
        .filter((id) => id !== 'recipe').sort();";
    let (_served, page) = open(browser);
    let mut all = Vec::new();
    for (key, digit, more) in [
        // The second of each choice: an own URL, a constant rate, cases, another endpoint.
        (DOWN, "7", &["url", "load-line", "workload-lines", "workload-file", "versus-url", "versus-model", "versus-share"][..]),
        // The last of each: a replay, generated cases, the prefix cache.
        (
            END,
            "8",
            &["replay-times", "replay-speed", "generated-cases", "generated-input", "generated-output", "generated-prefix"],
        ),
    ] {
        let changed = through_the_form(&page, key, digit);
        let there: Vec<String> =
            serde_json::from_value(browser.execute(ALL, vec![]).expect("controls")).expect("a list of ids");
        let reached: Vec<String> = changed.keys().filter(|id| there.contains(id)).cloned().collect();
        assert_eq!(reached, there, "not every control of the form is reached and changed by keys");
        assert!(more.iter().all(|id| changed.contains_key(*id)), "{changed:?}");
        all.extend(reached);
    }
    for id in ["thresholds", "stop-rules", "criteria", "claim", "owner", "affected", "falsified-by", "if-it-fails", "currency"]
    {
        assert!(all.iter().any(|known| known == id), "{id} is not in {all:?}");
    }
}
