//! What a run is written as, from requests whose figures are known.

use super::*;
use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::metrics::tests::worked_example;
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::tests::run;
use crate::trace::{Diagnostic, Mode, Planned};
use crate::workload::{Case, Source, Workload};

/// A run of three: warm-up, the worked example, and one that was refused.
pub(crate) fn three() -> Run {
    let mut warm_up = worked_example();
    warm_up.planned = Planned { warmup: true, ..Planned::measured(0, Mode::Streaming) };
    let mut whole = worked_example();
    whole.planned = Planned { case: 1, painted: true, ..Planned::measured(1, Mode::Streaming) };
    let seen = |us| {
        Ok(Seen {
            method: Method::ElementTiming,
            earliest: Micros(us - 2000),
            latest: Some(Micros(us)),
            value: Some(Micros(us)),
        })
    };
    (whole.first_visible, whole.complete_visible) = (seen(458_250), seen(1_411_000));
    let mut refused = worked_example();
    refused.planned = Planned::measured(2, Mode::Streaming);
    refused.marks = crate::mark::Marks::default();
    refused.marks.set(Mark::Sent, Micros::ms(1500));
    (refused.reads, refused.spans, refused.usage) = (Vec::new(), Vec::new(), None);
    (refused.response, refused.shape, refused.dialect) = (None, None, None);
    (refused.outcome, refused.last_known) = (Outcome::NetworkError, Micros(1_500_007));
    (refused.first_visible, refused.complete_visible) = (Err(Absence::NotReached), Err(Absence::NotReached));
    refused.diagnostics = vec![Diagnostic { code: "browser_error", detail: "a secret prompt".into() }];
    let (wanted, found) = ("a secret prompt".into(), "a secret prompt".into());
    whole.check = Some(Err(crate::workload::check::CheckFailure::Equals { wanted, found }));
    let mut run = Run { traces: vec![warm_up, whole, refused], ..run() };
    run.config.workload = Workload {
        source: Source::Cases(vec![Case::of_prompt("=plain", "a secret prompt"), Case::of_prompt("a, b", "Hi")]),
        ..Workload::default()
    };
    run
}

fn written(format: Format, run: &Run) -> String {
    format.write(run, Options::default()).expect("written")
}

/// Rows of CSV without quoted cells, by column.
fn cells<'t>(text: &'t str, row: usize) -> impl Fn(&str) -> &'t str {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.trim_end_matches('\r').split(',').collect()).collect();
    move |name| rows[row][rows[0].iter().position(|head| *head == name).unwrap_or_else(|| panic!("no column {name}"))]
}

#[test]
fn a_row_holds_every_figure_with_its_unit_or_the_reason() {
    let mut run = three();
    // Nothing to quote.
    run.config.workload = Workload::default();
    let text = written(Format::Csv, &run);
    assert_eq!(text.matches("\r\n").count(), 4);
    let of = cells(&text, 2);
    let figures = [
        ("request", "1"),
        ("warm_up", "false"),
        ("mode", "streaming"),
        ("outcome", "complete"),
        ("sent_ms", "0.000"),
        ("ttft_ms", "450.000"),
        ("e2e_ms", "1400.000"),
        ("tpot_ms", "50.000"),
        ("output_rate_tokens_per_s", "20.000"),
        ("tokens_per_chunk", "1.000"),
        ("ttfv_ms", "458.250"),
        ("ttfv_earliest_ms", "456.250"),
        ("ttfv_latest_ms", "458.250"),
        ("ttfv_method", "element_timing"),
        ("render_gap_first_ms", "8.250"),
        ("render_gap_first_earliest_ms", "6.250"),
        ("output_tokens", "20"),
        ("streamed_tokens_estimated", "false"),
        ("server_span_count", "1"),
        ("ttfb_ms", ""),
        ("response_ttft_ms", ""),
    ];
    for (name, want) in figures {
        assert_eq!(of(name), want, "{name}");
    }
    let absent = of("absent");
    for want in
        ["ttfb_ms=no_resource_timing", "response_ttft_ms=closed_loop", "case_id=no_cases", "server_queue_ms=not_reported"]
    {
        assert!(absent.split(';').any(|one| one == want), "{want}: {absent}");
    }
    assert_eq!(cells(&text, 1)("warm_up"), "true");
    let refused = cells(&text, 3);
    assert_eq!((refused("sent_ms"), refused("elapsed_ms"), refused("ttft_ms")), ("1500.000", "0.007", ""));
    assert_eq!((refused("outcome"), refused("notes")), ("network_error", "browser_error"));
}

#[test]
fn every_empty_cell_has_its_reason_and_no_other() {
    let text = written(Format::Csv, &Run { config: run().config, ..three() });
    let head: Vec<&str> = text.lines().next().expect("a head").trim_end().split(',').collect();
    for line in text.lines().skip(1) {
        let row: Vec<&str> = line.trim_end_matches('\r').split(',').collect();
        assert_eq!(row.len(), head.len());
        let empty: Vec<&str> = head.iter().zip(&row).filter(|(_, cell)| cell.is_empty()).map(|(name, _)| *name).collect();
        let reasons: Vec<&str> = row[head.len() - 1].split(';').filter_map(|one| Some(one.split_once('=')?.0)).collect();
        assert_eq!(empty, reasons);
    }
}

#[test]
fn an_object_says_the_same_as_a_row() {
    let run = three();
    let text = written(Format::Jsonl, &run);
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 3);
    let whole = &objects[1];
    assert_eq!((&whole["ttft_ms"], &whole["ttfv_ms"], &whole["case_id"]), (&450.0.into(), &458.25.into(), &"a, b".into()));
    assert_eq!(whole["inter_chunk_gaps_ms"].as_array().map(Vec::len), Some(19));
    assert_eq!(whole["server_spans"][0]["boundary"], "component");
    assert_eq!((&whole["absent"]["ttfb_ms"], whole.get("ttfb_ms")), (&"no_resource_timing".into(), None));
    assert_eq!(objects[2]["absent"]["inter_chunk_gaps_ms"], "not_reached");
    let csv = written(Format::Csv, &run);
    let names: Vec<&str> = csv.lines().next().expect("a head").trim_end().split(',').filter(|name| *name != "absent").collect();
    for object in &objects {
        for name in &names {
            assert!(object.get(name).is_some() != object["absent"].get(name).is_some(), "{name} in {object}");
        }
    }
}

#[test]
fn nothing_that_was_asked_or_answered_is_written() {
    let run = three();
    for format in Format::ALL {
        let text = written(format, &run);
        assert!(!text.contains("a secret prompt") && !text.contains("sk-secret"), "{format:?}");
    }
    let csv = written(Format::Csv, &run);
    assert!(csv.contains(",'=plain,") && csv.contains(",\"a, b\","), "{csv}");
}

#[test]
fn formats_are_found_by_their_names_and_files_named_after_the_run() {
    for format in Format::ALL {
        assert_eq!(Format::from_code(format.code()), Some(format));
    }
    assert_eq!(Format::from_code("xlsx"), None);
    let one = Options { series: Some("ttft/streaming/value"), ..Options::default() };
    assert_eq!(Format::Csv.file_name("firstlight-1.json", one), "firstlight-1.csv");
    assert_eq!(Format::Markdown.file_name("firstlight-1.json", one), "firstlight-1.md");
    assert_eq!(Format::Hgrm.file_name("firstlight-1.json", one), "firstlight-1-ttft-streaming-value.hgrm");
}

#[test]
fn a_log_of_histograms_has_a_line_for_each_series() {
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
    let run = three();
    let text = written(Format::Hlog, &run);
    let series = series_names(&crate::summary::Summary::of(&run));
    assert!(
        series.contains(&"ttfv/streaming/value".to_owned()) && !series.iter().any(|s| s.starts_with("tokens")),
        "{series:?}"
    );
    let mut tags = Vec::new();
    for entry in IntervalLogIterator::new(text.as_bytes()) {
        match entry.expect("an entry") {
            LogEntry::StartTime(at) => assert_eq!(at.as_secs_f64(), 1_767_323_045.0),
            LogEntry::BaseTime(at) => assert_eq!(at.as_secs_f64(), 1_767_323_045.0),
            LogEntry::Interval(line) => {
                let tag = line.tag().expect("a tag").as_str().to_owned();
                let read = crate::stats::Histogram::decode(line.encoded_histogram()).expect("a histogram");
                if tag == "ttft/streaming/value" {
                    assert_eq!((read.len(), line.max()), (1, 450.047));
                    assert!((450_000..450_450).contains(&read.percentile(crate::stats::P50)));
                }
                tags.push(tag);
            }
        }
    }
    assert_eq!(tags, series);
}

#[test]
fn a_distribution_has_the_layout_that_plotters_read() {
    let of = |series| Format::Hgrm.write(&three(), Options { series, ..Options::default() });
    let text = of(Some("inter_chunk_gap/streaming/value")).expect("written");
    assert!(text.starts_with("       Value     Percentile TotalCount 1/(1-Percentile)\n\n"), "{text}");
    // All gaps are of 50 ms.
    assert!(text.contains("\n      50.015 0.000000000000         19           1.00\n"), "{text}");
    assert!(text.contains("\n      50.015 1.000000000000         19\n#[Mean    =       50.0"), "{text}");
    assert!(text.contains("#[Max     =       50.015, Total count    =           19]\n#[Buckets ="), "{text}");
    assert!(text.contains("SubBuckets     =         2048]"), "{text}");
    assert!(of(None).expect("the first").contains("#[Series  = ttfv/streaming/value, in ms"));
    let wrong = of(Some("ttft")).expect_err("no such series");
    assert!(wrong.to_string().contains("has no series “ttft”; it has ttfv/streaming/value, "), "{wrong}");
    let mut nothing = three();
    nothing.traces.truncate(1);
    assert_eq!(Format::Hgrm.write(&nothing, Options::default()), Err(ExportError::NoSamples));
    assert_eq!(Format::Hlog.write(&nothing, Options::default()), Err(ExportError::NoSamples));
}

#[test]
fn a_summary_says_the_sentence_the_context_and_the_figures() {
    for lang in crate::text::Lang::ALL {
        let mut run = three();
        run.config.thresholds = vec!["first_answer<1s".parse().expect("a limit")];
        let text = Format::Markdown.write(&run, Options { lang, ..Options::default() }).expect("written");
        for want in ["sent → first visible", "458", "50.0", "| p99 |", "n = 1", "| first_answer&lt;"] {
            assert!(text.contains(want), "{want}: {text}");
        }
        let tables = text.lines().filter(|line| line.starts_with("| ---")).count();
        assert!(tables >= 5, "figures, missing, ends, limits, context: {text}");
        assert!(!text.contains('{') && !text.contains("\n\n\n"), "{text}");
    }
}
