//! Saved and opened again: nothing is lost, and what is not ours is refused with a reason.

use super::*;
use crate::Micros;
use crate::align::Probe;
use crate::config::tests::sound;
use crate::metrics::tests::worked_example;
use crate::server_report::{Stage, Stages};

pub(crate) fn run() -> Run {
    let config = RunConfig { url: "https://a/v1?key=sk-secret".into(), requests: 1, ..sound() };
    let mut trace = worked_example();
    trace.first_visible = Ok(crate::paint::Seen {
        method: crate::paint::Method::FrameCallbacks,
        earliest: Micros::ms(451),
        latest: None,
        value: None,
    });
    let mut stages = Stages::of("clock-1");
    stages.set(Stage::Received, Micros(1_764_496_347_000_123));
    stages.set(Stage::LastToken, Micros(-7));
    trace.stages = Some(Box::new(stages));
    let (sent, received) = (Micros(1), Micros(300));
    let (server_received, server_sent) = (Micros(1_764_496_346_000_123), Micros(1_764_496_346_000_125));
    let probe = Probe { sent, received, server_received, server_sent, clock: "clock-1".into() };
    trace.network = Ok(crate::network::NetworkTiming { protocol: Some("h2".into()), ..Default::default() });
    Run {
        config,
        environment: Environment { user_agent: "test".into(), isolated: true, ..Environment::default() },
        clock: Clock {
            step_us: 5,
            joint_us: Some(120),
            lag: Some(crate::load::Lag { n: 9, p50_us: 100, p99_us: 900, max_us: 1200 }),
        },
        created: "2026-01-02T03:04:05Z".into(),
        stopped: true,
        stopped_by: None,
        page_ended: false,
        workload: crate::workload::Identity::of(&sound()),
        probes: Probes { before: vec![probe.clone()], after: vec![Probe { clock: "clock-2".into(), ..probe }] },
        traces: vec![trace],
        parts: Vec::new(),
        scraped: None,
    }
}

#[test]
fn a_run_comes_back_as_it_was_but_for_secrets() {
    let run = run();
    let text = run.to_json();
    assert!(!text.contains("sk-secret"));
    let mut back = Run::from_json(&text).expect("opened");
    back.config.url.clone_from(&run.config.url);
    assert_eq!(back, run);
}

#[test]
fn a_load_and_what_was_planned_come_back_and_a_candidates_address_holds_no_key() {
    use crate::load::{Load, Shape, Spacing, Versus, What};
    let mut run = run();
    run.config.load = Load { shape: Shape::Open { per_second: 5.0, spacing: Spacing::Poisson }, ..Load::default() };
    let what = What::Endpoint { url: "https://b/v1?key=sk-other".into(), model: "m2".into() };
    run.config.versus = Some(Versus { what, one_in: 20 });
    let planned = &mut run.traces[0].planned;
    (planned.intended, planned.stage, planned.arm, planned.case) = (Some(Micros(7)), 2, 1, 3);
    (planned.after, planned.cancel_after) = (Some(0), Some(Micros(9)));
    run.traces[0].marks.set(crate::mark::Mark::Intended, Micros::ZERO);
    let text = run.to_json();
    assert!(!text.contains("sk-other"));
    let back = Run::from_json(&text).expect("opened");
    assert_eq!((&back.traces, &back.config.load), (&run.traces, &run.config.load));
    let arm = back.config.of_arm(1).into_owned();
    assert_eq!((arm.model.as_str(), arm.url.starts_with("https://b/v1")), ("m2", true));
}

#[test]
fn how_answers_were_drawn_comes_back_and_older_files_were_plain_and_nobody_looked() {
    use crate::config::Rendering;
    let mut run = run();
    run.config.rendering = Rendering::Markdown;
    run.traces[0].flags.long_frames = Some(vec![Micros::ms(60), Micros::ms(50)]);
    let text = run.to_json();
    let back = Run::from_json(&text).expect("opened");
    assert_eq!((back.config.rendering, &back.traces), (Rendering::Markdown, &run.traces));
    let mut older: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    older["config"].as_object_mut().expect("a configuration").remove("rendering").expect("was there");
    older["requests"][0]["flags"].as_object_mut().expect("flags").remove("long_frames_us").expect("was there");
    let back = Run::from_json(&older.to_string()).expect("opened");
    assert_eq!((back.config.rendering, &back.traces[0].flags.long_frames), (Rendering::Plain, &None));
}

#[test]
fn what_the_servers_metrics_said_comes_back_without_the_secrets_of_its_address() {
    let mut run = run();
    assert!(!run.to_json().contains("scraped"), "files without it are as before");
    run.scraped = Some(crate::scrape::tests::scraped(&[(0, Ok(crate::scrape::tests::page(1, 2, 3, &[0.02])))]));
    let url = "https://m/metrics?token=sk-third".to_owned();
    run.config.server_metrics = Some(crate::scrape::ServerMetrics { url, period_ms: 500 });
    let text = run.to_json();
    assert!(!text.contains("sk-third"));
    let back = Run::from_json(&text).expect("opened");
    assert_eq!((&back.scraped, back.config.server_metrics.map(|m| m.period_ms)), (&run.scraped, Some(500)));
    let spoilt = text.replace("\"running\":[1]", "\"running\":[]");
    assert!(matches!(Run::from_json(&spoilt), Err(OpenError::Damaged(_))));
}

#[test]
fn a_file_from_before_loads_opens_as_a_closed_loop() {
    let run = run();
    let mut file: serde_json::Value = serde_json::from_str(&run.to_json()).expect("json");
    file["config"].as_object_mut().expect("an object").remove("load");
    let back = Run::from_json(&file.to_string()).expect("opened");
    assert_eq!((back.config.load, back.config.versus), (Default::default(), None));
    assert_eq!(back.traces[0].planned, run.traces[0].planned);
}

#[test]
fn files_that_are_not_runs_say_why() {
    let text = run().to_json();
    let check = |text: &str, want: fn(&OpenError) -> bool| {
        let error = Run::from_json(text).expect_err("refused");
        assert!(want(&error), "{error}");
    };
    for cut in [1, text.len() / 3, text.len() - 2] {
        check(&text[..cut], |e| *e == OpenError::Truncated);
    }
    check("", |e| matches!(e, OpenError::NotJson(_)));
    check("<html>", |e| matches!(e, OpenError::NotJson(_)));
    check("{\"a\": 1}", |e| *e == OpenError::NotOurs);
    check("[1]", |e| *e == OpenError::NotOurs);
    check(&text.replace("\"version\":1,", "\"version\":99,"), |e| *e == OpenError::Newer { found: 99, known: VERSION });
    check(&text.replace("\"outcome\":\"complete\"", "\"outcome\":\"perfect\""), |e| matches!(e, OpenError::Damaged(_)));
    check(&text.replace("\"version\":1,", ""), |e| matches!(e, OpenError::Damaged(_)));
}

#[test]
fn a_file_holds_a_histogram_of_each_time_for_merging() {
    let file = run().to_file();
    let e2e = &file.histograms["e2e/streaming/value"];
    let histogram = crate::stats::Histogram::decode(e2e["hdr"].as_str().expect("text")).expect("interchange form");
    assert_eq!((histogram.len(), &e2e["clamped_high"], &e2e["censored"]), (1, &0.into(), &0.into()));
    assert!((histogram.percentile(crate::stats::P50) as i64 - 1_400_000).abs() <= 1_400);
    assert!(
        file.histograms.contains_key("ttfv/streaming/earliest")
            && !file.histograms.contains_key("tokens_per_chunk/streaming/value")
    );
}

#[test]
fn a_file_from_before_probes_and_stages_opens_without_them() {
    let mut old: serde_json::Value = serde_json::from_str(&run().to_json()).expect("JSON");
    assert!(old.as_object_mut().expect("a file").remove("probes").is_some());
    assert!(old["requests"][0].as_object_mut().expect("a request").remove("stages").is_some());
    let back = Run::from_json(&old.to_string()).expect("opened");
    assert_eq!((back.probes, &back.traces[0].stages), (Probes::default(), &None));
    // A run without them is written as it was.
    let plain = Run { probes: Probes::default(), ..run() };
    assert!(!plain.to_json().contains("\"probes\""));
}
