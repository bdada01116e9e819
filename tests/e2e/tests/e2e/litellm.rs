//! A real gateway on another origin: LiteLLM in front of llama.cpp, asked directly and through the forwarder.

use firstlight_core::mark::{Absence, Mark};
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::server_report::{Access, Boundary, Source, Span};
use firstlight_core::summary::clock_error;
use firstlight_core::text::{Lang, outcome_advice};
use firstlight_core::trace::{Mode, Trace};
use firstlight_e2e::litellm::Litellm;
use firstlight_e2e::llama::{Llama, Options};
use firstlight_e2e::page::Setup;
use firstlight_e2e::{Browser, Page, Served, raw_http};

use crate::checks::{LIMIT, all_complete, at, check, measure, only, open, own};

/// The header in which LiteLLM says how long it had the request when it sent the headers.
const DURATION: &str = "x-litellm-response-duration-ms";
const CHAT: &str = "/v1/chat/completions";
const TOKENS: u64 = 40;

fn gateway() -> &'static Litellm {
    Litellm::shared().expect("LiteLLM starts")
}

/// A run with the gateway's key.
fn keyed(url: &str, requests: u32) -> Setup {
    own(url, requests).with("model", Litellm::MODEL).with("api-key", Litellm::KEY).with("max-tokens", TOKENS)
}

/// Whole answers and their token counts, read in this format.
fn answered(run: &Run, dialect: &str) {
    all_complete(run);
    for trace in &run.traces {
        assert_eq!(trace.dialect, Some((dialect, "event")), "{trace:?}");
        assert_eq!(trace.usage.expect("usage").output, Some(TOKENS), "{trace:?}");
        assert!(trace.usage.expect("usage").input > Some(10), "{trace:?}");
        assert_eq!(trace.diagnostics, [], "{trace:?}");
    }
}

/// Every token came as a word of its own, and the marks stand in order.
fn streamed(trace: &Trace) {
    assert!(trace.streamed(), "{trace:?}");
    assert_eq!(trace.reads.iter().map(|read| u64::from(read.output_events)).sum::<u64>(), TOKENS, "{trace:?}");
    let marks = [Mark::Sent, Mark::HeadersSeen, Mark::FirstEvent, Mark::FirstAnswer, Mark::LastAnswer, Mark::Terminal];
    assert!(marks.map(|mark| at(trace, mark)).is_sorted(), "{trace:?}");
}

fn text(page: &Page<'_>, id: &str) -> String {
    page.text(id).expect("a text")
}

fn duration(trace: &Trace) -> &Span {
    let found = trace.spans.iter().find(|span| span.name == DURATION);
    found.unwrap_or_else(|| panic!("no {DURATION}: {trace:?}"))
}

/// Directly: LiteLLM lets every page ask, but shows it none of its timing headers.
pub(crate) fn its_headers_are_hidden_from_other_origins(browser: &Browser) {
    let (_served, page) = open(browser);
    // Whoever looks for a header says so; then it is part of the line that the page asks for.
    let setup = keyed(&format!("{}{CHAT}", gateway().origin()), 3).with("spans", format!("{DURATION} = gateway ms total"));
    let run = measure(&page, &setup);
    answered(&run, "openai_chat");
    for trace in &run.traces {
        streamed(trace);
        assert_eq!(trace.spans, [], "nothing of it can be read");
        assert_eq!(trace.server_timing_access, Access::HiddenOrNotSent);
        assert_eq!(trace.marks.get(Mark::FirstByte), Err(Absence::NoTimingAllowOrigin));
    }
    let advice = text(&page, "server-timing");
    assert!(advice.contains(&format!("Access-Control-Expose-Headers: Server-Timing, {DURATION}")), "{advice}");
    assert!(!page.saved_text().expect("a text").contains(Litellm::KEY), "the key is saved");
}

/// Through the forwarder, which exposes every header: on a stream they speak of the time to the headers only.
pub(crate) fn the_forwarder_shows_its_headers(browser: &Browser) {
    let served = Served::start_forwarding(&[format!("gateway={}", gateway().origin())]).expect("the server starts");
    let page = served.open(browser).expect("the page opens");
    let run = measure(&page, &keyed(&served.forwarded("gateway", CHAT), 2).with("mode", "both"));
    answered(&run, "openai_chat");
    assert_eq!(run.traces.len(), 4, "two of each mode");
    for trace in &run.traces {
        let span = duration(trace);
        assert_eq!(span.source, Source::Header);
        let to_headers = at(trace, Mark::HeadersSeen) - at(trace, Mark::Sent);
        assert!(span.value.0 > 0 && span.value <= to_headers + clock_error(&run), "it fits into the wait: {trace:?}");
        if trace.planned.mode == Mode::Streaming {
            streamed(trace);
            assert_eq!(span.boundary, Boundary::ToHeaders);
        } else {
            assert_eq!(span.boundary, Boundary::Total);
        }
        assert!(trace.spans.iter().any(|span| span.boundary == Boundary::Forwarder), "{trace:?}");
        assert_eq!(trace.server_timing_access, Access::Read);
        assert!(trace.marks.get(Mark::FirstByte).is_ok(), "{trace:?}");
    }
    page.click("open-0").expect("a request opens");
    page.wait_until("return !!document.querySelector('#waterfall table.spans');").expect("its details");
    assert!(text(&page, "waterfall").contains(DURATION));
}

/// As Anthropic's clients ask, key header included; the answer is the same model's.
pub(crate) fn messages_as_anthropic_streams_them(browser: &Browser) {
    let (_served, page) = open(browser);
    let body = r#"{"model":"{model}","max_tokens":40,"messages":[{"role":"user","content":"{prompt}"}],"stream":"{stream}"}"#;
    let setup = keyed(&format!("{}/v1/messages", gateway().origin()), 2).with("key-header", "x-api-key");
    let run = measure(&page, &setup.with("body-kind", "custom").with("body", body));
    answered(&run, "anthropic_messages");
    run.traces.iter().for_each(streamed);
}

/// An error that it answers itself is for every page to read. One that it runs into comes without a header for browsers, so that
/// no page sees its status: the checklist has to name this.
pub(crate) fn errors_that_can_be_read_and_errors_that_cannot(browser: &Browser) {
    let (served, page) = open(browser);
    let url = format!("{}{CHAT}", gateway().origin());
    let run = measure(&page, &keyed(&url, 1).with("api-key", "sk-wrong"));
    let trace = only(&run);
    // It has no database to look the key up in.
    assert_eq!(trace.outcome, Outcome::HttpError { status: 400 });
    let said = trace.diagnostics.iter().find(|note| note.code == "server_said").map(|note| note.detail.as_str());
    assert_eq!(said, Some("No connected db."), "{trace:?}");

    let bare = raw_http::post(&url, r#"{"model":"random","messages":[{"role":"user","content":"Why?"}]}"#).expect("a reply");
    assert_eq!(bare.status, 500, "{bare:?}");
    assert!(!bare.head.to_ascii_lowercase().contains("access-control-allow-origin"), "{bare:?}");
    let page = served.open(page.browser()).expect("the page opens");
    let run = measure(&page, &keyed(&url, 1).with("api-key", ""));
    let trace = only(&run);
    assert_eq!(trace.outcome, Outcome::NetworkError);
    assert!(trace.response.is_none(), "{trace:?}");
    let advice = outcome_advice(Lang::En, &trace.outcome).expect("advice");
    let shown = page.string("return document.body.innerText;", vec![]).expect("a text");
    assert!(advice.contains("leave it out of their error replies") && shown.contains(advice), "{shown}");
}

/// The server behind it dies in the middle of an answer: the gateway says so inside the stream that began well.
pub(crate) fn the_upstreams_death(browser: &Browser) {
    let mut llama = Llama::start(Options::SLOW).expect("llama.cpp");
    let (_served, page) = open(browser);
    let setup = keyed(&format!("{}{CHAT}", gateway().origin()), 1).with("model", Litellm::ELSEWHERE).with("max-tokens", 900);
    page.fill_in(&setup.with("body", format!(r#"{{"api_base":"{}"}}"#, llama.url("/v1")))).expect("filled in");
    page.click("run").expect("started");
    llama.wait_for_tokens(20).expect("twenty tokens");
    llama.kill().expect("killed");
    page.wait_done(LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    let trace = only(&run);
    check(trace);
    assert_eq!(trace.outcome, Outcome::StreamError, "{trace:?}");
    assert!(at(trace, Mark::Sent) < at(trace, Mark::FirstAnswer));
    assert!(at(trace, Mark::FirstAnswer) <= at(trace, Mark::LastAnswer));
    assert!(trace.reads.iter().map(|read| read.output_events).sum::<u32>() >= 10, "{trace:?}");
    let said = trace.diagnostics.iter().find(|note| note.code == "server_said").map(|note| note.detail.as_str());
    assert!(said.is_some_and(|said| said.contains("Connection error")), "{:?}", trace.diagnostics);
    let shown = page.string("return document.body.innerText;", vec![]).expect("a text");
    assert!(shown.contains(said.unwrap_or_default()), "the page repeats the words: {shown}");
}
