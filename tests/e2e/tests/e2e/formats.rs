//! Formats: recorded replies of real servers through the whole page, and what a person can fix by hand.

use std::path::{Path, PathBuf};

use firstlight_core::config::recipe;
use firstlight_core::outcome::Outcome;
use firstlight_core::server_report::Source;
use firstlight_e2e::Browser;
use firstlight_e2e::page::Setup;
use firstlight_e2e::stub::Stub;
use serde_json::{Value, json};

use crate::checks::{LIMIT, measure, only, open, own};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// A recording of the corpus, with what it must be read as.
struct Recording {
    name: String,
    raw: Vec<u8>,
    expected: Value,
}

impl Recording {
    fn read(name: &str) -> Recording {
        let file = |end: &str| corpus().join(format!("{name}.{end}"));
        let raw = std::fs::read(file("raw")).expect("a recording");
        let expected = std::fs::read_to_string(file("expected.json")).expect("a record");
        Recording { name: name.to_owned(), raw, expected: serde_json::from_str(&expected).expect("a record") }
    }

    /// Every recorded reply that is no preflight.
    fn all() -> Vec<Recording> {
        let names = std::fs::read_dir(corpus()).expect("the corpus").filter_map(|entry| {
            let name = entry.expect("an entry").file_name().into_string().ok()?;
            Some(name.strip_suffix(".raw")?.to_owned()).filter(|name| !name.ends_with("-preflight"))
        });
        let mut all: Vec<Recording> = names.map(|name| Recording::read(&name)).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        assert!(all.len() >= 23);
        all
    }

    /// Cut, as the recording was: engines differ in what they make of it.
    fn is_cut(&self) -> bool {
        self.expected["outcome"] == "network_error"
    }
}

/// Measures recordings one after the other and compares with their records.
fn understood(browser: &Browser, recordings: &[Recording]) {
    let (_served, page) = open(browser);
    for (n, recording) in recordings.iter().enumerate() {
        let (name, expected) = (&recording.name, &recording.expected);
        let stub = Stub::recording(&recording.raw).expect("a stub");
        if n > 0 {
            page.click("change").expect("back to the settings");
        }
        let whole = name.ends_with("nostream");
        let setup = own(stub.url(), 1).with("mode", if whole { "non-streaming" } else { "streaming" });
        let run = measure(&page, &setup);
        let trace = only(&run);
        if recording.is_cut() {
            let cut = [Outcome::NetworkError, Outcome::Truncated].contains(&trace.outcome);
            assert!(cut, "{name}: {:?}", trace.outcome);
            // What a page had not read before the cut, browsers drop.
            continue;
        }
        assert_eq!(trace.outcome.code(), expected["outcome"], "{name}");
        let dialect = json!([trace.dialect.map(|d| d.0), trace.dialect.map(|d| d.1)]);
        assert_eq!(dialect, json!([expected["dialect"], expected["why"]]), "{name}");
        let usage = trace.usage.unwrap_or_default();
        let counted = json!([usage.input, usage.output, usage.reasoning, usage.cached]);
        let of = |key: &str| expected["usage"][key].clone();
        let wanted = ["input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"].map(of);
        assert_eq!(counted, json!(wanted), "{name}");
        let letters = |channel: &str| expected["text"][channel].as_str().unwrap_or_default().chars().count() as u64;
        let amounts = [trace.amounts.answer_chars, trace.amounts.reasoning_chars, trace.amounts.tool_chars];
        assert_eq!(amounts, ["answer", "reasoning", "tool"].map(letters), "{name}");
        // Headers are hidden from a page of another origin; what the body says is not.
        let spans = trace.spans.iter().filter(|s| s.source == Source::BodyField);
        let spans: Vec<Value> = spans.map(|s| json!([s.name, s.raw, s.unit.code(), s.boundary.code()])).collect();
        let listed = expected["spans"].as_array().into_iter().flatten().filter(|s| s["source"] == "body_field");
        let listed: Vec<Value> = listed.map(|s| json!([s["name"], s["raw"], s["unit"], s["boundary"]])).collect();
        assert_eq!(spans, listed, "{name}");
    }
}

pub(crate) fn recordings_of_every_server(browser: &Browser) {
    understood(browser, &Recording::all());
}

pub(crate) fn recordings_of_some_servers(browser: &Browser) {
    let some = [
        "aimock-bedrock-plain",
        "aimock-ollama-chat-plain",
        "aimock-responses-plain",
        "litellm-up-messages",
        "llamacpp-native",
    ];
    understood(browser, &some.map(Recording::read));
}

/// A format of one's own: a pointer to the text, a field and a hidden header as spans.
pub(crate) fn what_is_fixed_by_hand(browser: &Browser) {
    let body = "data: {\"t\":\"<think>hm</think>Hi there.\",\"stats\":{\"wait\":0.25}}\n\ndata: [DONE]\n\n";
    let raw = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Queue-Ms: 9\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let stub = Stub::recording(raw.as_bytes()).expect("a stub");
    let (_served, page) = open(browser);
    let setup = own(stub.url(), 1)
        .with("format", "sse")
        .with("text-pointer", "/t")
        .with("spans", "x-queue-ms = queue ms queue\n/stats/wait = wait s prefill");
    page.fill_in(&setup).expect("filled in");
    page.click("split-think").expect("a box to tick");
    page.click("run").expect("a button");
    page.wait_done(LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    let trace = only(&run);
    assert_eq!((&trace.outcome, trace.dialect), (&Outcome::Complete, Some(("sse", "chosen"))));
    assert_eq!((trace.amounts.answer_chars, trace.amounts.reasoning_chars), (9, 2));
    let spans: Vec<_> = trace.spans.iter().map(|s| (s.name.as_str(), s.value.0, s.unit.code())).collect();
    assert_eq!(spans, [("wait", 250_000, "s")]);
    // The header could not be read: the page says which line the server must add.
    let said = page.text("server-timing").expect("a text");
    assert!(said.contains("Access-Control-Expose-Headers: Server-Timing, x-queue-ms"), "{said}");
    page.click("open-0").expect("its timeline");
    page.wait_until("return document.querySelector('#waterfall .facts')?.innerText.includes('(chosen)');").expect("the format");
    // What was fixed is part of the saved run, and comes back with it.
    assert_eq!(run.config.reading.format, "sse");
}

pub(crate) fn a_recipe_fills_in_everything_but_the_key(browser: &Browser) {
    let (_served, page) = open(browser);
    page.fill_in(&Setup::new().with("target-kind", "own").with("api-key", "sk-mine").with("recipe", "anthropic"))
        .expect("filled in");
    let anthropic = recipe("anthropic").expect("a recipe");
    let value = |id: &str| page.value(id).expect("a value");
    assert_eq!((value("url").as_str(), value("key-header").as_str()), (anthropic.url, anthropic.key_header));
    assert_eq!((value("headers").as_str(), value("body").as_str()), (anthropic.headers, anthropic.body));
    assert_eq!((value("body-kind").as_str(), value("api-key").as_str()), ("custom", "sk-mine"));
    assert!(page.text("recipe-note").expect("a note").contains("directly"), "whether pages may call it is said");
    page.set("recipe", "bedrock").expect("another");
    let note = page.text("recipe-note").expect("a note");
    assert!(note.contains("--forward bedrock=https://bedrock-runtime."), "{note}");
    assert_eq!((value("key-header").as_str(), value("headers").as_str()), ("", ""));
    page.set("recipe", "openai").expect("another");
    assert_eq!((value("body-kind").as_str(), value("body").as_str(), value("api-key").as_str()), ("chat", "", "sk-mine"));
}
