//! What a pipeline is told of runs whose answers are known, and the form in which it is told.

use super::*;
use crate::compare::Regression;
use crate::outcome::Outcome;
use crate::report::Run;
use crate::slo::Criterion;
use crate::summary::fixture::{run, trace};
use crate::trace::Mode;

/// Answers after 1, 2, …, n ms.
fn answers(n: u32) -> Run {
    run((1..=n).map(|id| trace(id - 1, i64::from(id))).collect())
}

fn criteria(texts: &[&str]) -> Vec<Criterion> {
    texts.iter().map(|text| text.parse().expect("a criterion")).collect()
}

fn said(run: &Run, texts: &[&str]) -> Vec<Said> {
    limits(run, &criteria(texts), Lang::En).iter().map(|case| case.said).collect()
}

#[test]
fn each_limit_is_a_case_with_its_figure() {
    let run = answers(100);
    let texts = ["p95(first_answer)<101ms", "p95(first_answer)<90ms", "p95(first_answer)<95ms", "p99(first_answer)<1s"];
    let cases = limits(&run, &criteria(&texts), Lang::En);
    let got: Vec<(&str, Said)> = cases.iter().map(|c| (c.name.as_str(), c.said)).collect();
    assert_eq!(got[0], ("p95(first_answer)<101ms", Said::Passed));
    assert_eq!(got[1], ("p95(first_answer)<90ms", Said::Failed));
    assert_eq!(got[2], ("p95(first_answer)<95ms", Said::Unknown));
    assert_eq!(got[3], ("p99(first_answer)<1000ms", Said::Unknown));
    assert_eq!(got[4], ("no request fails", Said::Passed));
    assert_eq!(cases[0].message, "measured 95.0 ms, 95 % interval 90.0 ms–100 ms, n = 100");
    assert!(cases[2].message.ends_with("the limit lies inside the interval"), "{}", cases[2].message);
    assert!(cases[3].message.ends_with("needs ≥ 368, has 100"), "{}", cases[3].message);
    let unseen = &limits(&run, &criteria(&["p95(first_visible)<1s"]), Lang::En)[0];
    assert_eq!(unseen.said, Said::Unknown);
    assert!(unseen.message.starts_with("no sample: Not in the painted subset"), "{}", unseen.message);
    assert_eq!(all(&cases), Said::Failed, "one that fails fails all");
    assert_eq!((all(&cases[..1]), all(&cases[2..]), all(&[])), (Said::Passed, Said::Unknown, Said::Passed));
}

#[test]
fn of_two_modes_each_is_a_case_of_its_own() {
    // Streaming answers after 1 … 100 ms, whole ones after 1,001 … 1,100 ms.
    let mut both = answers(100);
    both.traces.extend((1..=100).map(|id| {
        let mut whole = trace(100 + id, 1_000 + i64::from(id));
        whole.planned.mode = Mode::NonStreaming;
        whole
    }));
    let cases =
        limits(&both, &criteria(&["p50(first_answer)<500ms", "streaming p95(first_answer)<101ms", "error_rate<9%"]), Lang::En);
    let got: Vec<(&str, Said)> = cases.iter().map(|c| (c.name.as_str(), c.said)).collect();
    assert_eq!(
        got,
        [
            ("p50(first_answer)<500ms (streaming)", Said::Passed),
            ("p50(first_answer)<500ms (not streaming)", Said::Failed),
            ("streaming p95(first_answer)<101ms", Said::Passed),
            ("error_rate<9% (streaming)", Said::Passed),
            ("error_rate<9% (not streaming)", Said::Passed),
        ]
    );
    assert!(cases.iter().all(|case| case.message.contains("n = 100")), "{cases:?}");
}

#[test]
fn failed_requests_fail_unless_a_limit_speaks_of_them() {
    let mut run = answers(1000);
    run.traces[0].outcome = Outcome::NetworkError;
    assert_eq!(said(&run, &["p95(first_answer)<2s"]), [Said::Passed, Said::Failed]);
    assert_eq!(said(&run, &["p95(first_answer)<2s", "error_rate<1%"]), [Said::Passed, Said::Passed]);
    assert_eq!(said(&run, &[]), [Said::Failed]);
    run.traces[0].planned.warmup = true;
    assert_eq!(said(&run, &[]), [Said::Passed], "warm-up is in no figure");
    run.traces.clear();
    assert_eq!(said(&run, &[]), [Said::Unknown]);
}

#[test]
fn regressions_are_told_by_mode_with_both_figures() {
    let (base, mut new) = (answers(200), answers(200));
    for t in &mut new.traces {
        *t = trace(t.planned.id, 300 + i64::from(t.planned.id));
    }
    let allowed: Vec<Regression> = ["p50(first_answer) +10%", "p50(first_answer) +400ms", "p50(first_visible) +1s"]
        .map(|t| t.parse().expect("a limit"))
        .to_vec();
    let cases = regressions(&base, &new, &allowed, Lang::En);
    assert_eq!(cases.iter().map(|c| c.said).collect::<Vec<_>>(), [Said::Failed, Said::Passed, Said::Unknown]);
    assert!(
        cases[0].message.starts_with("100 ms in the baseline, 399 ms now (+299 %); above the allowed value by +"),
        "{}",
        cases[0].message
    );
    assert!(cases[0].message.ends_with("n = 200 and 200"));
    assert_eq!(cases[2].message, "not measured in both runs in one mode");
    let few = regressions(&base, &new, &["p99(first_answer) +1%".parse().expect("a limit")], Lang::En);
    assert!(few[0].message.ends_with("n = 200 and 200: needs ≥ 368, has 200"), "{}", few[0].message);
    // Both modes are judged, each by itself.
    let both = |run: &Run| {
        let mut run = run.clone();
        run.traces.iter_mut().filter(|t| t.planned.id % 2 == 0).for_each(|t| t.planned.mode = Mode::NonStreaming);
        run
    };
    let names: Vec<String> =
        regressions(&both(&base), &both(&new), &allowed[..1], Lang::En).into_iter().map(|c| c.name).collect();
    assert_eq!(names, ["p50(first_answer) +10% (streaming)", "p50(first_answer) +10% (not streaming)"]);
}

/// The elements below one, by name.
fn named<'a>(of: roxmltree::Node<'a, 'a>, name: &'static str) -> Vec<roxmltree::Node<'a, 'a>> {
    of.children().filter(|n| n.has_tag_name(name)).collect()
}

#[test]
fn the_junit_file_has_the_shape_that_build_servers_read() {
    let cases = [
        Case { name: "p95(first_visible)<800ms".into(), said: Said::Passed, message: "measured 1 ms".into() },
        Case { name: "a & \"b\" <c>".into(), said: Said::Failed, message: "5\u{1} ms > 1 ms".into() },
        Case { name: "p99".into(), said: Said::Unknown, message: "needs ≥ 368".into() },
    ];
    let properties = [("workload", "built-in <chat>".to_owned())];
    let text = junit("firstlight.limits", "2026-01-02T03:04:05.678Z", &properties, &cases);
    let document = roxmltree::Document::parse(&text).expect("XML");
    let root = document.root_element();
    assert!(root.has_tag_name("testsuites"));
    let suites = named(root, "testsuite");
    assert_eq!(suites.len(), 1);
    let suite = suites[0];
    for (name, want) in
        [("tests", "3"), ("failures", "1"), ("errors", "1"), ("skipped", "0"), ("timestamp", "2026-01-02T03:04:05")]
    {
        assert_eq!(suite.attribute(name), Some(want), "{name}");
    }
    // The order of the schema: properties, then cases; in a case the answer, then what it says.
    let order: Vec<&str> = suite.children().filter(|n| n.is_element()).map(|n| n.tag_name().name()).collect();
    assert_eq!(order, ["properties", "testcase", "testcase", "testcase"]);
    let of = named(suite, "testcase");
    assert!(of.iter().all(|c| c.attribute("classname") == Some("firstlight.limits") && c.attribute("time").is_some()));
    let inside = |n: &roxmltree::Node<'_, '_>| {
        n.children().filter(|c| c.is_element()).map(|c| c.tag_name().name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        of.iter().map(inside).collect::<Vec<_>>(),
        [vec!["system-out"], vec!["failure", "system-out"], vec!["error", "system-out"]]
    );
    assert_eq!(of[1].attribute("name"), Some("a & \"b\" <c>"), "what XML means otherwise comes back");
    let failure = named(of[1], "failure")[0];
    assert_eq!((failure.attribute("type"), failure.attribute("message")), (Some("limit"), Some("5\u{fffd} ms > 1 ms")));
    let error = named(of[2], "error")[0];
    assert_eq!((error.attribute("type"), error.attribute("message")), (Some("not_enough_data"), Some("needs ≥ 368")));
    assert!(!junit("x", "", &[], &[]).contains("timestamp"), "what is not known is left out");
}

#[test]
fn a_comparison_for_programs_and_for_people() {
    let (base, mut new) = (answers(100), answers(100));
    new.config.concurrency = 8;
    let allowed: Vec<Regression> = vec!["p50(first_answer) +10%".parse().expect("a limit")];
    let cases = regressions(&base, &new, &allowed, Lang::En);
    let json = comparison_json(&base, &new, None, &cases);
    assert_eq!(json["context"][0]["item"], "concurrency");
    let metrics = json["modes"][0]["metrics"].as_array().expect("metrics");
    let first = metrics.iter().find(|m| m["metric"] == "time_to_first_answer" && m["percentile"] == "p50").expect("there");
    assert_eq!(
        (&first["base"]["lower"], &first["difference"]["upper"], &first["verdict"]),
        (&50_000.into(), &0.into(), &"undecided".into())
    );
    assert_eq!(json["modes"][0]["failures"]["base"]["of"], 100);
    assert_eq!(json["limits"][0]["said"], json["said"]);
    let text = comparison_markdown(&base, &new, None, &cases, Lang::En);
    assert!(
        text.contains("| Answer | Limit | Found |\n| --- | --- | --- |\n| can’t tell | `p50(first_answer) +10%` |"),
        "{text}"
    );
    assert!(text.contains("- ⚠ requests at once:"), "{text}");
    let tables: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    let cells = |line: &&str| line.replace("\\|", "").matches('|').count();
    assert!(tables.windows(2).all(|w| cells(&w[0]) == cells(&w[1]) || w[1].contains("What")), "{text}");
}
