//! A run in the formats of others: the page writes the same bytes as the command, and readers of others read them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use firstlight_core::chart::{Chart, Sheet, Size, height_of, metrics_of};
use firstlight_core::export::{Format, Options};
use firstlight_core::metrics::{Metric, Unit};
use firstlight_core::report::Run;
use firstlight_core::stats::P;
use firstlight_core::summary::{Edge, Summary, headline};
use firstlight_core::text::Lang;
use firstlight_core::trace::Mode;
use firstlight_e2e::rt::block_on;
use firstlight_e2e::{Browser, Page, places};
use serde_json::{Value, json};

use crate::accessible::violations;
use crate::checks::{all_complete, measure, open, own};
use crate::histograms::{self, Read};

/// Not the first one.
const SERIES: &str = "inter_chunk_gap/streaming/value";

pub(crate) fn the_page_writes_what_the_command_writes_and_others_read_it(browser: &Browser) {
    let folder = tempfile::tempdir().expect("a folder");
    let (served, page) = open(browser);
    let setup = own(&served.endpoint("preset=fast"), 20).with("mode", "both").with("concurrency", 4).with("warmup", 2);
    let run = measure(&page, &setup);
    all_complete(&run);
    std::fs::write(folder.path().join("run.json"), page.saved_text().expect("a text")).expect("written");
    the_same_bytes(&page, folder.path());
    let log = std::fs::read_to_string(folder.path().join("run.hlog")).expect("a log");
    // As the library reads them that wrote them.
    let line = |line: &str| {
        let (tag, rest) = line.strip_prefix("Tag=")?.split_once(',')?;
        Some((tag.to_owned(), histograms::own(rest.rsplit(',').next()?)))
    };
    let own: BTreeMap<String, Read> = log.lines().filter_map(line).collect();
    assert!(own.len() >= 12 && own.contains_key(SERIES), "{:?}", own.keys());
    in_python(folder.path(), &run, &own);
    in_javascript(browser, folder.path(), &log, &own);
    offline(browser, folder.path(), &run);
}

/// Saves every format from the page's menu and writes it with the command.
fn the_same_bytes(page: &Page<'_>, folder: &Path) {
    let catch = "window.saved = []; HTMLAnchorElement.prototype.click = function () { window.saved.push([this.download, this.href]); };";
    page.browser().execute(catch, vec![]).expect("caught");
    for (at, format) in Format::ALL.into_iter().enumerate() {
        page.set("export-format", format.code()).expect("chosen");
        if format.has_series() {
            page.set("export-series", SERIES).expect("chosen");
        }
        page.click("export-save").expect("pressed");
        let read = "const [name, href] = window.saved[arguments[0]]; return [name, await window.__e2e.blobs.get(href).text()];"
            .replace("arguments[0]", &at.to_string());
        let saved = page.browser().execute_async(&read, vec![]).expect("saved");
        let (name, text) = (saved[0].as_str().expect("a name"), saved[1].as_str().expect("a text"));
        let file = format!("run.{}", format.extension());
        let series = ["--series", SERIES];
        let mut command = Command::new(places::firstlight().expect("the command is built"));
        command.args(["report", "run.json", "--format", format.code(), "--output", &file]);
        command.args(series.iter().filter(|_| format.has_series())).current_dir(folder);
        let output = command.output().expect("it runs");
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        let written = std::fs::read_to_string(folder.join(&file)).expect("written");
        let differs = text.lines().zip(written.lines()).find(|(a, b)| a != b);
        assert!(text == written, "{format:?} differs, first at {differs:?}");
        assert!(text.len() > 500, "{format:?}: {text}");
        let options = Options { series: Some(SERIES), ..Options::default() };
        let ending = format.file_name("", options);
        assert!(name.starts_with("firstlight-") && name.ends_with(&ending), "{name} does not end with {ending}");
    }
}

/// pandas reads the samples, jsonschema finds the run file sound, and PyPI's hdrhistogram reads the log.
fn in_python(folder: &Path, run: &Run, own: &BTreeMap<String, Read>) {
    let schema = places::root().join("schemas/run-v1.schema.json");
    let output = histograms::python("exports.py", &[folder, &schema]).output().expect("started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).expect("an answer");
    assert_eq!(read["errors"], json!([]), "the schema and a real run file differ");
    assert_eq!(read["spoilt"], json!(["$.config", "$.requests[0].outcome", "$.requests[1].reads"]));
    assert_eq!(
        (&read["rows"], &read["objects"], &read["same"]),
        (&json!(run.traces.len()), &json!(run.traces.len()), &json!(true))
    );
    for (name, kind) in [
        ("request", "int64"),
        ("warm_up", "bool"),
        ("hidden_during", "bool"),
        ("e2e_ms", "float64"),
        ("ttfv_earliest_ms", "float64"),
        ("response_ttft_ms", "float64"),
        ("http_status", "int64"),
        ("streamed_tokens", "int64"),
        ("outcome", "str"),
        ("absent", "str"),
    ] {
        assert_eq!(read["types"][name], kind, "{name}");
    }
    let summary = Summary::of(run);
    let mut compared = 0;
    for row in summary.rows.iter().filter(|row| row.metric.unit() == Unit::Time && row.metric != Metric::InterChunk) {
        let edge = match row.edge {
            Edge::Value => String::new(),
            bound => format!("_{}", bound.code()),
        };
        let figures = &read["figures"][format!("{}{edge}_ms", row.metric.code())][row.mode.code()];
        let (n, max) = (row.distribution.n(), row.distribution.max());
        assert_eq!(figures["n"], n, "{}", row.series());
        assert_eq!(figures["max"].as_f64(), max.map(|max| max.value as f64 / 1000.0), "{}", row.series());
        compared += usize::from(n > 0);
    }
    assert!(compared >= 12, "{compared}");
    let without_percentiles = |read: &Read| Read { at: vec![], ..read.clone() };
    let expected: BTreeMap<String, Read> = own.iter().map(|(tag, read)| (tag.clone(), without_percentiles(read))).collect();
    let got: BTreeMap<String, Read> = serde_json::from_value(read["histograms"].clone()).expect("histograms");
    assert_eq!(got, expected);
    assert!(read["begin"].as_f64().is_some_and(|begin| begin > 1.7e9), "{}", read["begin"]);
}

/// HdrHistogramJS reads the log with the same percentiles, and writes the same distribution.
fn in_javascript(browser: &Browser, folder: &Path, log: &str, own: &BTreeMap<String, Read>) {
    let _stub = histograms::with_reader(browser);
    let percentiles: Vec<f64> = P::SHOWN.iter().map(|p| p.probability() * 100.0).collect();
    let args = vec![json!(log), json!(percentiles), json!(SERIES)];
    let answer = browser.execute(include_str!("../../src/scripts/log.js"), args).expect("read");
    let read: BTreeMap<String, Read> = serde_json::from_value(answer["histograms"].clone()).expect("histograms");
    assert_eq!(&read, own);
    let written = std::fs::read_to_string(folder.join("run.hgrm")).expect("a distribution");
    // How many buckets a reader sets up is its own business, and the last line is ours.
    let shared =
        |text: &str| text.lines().take_while(|line| !line.starts_with("#[Buckets")).map(str::to_owned).collect::<Vec<_>>();
    let theirs = shared(answer["distribution"].as_str().expect("a text"));
    assert_eq!(shared(&written), theirs);
    assert!(theirs.len() > 8, "{theirs:?}");
}

/// How many charts the run has, of both ways of asking.
fn charts(run: &Run) -> usize {
    let summary = Summary::of(run);
    let of_mode = |(at, mode): (usize, &Mode)| {
        let metric = metrics_of(&summary, *mode)[0];
        let draw = |chart: Chart| {
            let size = Size { width: 700.0, height: height_of(chart) };
            chart.draw(&Sheet { run, summary: &summary, mode: *mode, size, lang: Lang::En }, metric)
        };
        let mine = Chart::ALL.into_iter().filter(|chart| at == 0 || !chart.is_of_run());
        mine.filter_map(draw).filter(|figure| !figure.is_empty()).count()
    };
    let all: usize = run.config.modes().iter().enumerate().map(of_mode).sum();
    assert!(all >= 8, "{all}");
    all
}

/// The report shows itself without any network, in both themes and on paper, and nothing complains.
fn offline(browser: &Browser, folder: &Path, run: &Run) {
    let network = |offline: bool| {
        let conditions = json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        browser.cdp("Network.emulateNetworkConditions", conditions).expect("set");
    };
    let ask = |script: &str| browser.execute(&format!("return {script};"), vec![]).expect("asked");
    network(true);
    browser.console().expect("what came before");
    block_on(browser.client().goto(&format!("file://{}", folder.join("run.html").display()))).expect("opened");
    let count = |css: &str| ask(&format!("document.querySelectorAll('{css}').length")).as_u64().expect("a number") as usize;
    assert_eq!(count("figure > svg"), charts(run));
    assert_eq!(count("script, link, img, iframe, object"), 0);
    let text = ask("document.body.innerText");
    let headline = &headline(run, &Summary::of(run), Lang::En)[0];
    assert!(text.as_str().is_some_and(|text| text.contains(&headline.seen)), "{}", headline.seen);
    for (theme, paper) in [("light", "rgb(255, 255, 255)"), ("dark", "rgb(18, 21, 26)")] {
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        browser.cdp("Emulation.setEmulatedMedia", media).expect("set");
        assert_eq!(ask("getComputedStyle(document.documentElement).backgroundColor"), paper);
        // A chart has the colours of the theme.
        assert_eq!(ask("getComputedStyle(document.querySelector('figure > svg text')).fill !== 'rgb(0, 0, 0)'"), true);
        assert_eq!(violations(browser), Vec::<String>::new(), "{theme}");
    }
    browser.cdp("Emulation.setEmulatedMedia", json!({"features": []})).expect("set");
    let pdf = browser.cdp("Page.printToPDF", json!({"preferCSSPageSize": true})).expect("printed");
    let bytes = {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.decode(pdf["data"].as_str().expect("a file")).expect("base64")
    };
    let pdf = String::from_utf8_lossy(&bytes);
    let (_, size) = pdf.split_once("/MediaBox [0 0 ").expect("a page");
    let mut size = size.split([' ', ']']).map(|number| number.parse::<f64>().expect("a number"));
    let (width, height) = (size.next().expect("a width"), size.next().expect("a height"));
    // A4 in points.
    assert!((width - 595.3).abs() < 1.0 && (height - 841.9).abs() < 1.0, "{width} × {height}");
    let said = browser.console().expect("a console");
    assert!(said.is_empty(), "{said:?}");
    // Were something loaded, the policy would have refused it, and the console would have said so.
    browser
        .execute("document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png' }));", vec![])
        .expect("added");
    let refused = browser.console().expect("a console");
    assert!(refused.iter().any(|line| line.contains("Content Security Policy")), "{refused:?}");
    network(false);
}
