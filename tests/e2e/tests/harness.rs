//! The harness itself: what the other tests stand on.

use std::time::{Duration, Instant};

use firstlight_core::report::ClockProbe;
use firstlight_e2e::clock::Join;
use firstlight_e2e::llama::{Llama, Options};
use firstlight_e2e::page::Setup;
use firstlight_e2e::shared::Turn;
use firstlight_e2e::stub::{Stub, refused};
use firstlight_e2e::{Engine, Page, raw_http};

const SECONDS: fn(u64) -> Duration = Duration::from_secs;

/// A page with the same kinds of parts as the real one, made without its code.
const PAGE: &str = r#"<!doctype html><meta charset="utf-8"><title>Stand-in</title>
<body data-state="setup">
<select id="mode"><option value="streaming">s</option><option value="both">b</option></select>
<input id="requests" type="number" value="30"><textarea id="body">{"a": 1}</textarea>
<details id="more"><summary>More</summary><input id="timeout-s" type="number" value="60"></details>
<button id="run">Run</button> <input id="open" type="file"> <a id="save" download="run.json"></a>
<table id="metrics"><tr data-metric="ttft" data-mode="streaming"><td data-stat="n">3</td><td data-stat="p50"> 12.5 <small>12–13</small></td></tr></table>
<script>
const field = (id) => document.getElementById(id);
let typed = 0;
field("requests").addEventListener("input", () => typed++);
field("run").addEventListener("click", () => {
  document.body.dataset.state = "running";
  setTimeout(() => {
    const text = JSON.stringify({ requests: field("requests").value, mode: field("mode").value, body: field("body").value,
      timeout: field("timeout-s").value, typed: typed > 0 });
    field("save").href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    document.body.dataset.state = "done";
  }, 300);
});
field("more").addEventListener("toggle", () => { if (location.hash) setTimeout(() => { document.title = "after"; }); });
field("more").addEventListener("toggle", () => { if (location.hash) throw new Error("kept"); });
field("open").addEventListener("change", async () => { document.title = await field("open").files[0].text(); });
</script>"#;

fn fields_buttons_waiting_and_saving(browser: Turn) {
    let stub = Stub::page(PAGE).expect("a stub");
    let page = Page::open(&browser, stub.url()).expect("open");
    let setup = Setup::new().with("mode", "both").with("requests", 7).with("body", "{\"b\":\n [2]}").with("timeout-s", 5);
    let begun = Instant::now();
    page.measure(&setup, SECONDS(10)).expect("measured");
    assert!(begun.elapsed() >= Duration::from_millis(300));
    let saved: serde_json::Value = serde_json::from_str(&page.saved_text().expect("saved")).expect("JSON");
    assert_eq!(saved["requests"], "7");
    assert_eq!(saved["mode"], "both");
    assert_eq!(saved["body"], "{\"b\":\n [2]}");
    assert_eq!(saved["timeout"], "5");
    assert_eq!(saved["typed"], true);
    let table = page.table().expect("a table");
    assert_eq!((table[0].metric.as_str(), table[0].mode.as_str()), ("ttft", "streaming"));
    assert_eq!(table[0].figure("p50"), Some("12.5"));
    assert_eq!(table[0].cells["p50"].1.as_deref(), Some("12–13"));
    assert_eq!(page.errors().expect("errors"), [""; 0]);
}

fn a_file_can_be_chosen_and_a_text_waited_for(browser: Turn) {
    let stub = Stub::page(PAGE).expect("a stub");
    let page = Page::open(&browser, stub.url()).expect("open");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.json");
    std::fs::write(&path, "chosen").expect("written");
    page.choose_file(&path).expect("chosen");
    let title = page.wait_until("return document.title !== 'Stand-in' && document.title;").expect("a title");
    assert_eq!(title, "chosen");
}

fn errors_of_the_page_are_kept(browser: Turn) {
    let stub = Stub::page(PAGE).expect("a stub");
    let page = Page::open(&browser, &format!("{}#broken", stub.url())).expect("open");
    page.toggle_more().expect("a click");
    page.wait_until("return document.title === 'after';").expect("the rest of the page goes on");
    let errors = page.errors().expect("errors");
    assert!(errors.len() == 1 && errors[0].contains("kept"), "{errors:?}");
    let error = page.wait_for_state("done", Duration::from_millis(50)).expect_err("no run").to_string();
    assert!(error.contains("setup") && error.contains("kept"), "{error}");
}

fn a_screenshot_is_a_png_of_the_window(browser: Turn) {
    let stub = Stub::page(PAGE).expect("a stub");
    let _page = Page::open(&browser, stub.url()).expect("open");
    let png = browser.screenshot().expect("a screenshot");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let width = u32::from_be_bytes(png[16..20].try_into().expect("four bytes"));
    let viewport = browser.execute("return innerWidth;", vec![]).expect("a width");
    assert_eq!((serde_json::json!(width), width), (viewport, 1280));
}

fn keys_go_where_the_focus_is(browser: Turn) {
    let stub = Stub::page(PAGE).expect("a stub");
    let page = Page::open(&browser, stub.url()).expect("open");
    page.browser().execute("document.getElementById('mode').focus();", vec![]).expect("focus");
    page.press("\u{E004}").expect("tab");
    let focus = "return document.activeElement.id;";
    assert_eq!(page.string(focus, vec![]).expect("focus"), "requests");
    page.press("\u{E004}\u{E004}\u{E004}").expect("tabs");
    assert_eq!(page.string(focus, vec![]).expect("focus"), "run");
    page.press(" ").expect("space");
    page.wait_done(SECONDS(10)).expect("done");
}

fn a_covered_page_is_hidden_until_it_is_shown_again(browser: Turn) {
    let stub = Stub::page(PAGE).expect("a stub");
    let page = Page::open(&browser, stub.url()).expect("open");
    let watch = page.tell_visibility().expect("a listener");
    let tab = browser.cover().expect("covered");
    watch.wait_for("hidden", SECONDS(10)).expect("it is hidden");
    browser.show(tab).expect("shown");
    watch.wait_for("visible", SECONDS(10)).expect("it is seen again");
}

macro_rules! each_engine {
    ($engine:ident, $module:ident, $($name:ident),* $(,)?) => {
        mod $module {
            use super::*;
            $(#[test]
            fn $name() {
                super::$name(Turn::alone(Engine::$engine));
            })*
        }
    };
}
macro_rules! all_engines {
    ($($name:ident),* $(,)?) => {
        each_engine!(Chromium, chromium, $($name),*);
        each_engine!(Firefox, firefox, $($name),*);
        each_engine!(WebKit, webkit, $($name),*);
    };
}
all_engines!(
    fields_buttons_waiting_and_saving,
    a_file_can_be_chosen_and_a_text_waited_for,
    errors_of_the_page_are_kept,
    a_screenshot_is_a_png_of_the_window,
    keys_go_where_the_focus_is,
    a_covered_page_is_hidden_until_it_is_shown_again,
);

#[test]
fn clocks_join_in_whole_microseconds() {
    let join = Join::from_probes(&[ClockProbe { asked: 10, server: 100, answered: 14 }]).expect("a probe");
    assert_eq!(join.on_page(100).0, 12);
    assert_eq!(join.error.0, 2);
}

#[test]
fn stubs_answer_as_told_and_a_refused_port_refuses() {
    let stub = Stub::start("SSH-2.0-nonsense\r\n").expect("a stub");
    let reply = raw_http::post(stub.url(), "{}").expect("a reply");
    assert_eq!((reply.status, reply.head.as_str(), stub.heads().len()), (0, "SSH-2.0-nonsense\r\n", 1));
    assert!(raw_http::post(&refused().expect("a port"), "{}").is_err());
}

mod llama {
    use super::*;

    const ASK: &str = r#"{"messages":[{"role":"user","content":"Why is the sky blue?"}],"stream":true,
        "stream_options":{"include_usage":true},"max_tokens":TOKENS}"#;

    fn ask(tokens: u32) -> String {
        ASK.replace("TOKENS", &tokens.to_string())
    }

    #[test]
    fn it_streams_words_usage_and_its_own_timings() {
        let llama = Llama::start(Options::FAST).expect("llama.cpp");
        let reply = raw_http::post(&llama.chat_url(), &ask(20)).expect("a reply");
        assert_eq!(reply.status, 200);
        assert!(reply.head.contains("Content-Type: text/event-stream"), "{}", reply.head);
        assert!(reply.head.contains("Access-Control-Allow-Origin: http://page.test"), "{}", reply.head);
        assert!(reply.body.contains("\"completion_tokens\":20"), "{}", reply.body);
        assert!(reply.body.contains("\"prompt_ms\":") && reply.body.contains("\"predicted_ms\":"), "{}", reply.body);
        assert!(reply.body.contains("data: [DONE]"), "{}", reply.body);
        assert_eq!(reply.body.matches("\"delta\":{\"content\":\" ").count(), 20, "every token is a word: {}", reply.body);
    }

    #[test]
    fn the_same_seed_says_the_same() {
        let words = || {
            let llama = Llama::start(Options::FAST).expect("llama.cpp");
            let reply = raw_http::post(&llama.chat_url(), &ask(12)).expect("a reply");
            let deltas = reply.body.split("\"content\":\"").skip(1).filter_map(|rest| rest.split('"').next());
            deltas.collect::<String>()
        };
        let first = words();
        assert!(!first.is_empty());
        assert_eq!(first, words());
    }

    #[test]
    fn a_prompt_over_the_context_is_refused() {
        let llama = Llama::start(Options { context: 256, ..Options::FAST }).expect("llama.cpp");
        let long = ask(5).replace("Why is", &"why ".repeat(600));
        let reply = raw_http::post(&llama.chat_url(), &long).expect("a reply");
        assert_eq!(reply.status, 400);
        assert!(reply.body.contains("exceed_context_size_error"), "{}", reply.body);
    }

    #[test]
    fn a_slow_one_is_killed_in_the_middle_of_an_answer() {
        let mut llama = Llama::start(Options::SLOW).expect("llama.cpp");
        let mut exchange = raw_http::send("POST", &llama.chat_url(), &ask(900)).expect("sent");
        exchange.read_until("\"content\":\" ").expect("a first word");
        llama.wait_for_tokens(5).expect("five tokens");
        llama.kill().expect("killed");
        let reply = exchange.finish();
        assert_eq!(reply.status, 200);
        assert!(!reply.body.contains("[DONE]") && !reply.body.contains("\"length\""), "{}", reply.body);
    }
}
