//! Histograms of a run file, read back by the readers that others use: HdrHistogramJS, in a browser, and PyPI's hdrhistogram.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use firstlight_core::stats::{Distribution, HISTOGRAM_MAX, Histogram, P};
use firstlight_e2e::shared::{Alone, Turn};
use firstlight_e2e::stub::Stub;
use firstlight_e2e::{Browser, Engine, Page, places};
use hdrhistogram::serialization::Deserializer;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::measure;

/// What a reader says about one histogram.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Read {
    pub(crate) total: u64,
    pub(crate) max: u64,
    /// Values at percentiles; PyPI's reader rounds ranks by a rule of its own, and is asked for counts only.
    #[serde(default)]
    pub(crate) at: Vec<u64>,
    /// The largest value of each bucket that holds any, and how many.
    pub(crate) recorded: Vec<(u64, u64)>,
}

/// As the library reads it that wrote it.
pub(crate) fn own(text: &str) -> Read {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).expect("base64");
    let histogram: hdrhistogram::Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).expect("a histogram");
    let recorded = histogram.iter_recorded();
    Read {
        total: histogram.len(),
        max: histogram.max(),
        at: P::SHOWN.iter().map(|p| histogram.value_at_quantile(p.probability())).collect(),
        recorded: recorded
            .map(|at| (histogram.highest_equivalent(at.value_iterated_to()), at.count_since_last_iteration()))
            .collect(),
    }
}

/// Those of a run that was just measured, and one with every clamp, zeroes, and counts of many sizes.
fn histograms() -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["--target", "builtin:fast", "--requests", "20", "--concurrency", "4", "--warmup", "0", "--out", "run.json"];
    let output = measure(folder.path(), &args);
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(folder.path().join("run.json")).expect("saved");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let of_run = file["histograms"].as_object().expect("histograms").values();
    let mut all: Vec<String> = of_run.map(|one| one["hdr"].as_str().expect("text").to_owned()).collect();
    assert!(all.len() >= 8, "{}", all.len());
    // From 1 µs to over an hour, a thousand times as often below a millisecond as above a second.
    let spread = (0..100_000i64).map(|n| (n * n * n) % 1_000_003 + 1).map(|v| v * v / 997 % (1 << (v % 33)));
    let values = spread.chain([-3, 0, HISTOGRAM_MAX, HISTOGRAM_MAX + 1]).collect();
    let histogram = Histogram::of(&Distribution::new(values, vec![])).expect("a histogram");
    assert_eq!((histogram.clamped_high, histogram.negative, histogram.len()), (1, 1, 100_004));
    all.push(histogram.encode().expect("encoded"));
    all
}

#[test]
fn hdr_histogram_js_reads_the_same_counts() {
    let texts = {
        let _alone = Alone::take();
        histograms()
    };
    let browser = Turn::alone(Engine::Chromium);
    let _stub = with_reader(&browser);
    let percentiles: Vec<f64> = P::SHOWN.iter().map(|p| p.probability() * 100.0).collect();
    let script = include_str!("../../src/scripts/histograms.js");
    let answer = browser.execute(script, vec![json!(texts), json!(percentiles)]).expect("read");
    let read: Vec<Read> = serde_json::from_value(answer).expect("an answer");
    assert_eq!(read, texts.iter().map(|text| own(text)).collect::<Vec<_>>());
}

/// Opens a page that holds HdrHistogramJS.
pub(crate) fn with_reader(browser: &Browser) -> Stub {
    let stub = Stub::page("<!doctype html><title>Reader</title><body data-state=\"setup\">").expect("a stub");
    let _page = Page::open(browser, stub.url()).expect("open");
    let tools = places::tools().join("npm");
    for script in ["pako-1.0.11/dist/pako.min.js", "hdr-histogram-js-3.0.1/dist/hdrhistogram.umd.js"] {
        let source = read_tool(&tools.join(script));
        // As a script of its own would: by its global names.
        browser.execute("(0, eval)(arguments[0]);", vec![json!(source)]).expect("loaded");
    }
    stub
}

/// A script for the environment that reads what is written here, with arguments.
pub(crate) fn python(script: &str, args: &[&Path]) -> Command {
    let python = places::tools().join("hdrhistogram/bin/python");
    assert!(python.is_file(), "{} is missing: run `cargo xtask setup --browsers`", python.display());
    let mut command = Command::new(python);
    command.arg("-B").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("histograms").join(script)).args(args);
    command
}

#[test]
fn the_reader_of_pypi_reads_the_same_counts() {
    let texts = {
        let _alone = Alone::take();
        histograms()
    };
    let mut command = python("read.py", &[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("started");
    child.stdin.take().expect("stdin").write_all(json!(texts).to_string().as_bytes()).expect("written");
    let output = child.wait_with_output().expect("ended");
    assert!(output.status.success());
    let read: Vec<Read> = serde_json::from_slice(&output.stdout).expect("an answer");
    assert_eq!(read, texts.iter().map(|text| Read { at: vec![], ..own(text) }).collect::<Vec<_>>());
}

fn read_tool(path: &Path) -> String {
    std::fs::read_to_string(path)
        .unwrap_or_else(|e| panic!("{}: {e}; run `cargo xtask setup --browsers`, which fetches it from npm", path.display()))
}
