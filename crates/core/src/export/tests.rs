//! What a run is written as, from requests whose figures are known.

use super::*;
use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::metrics::tests::worked_example;
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::tests::run;
use crate::trace::{Diagnostic, Mode, Planned, Trace};
use crate::workload::{Case, Source, Workload};

/// A run of three: warm-up, the worked example, and one that was refused.
pub(super) fn three() -> Run {
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
    assert_eq!(Format::Csv.file_name("firstlight-1.json"), "firstlight-1.csv");
}
