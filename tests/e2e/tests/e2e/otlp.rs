//! What a collector gets of a run that a real browser measured, read with OpenTelemetry's own protobuf definitions.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use firstlight_core::metrics::Metric;
use firstlight_core::report::Run;
use firstlight_core::summary::{Edge, Summary};
use firstlight_core::trace::Mode;
use firstlight_e2e::places;
use firstlight_e2e::shared::Alone;
use firstlight_e2e::stub::Stub;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::measure;

/// What the official definitions found.
#[derive(Deserialize)]
struct Found {
    /// How many values each metric holds, by mode and name.
    held: BTreeMap<String, u64>,
    own: usize,
    reported: usize,
}

fn read(sent: &Value) -> Found {
    let python = places::tools().join("otlp/bin/python");
    assert!(python.is_file(), "{} is missing: run `cargo xtask setup --browsers`", python.display());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("otlp/check.py");
    let mut command = Command::new(python);
    command.arg("-B").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("started");
    child.stdin.take().expect("stdin").write_all(sent.to_string().as_bytes()).expect("written");
    let output = child.wait_with_output().expect("ended");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("an answer")
}

#[test]
fn the_official_definitions_read_every_sample_and_every_request() {
    let collector = Stub::json("{}").expect("a collector");
    let base = collector.url().trim_end_matches("/v1/chat/completions");
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["--target", "builtin:fast", "--mode", "both", "--requests", "8", "--concurrency", "2", "--warmup", "1"];
    let more = ["--model", "m-1", "--prompt", "a secret question", "--seed", "5", "--slo", "error_rate<90%", "--otlp", base];
    let output = {
        let _alone = Alone::take();
        measure(folder.path(), &[&args[..], &more, &["--junit", "limits.xml", "--out", "run.json"]].concat())
    };
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let run = std::fs::read_to_string(folder.path().join("run.json")).expect("saved");
    let run = Run::from_json(&run).expect("a run");
    let origin = run.environment.time_origin_us.expect("the page tells its time origin");
    let apart = run.environment.wall_apart_us.expect("and how far the wall clock is from it");
    assert!(origin > 1_700_000_000_000_000 && (0..60_000_000).contains(&apart), "{origin} {apart}");
    let junit = std::fs::read_to_string(folder.path().join("limits.xml")).expect("written");
    for mode in ["streaming", "not streaming"] {
        assert!(junit.contains(&format!("<testcase name=\"error_rate&lt;90% ({mode})\"")), "{junit}");
    }

    let (heads, bodies) = (collector.heads(), collector.bodies());
    let paths: Vec<&str> = heads.iter().filter_map(|head| head.split(' ').nth(1)).collect();
    assert_eq!(paths, ["/v1/metrics", "/v1/traces"]);
    for body in &bodies {
        let body = body.to_string();
        assert!(!body.contains("question") && !body.contains("preset="), "{body}");
    }
    let found = read(&json!({"/v1/metrics": [bodies[0]], "/v1/traces": [bodies[1]]}));
    let spans: usize = run.traces.iter().map(|t| t.spans.len()).sum();
    assert_eq!((found.own, found.reported), (run.traces.len(), spans));
    assert!(spans > 0, "the built-in endpoint reports its times");
    let summary = Summary::of(&run);
    for mode in Mode::ALL {
        assert_eq!(found.held[&format!("{}/firstlight.requests", mode.code())], 8);
        assert_eq!(found.held[&format!("{}/gen_ai.client.operation.duration", mode.code())], 8);
        for (metric, name) in [
            (Metric::FirstVisible, "firstlight.time_to_first_visible"),
            (Metric::EndToEnd, "firstlight.end_to_end"),
            (Metric::InterChunk, "firstlight.inter_chunk_gap"),
            (Metric::FirstEvent, "gen_ai.client.operation.time_to_first_chunk"),
        ] {
            let held = found.held.get(&format!("{}/{name}", mode.code())).copied().unwrap_or(0);
            let n = summary.row(metric, mode, Edge::Value).map_or(0, |row| row.distribution.sorted().len());
            assert_eq!(held, n as u64, "{name}, {mode:?}");
        }
    }
}
