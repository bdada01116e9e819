//! The parts of a result on runs whose figures are known.

use super::*;
use crate::config::RunConfig;
use crate::cost::Prices;
use crate::decision::{Decision, IfItFails};
use crate::load::{Over, Shape, Spacing, Versus, What};
use crate::mark::Mark;
use crate::outcome::Outcome;
use crate::summary::Summary;
use crate::summary::fixture::{run, trace};
use crate::trace::{Mode, Usage};
use crate::workload::check::CheckFailure;
use crate::workload::{Case, Class, Source, Turn, Workload};

/// Answers after 1, 2, …, n ms.
fn hundred() -> Run {
    run((1..=100).map(|id| trace(id, i64::from(id))).collect())
}

fn with(run: Run, change: impl FnOnce(&mut RunConfig)) -> Run {
    let mut run = run;
    change(&mut run.config);
    run
}

fn part(run: &Run, id: &str) -> Option<Section> {
    sections(run, &Summary::of(run), Lang::En).into_iter().find(|part| part.id == id)
}

fn decision(criterion: &str) -> Decision {
    Decision {
        claim: "fast enough".into(),
        owner: "search team".into(),
        affected: String::new(),
        criteria: vec![criterion.parse().expect("a criterion")],
        baseline: None,
        falsified_by: String::new(),
        if_it_fails: IfItFails::OldVersion,
    }
}

#[test]
fn a_plain_run_says_what_a_closed_loop_cannot_show_and_no_more() {
    let parts = sections(&hundred(), &Summary::of(&hundred()), Lang::En);
    assert_eq!(parts.iter().map(|p| p.id).collect::<Vec<_>>(), ["diagnosis", "load"]);
    // All there is to say of a closed loop's load.
    assert_eq!((parts[1].sentences.len(), parts[1].tables.len()), (1, 0));
    let mut run = hundred();
    run.traces[0].outcome = Outcome::HttpError { status: 500 };
    let groups = part(&run, "groups").expect("two outcomes");
    assert_eq!(groups.tables.len(), 1);
    assert_eq!(groups.tables[0].rows.len(), 2);
}

#[test]
fn a_decision_says_pass_fail_and_what_is_missing() {
    let check = |criterion: &str, tone, word: &str| {
        let run = with(hundred(), |c| c.decision = Some(decision(criterion)));
        let part = part(&run, "decision").expect("a decision");
        assert_eq!(part.sentences[0].0, tone);
        assert!(part.sentences[0].1.starts_with(word), "{:?}", part.sentences);
        assert!(part.sentences.iter().any(|(_, s)| s == "Owner: search team"));
        assert_eq!(part.sentences.iter().any(|(_, s)| s.contains("old version")), word != "Pass");
        part.tables[0].rows[0].clone()
    };
    let row = check("p95(first_answer)<200ms", Tone::Good, "Pass");
    // By nearest rank, and by order statistics: see the decision's own tests.
    assert_eq!(row, ["p95(first_answer)<200ms", "95.0 ms", "90.0 ms–100 ms", "100", "Pass"]);
    check("p95(first_answer)<90ms", Tone::Warn, "Fail");
    let row = check("p99(first_answer)<1s", Tone::Warn, "Not enough data");
    assert_eq!(row[4], "Not enough data: needs ≥ 368, has 100");
}

#[test]
fn two_arms_are_never_mixed() {
    let mut run = with(hundred(), |c| c.versus = Some(Versus { what: What::Cache, one_in: 2 }));
    // The candidate is 1 s slower, and one of it failed.
    for t in run.traces.iter_mut().filter(|t| t.planned.id % 2 == 0) {
        let id = t.planned.id;
        *t = trace(id, 1000 + i64::from(id));
        t.planned.arm = 1;
    }
    run.traces[1].outcome = Outcome::NetworkError;
    let summary = Summary::of(&run);
    let first = summary.row(Metric::FirstAnswer, crate::trace::Mode::Streaming, crate::summary::Edge::Value).expect("a row");
    assert_eq!((first.distribution.n(), first.distribution.max().map(|q| q.value)), (50, Some(99_000)));
    let part = part(&run, "versus").expect("a comparison");
    let said = |words: &str| part.sentences.iter().any(|(_, s)| s.contains(words));
    assert!(said("p50 Time to first answer token") && said("candidate"), "{:?}", part.sentences);
    assert!(said("0/50") && said("1/50"), "{:?}", part.sentences);
    assert!(said("All other figures are of the present one alone."));
    let row = part.tables[0].rows.iter().find(|r| r[0] == "p50 Time to first answer token").expect("a row");
    // Of 49 answers 1,004, 1,006, … 1,100 the 25th is 1,052; of 1, 3, … 99 it is 49.
    assert_eq!(row[1..4], ["49.0", "1,052", "+1,003"]);
    let decided = with(run, |c| c.decision = Some(decision("p50(first_answer)<500ms")));
    let sentence = &sections(&decided, &Summary::of(&decided), Lang::En)[0].sentences[0].1;
    assert!(sentence.starts_with("Fail"), "the candidate is what is decided on: {sentence}");
}

#[test]
fn limits_are_counted_and_costs_are_not_rounded_away() {
    let mut run = with(hundred(), |c| {
        c.thresholds = vec!["first_answer<51ms".parse().expect("a limit")];
        c.prices = Some(Prices { currency: "USD".into(), input_per_million: 0.0, output_per_million: 2.0 });
    });
    for (t, n) in run.traces.iter_mut().zip(0..) {
        t.usage = Some(Usage { input: Some(1), output: Some(10), ..Usage::default() });
        t.check = Some(if n < 20 { Err(CheckFailure::Contains("sky".into())) } else { Ok(()) });
    }
    let limits = part(&run, "limits").expect("limits");
    assert_eq!(limits.tables[0].rows[0][..5], ["first_answer<51ms", "50", "50", "0", "0"]);
    let quality = part(&run, "quality").expect("quality");
    let said = |words: &str| quality.sentences.iter().any(|(_, s)| s.contains(words));
    assert!(said("80 of 100 results passed"), "{:?}", quality.sentences);
    assert!(said("Spent: 0.002000 USD for 100 input and 1,000 output tokens."), "{:?}", quality.sentences);
    assert!(said("Cost per useful result: 0.00002500 USD."), "{:?}", quality.sentences);
    assert_eq!(quality.tables[0].rows[0][1], "20");
}

#[test]
fn limits_and_decisions_of_two_modes_stand_apart() {
    let mut run = with(hundred(), |c| {
        c.thresholds = vec!["first_answer<51ms".parse().expect("a limit")];
        c.decision = Some(decision("p50(first_answer)<500ms"));
    });
    // Whole answers after 1,001 … 1,100 ms.
    run.traces.extend((1..=100).map(|id| {
        let mut whole = trace(100 + id, 1_000 + i64::from(id));
        whole.planned.mode = Mode::NonStreaming;
        whole
    }));
    for t in &mut run.traces {
        t.marks.set(Mark::Terminal, t.last_known);
    }
    let limits = part(&run, "limits").expect("limits");
    let rows: Vec<&[String]> = limits.tables[0].rows.iter().map(|row| &row[..3]).collect();
    assert_eq!(rows, [["first_answer<51ms (streaming)", "50", "50"], ["first_answer<51ms (not streaming)", "0", "100"]]);
    let goodput: Vec<&str> = limits.sentences.iter().map(|(_, text)| text.as_str()).collect();
    assert!(
        goodput.len() == 2 && goodput[0].ends_with("(streaming)") && goodput[1].contains(" 0.00 requests/s"),
        "{goodput:?}"
    );
    let decided = part(&run, "decision").expect("a decision");
    assert!(decided.sentences[0].1.starts_with("Fail"), "{:?}", decided.sentences);
    let names: Vec<&str> = decided.tables[0].rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["p50(first_answer)<500ms (streaming)", "p50(first_answer)<500ms (not streaming)"]);
}

#[test]
fn classes_groups_and_turns_stand_apart() {
    let case = |class, group: Option<&str>, index| Case {
        class,
        group: group.map(str::to_owned),
        turn: Some(Turn { conversation: "c".into(), index }),
        ..Case::of_prompt(format!("case {index}"), "Hi")
    };
    let cases = vec![case(Class::Normal, None, 1), case(Class::Hard, Some("staff"), 2)];
    let mut run = with(hundred(), |c| c.workload = Workload { source: Source::Cases(cases), ..Workload::default() });
    run.traces.iter_mut().for_each(|t| t.planned.case = t.planned.id % 2);
    let groups = part(&run, "groups").expect("groups");
    let names: Vec<Vec<&str>> =
        groups.tables.iter().map(|t| t.rows.iter().map(|r| r[0].as_str()).collect::<Vec<_>>()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names[1].contains(&"staff") && names[1].contains(&"no group"), "{names:?}");
    assert!(names[2].contains(&"turn 1") && names[2].contains(&"turn 2"), "{names:?}");
    // n of the hard half: 50 of 100.
    assert!(groups.tables[0].rows.iter().all(|r| r[4] == "50"), "{:?}", groups.tables[0].rows);
}

#[test]
fn an_open_loop_shows_both_times_and_a_closed_one_says_what_it_cannot() {
    let mut run = with(hundred(), |c| c.load.shape = Shape::Open { per_second: 10.0, spacing: Spacing::Even });
    for t in &mut run.traces {
        // Due 500 ms before it was sent.
        t.planned.intended = Some(Micros::ms(100 * i64::from(t.planned.id)));
        let sent = t.marks.get(Mark::Sent).expect("sent");
        t.marks.set(Mark::Intended, sent - Micros::ms(500));
    }
    let load = part(&run, "load").expect("a load");
    let row = |name: &str| load.tables[0].rows.iter().find(|r| r[0].contains(name)).expect(name).clone();
    assert_eq!(row("first answer token, service")[2], "50.0");
    assert_eq!(row("first answer token, response")[2], "550");
    assert!(load.sentences.iter().any(|(_, s)| s.contains("500")), "{:?}", load.sentences);
    let mut swept = with(hundred(), |c| {
        c.load.shape = Shape::Sweep { over: Over::Concurrency, levels: vec![1.0, 2.0], settle_ms: 0, spacing: Spacing::Even };
    });
    swept.traces.iter_mut().for_each(|t| t.planned.stage = u32::from(t.planned.id > 50));
    let load = part(&swept, "load").expect("levels");
    assert!(load.sentences.iter().any(|(_, s)| s.contains("closed loop can’t show")), "{:?}", load.sentences);
    assert!(load.sentences.iter().any(|(_, s)| s.contains("mix requests of 2 levels")));
    assert_eq!(load.tables[0].rows.iter().map(|r| r[1].as_str()).collect::<Vec<_>>(), ["50", "50"]);
}

#[test]
fn what_differs_besides_stands_before_any_difference() {
    let other = with(hundred(), |c| c.concurrency = 9);
    let part = compared(&hundred(), &other, Lang::En);
    let at = |words: &str| part.sentences.iter().position(|(_, s)| s.contains(words)).expect(words);
    assert!(at("9") < at("p50 Time to first answer token"), "{:?}", part.sentences);
    assert_eq!(part.sentences[0].0, Tone::Warn);
    let same = compared(&hundred(), &hundred(), Lang::Ko);
    assert_eq!(same.sentences[0].0, Tone::Plain);
}

#[test]
fn amounts_keep_four_digits() {
    assert_eq!([0.0, 12.5, 0.0125, 0.000_001_25].map(amount), ["0.00", "12.50", "0.01250", "0.000001250"]);
}

#[test]
fn what_the_servers_metrics_said_stands_beside_the_page_by_quantiles_alone() {
    use crate::scrape::tests::{page, sampled};
    let first: Vec<f64> = (1..=20).map(|n| f64::from(n) / 200.0).collect();
    let run =
        sampled(&[(900, Ok(page(0, 0, 0, &[]))), (1100, Ok(page(4, 2, 40, &first[..5]))), (1300, Ok(page(0, 0, 100, &first)))]);
    let part = part(&run, "server-metrics").expect("a part");
    assert_eq!(part.tables.len(), 2, "{part:?}");
    assert_eq!(part.tables[0].rows[0], ["Requests running", "1", "4.00", "4.00", "0.10"]);
    // 10 ms to 100 ms here, 5 ms to 100 ms there; two tenths of those are at most 10 ms, half at most 50.
    let rows: Vec<&[String]> = part.tables[1].rows.iter().map(|row| &row[1..]).collect();
    assert_eq!(rows[0], ["p50", "10.0–50.0", "50.0"]);
    assert_eq!(rows[2], ["p95", "50.0–250", "100"]);
    assert_eq!(rows.len(), 4, "no end-to-end histogram is told");
    let said = |text: &str| part.sentences.iter().any(|(_, sentence)| sentence.contains(text));
    assert!(said("the server counted 20, this page’s measured requests gave 10"));
    assert!(said("End-to-end, last token: not compared, the server does not tell it in buckets"), "{part:?}");
    assert!(said("none is subtracted") && said("in the names of vLLM") && said("3 samples"));
    assert!(!part.context.is_empty());
    for lang in Lang::ALL {
        let all = sections(&run, &Summary::of(&run), lang);
        let texts =
            all.iter().flat_map(|p| p.sentences.iter().map(|(_, text)| text).chain(p.tables.iter().map(|t| &t.caption)));
        assert!(texts.clone().all(|text| !text.contains('{')), "{:?}", texts.collect::<Vec<_>>());
    }
}

#[test]
fn metrics_that_could_not_be_read_say_why_and_what_to_do() {
    use crate::scrape::Missed;
    use crate::scrape::tests::sampled;
    let mut run = sampled(&[(900, Err(Missed::Network("Failed to fetch".into()))), (1900, Err(Missed::Status(501)))]);
    run.environment.page = "http://127.0.0.1:8600/index.html".into();
    let said: Vec<String> = part(&run, "server-metrics").expect("a part").sentences.into_iter().map(|(_, text)| text).collect();
    let text = said.join("\n");
    for want in [
        "No sample could be read from http://localhost:8080/metrics",
        "Missing samples: 1, because: no reply that this page may read (Failed to fetch)",
        "Access-Control-Allow-Origin: http://127.0.0.1:8600 is",
        "--forward metrics=http://localhost:8080",
        "HTTP status 501",
        "--enable-metrics",
    ] {
        assert!(text.contains(want), "{want}: {text}");
    }
    run.scraped = None;
    assert!(part(&run, "server-metrics").expect("a part").sentences[0].1.starts_with("No sample could be read"));
    run.config.server_metrics = None;
    assert_eq!(part(&run, "server-metrics"), None);
}
