//! Every route of llama.cpp that generates, on another origin, streaming and not: each has a format of its own.

use firstlight_core::decode::dialect;
use firstlight_core::mark::{Absence, Mark};
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::server_report::{Boundary, Source};
use firstlight_core::summary::clock_error;
use firstlight_core::text::{Lang, Res, outcome_advice};
use firstlight_core::trace::{Mode, Shape, Trace};
use firstlight_e2e::llama::{Llama, Options};
use firstlight_e2e::page::Setup;
use firstlight_e2e::{Browser, Served};

use crate::checks::{all_complete, at, measure, only, open, own};

/// Tokens of each answer; the model never ends one by itself.
const TOKENS: u64 = 24;

/// A route: its path, a body for it, its format, and whether a stream and a whole answer carry llama.cpp's timings.
struct Route {
    path: &'static str,
    body: &'static str,
    dialect: &'static str,
    timed: (bool, bool),
}

const ROUTES: [Route; 5] = [
    Route {
        path: "/v1/chat/completions",
        body: r#"{"messages":[{"role":"user","content":"{prompt}"}],"max_tokens":24,"stream":"{stream}","stream_options":{"include_usage":true}}"#,
        dialect: "openai_chat",
        timed: (true, true),
    },
    Route {
        path: "/v1/completions",
        body: r#"{"prompt":"{prompt}","max_tokens":24,"stream":"{stream}"}"#,
        dialect: "openai_completions",
        timed: (true, true),
    },
    Route {
        path: "/completion",
        body: r#"{"prompt":"{prompt}","n_predict":24,"stream":"{stream}"}"#,
        dialect: "llama_cpp",
        timed: (true, true),
    },
    Route {
        path: "/v1/responses",
        body: r#"{"input":"{prompt}","max_output_tokens":24,"stream":"{stream}"}"#,
        dialect: "openai_responses",
        timed: (true, false),
    },
    Route {
        path: "/v1/messages",
        body: r#"{"model":"random","messages":[{"role":"user","content":"{prompt}"}],"max_tokens":24,"stream":"{stream}"}"#,
        dialect: "anthropic_messages",
        timed: (false, false),
    },
];

fn check_reply(trace: &Trace, route: &Route, run: &Run) {
    let streamed = trace.planned.mode == Mode::Streaming;
    let context = format!("{} {:?}: {trace:?}", route.path, trace.planned.mode);
    assert_eq!(trace.outcome, Outcome::Complete, "{context}");
    assert_eq!(trace.dialect, Some((route.dialect, "event")), "{context}");
    assert_eq!(trace.diagnostics, [], "{context}");
    let usage = trace.usage.expect("usage");
    assert_eq!(usage.output, Some(TOKENS), "{context}");
    assert!(usage.input > Some(10), "{context}");
    assert!(trace.amounts.answer_chars >= 2 * TOKENS, "every token is a word: {context}");
    if trace.planned.painted {
        let seen = if streamed { trace.first_visible } else { trace.complete_visible };
        assert!(seen.is_ok(), "{context}");
    }
    let timed = if streamed { route.timed.0 } else { route.timed.1 };
    let spans: Vec<_> = trace.spans.iter().map(|span| (span.boundary, span.source, span.name.as_str())).collect();
    let timings = [
        (Boundary::Prefill, Source::BodyField, "timings.prompt_ms"),
        (Boundary::Decode, Source::BodyField, "timings.predicted_ms"),
    ];
    assert_eq!(spans, if timed { &timings[..] } else { &[] }, "{context}");
    let reported: i64 = trace.spans.iter().map(|span| span.value.0).sum();
    let waited = at(trace, Mark::LastOutput) - at(trace, Mark::Sent);
    assert!(reported <= (waited + clock_error(run)).0, "the report fits into the wait: {context}");
    let order = [Mark::Sent, Mark::HeadersSeen, Mark::FirstEvent, Mark::FirstOutput, Mark::FirstAnswer, Mark::LastAnswer];
    if streamed {
        assert_eq!(trace.shape, Some(Shape::Stream), "{context}");
        assert_eq!(trace.reads.iter().map(|read| u64::from(read.output_events)).sum::<u64>(), TOKENS, "{context}");
        let order = order.map(|mark| at(trace, mark));
        assert!(order.is_sorted() && order.last() <= Some(&at(trace, Mark::Terminal)), "{context}");
    } else {
        assert_eq!(trace.shape, Some(Shape::Whole), "{context}");
        assert_eq!(trace.marks.get(Mark::FirstAnswer), Err(Absence::NonStreaming), "{context}");
        assert!(at(trace, Mark::HeadersSeen) <= at(trace, Mark::LastAnswer), "{context}");
    }
}

fn measure_routes(browser: &Browser, routes: &[Route]) {
    let llama = Llama::start(Options::FAST).expect("llama.cpp");
    let served = Served::start().expect("the server starts");
    for route in routes {
        let page = served.open(browser).expect("the page opens");
        let setup = own(&llama.url(route.path), 2).with("mode", "both").with("body-kind", "custom").with("body", route.body);
        let run = measure(&page, &setup);
        assert_eq!(run.traces.len(), 4, "two of each mode");
        run.traces.iter().for_each(|trace| check_reply(trace, route, &run));
    }
}

pub(crate) fn every_route_has_its_format(browser: &Browser) {
    measure_routes(browser, &ROUTES);
}

/// With a hand on the page: the recipe sets everything but the address of the server.
pub(crate) fn a_recipe_by_hand(browser: &Browser) {
    let llama = Llama::start(Options::FAST).expect("llama.cpp");
    let (_served, page) = open(browser);
    page.set("target-kind", "own").expect("chosen");
    page.set("recipe", "llama-cpp-native").expect("chosen");
    assert_eq!(page.value("url").expect("a URL"), "http://127.0.0.1:8080/completion");
    let run = measure(&page, &Setup::new().with("url", llama.url("/completion")).with("requests", 2).with("warmup", 0));
    all_complete(&run);
    for trace in &run.traces {
        assert_eq!(trace.dialect, Some(("llama_cpp", "event")));
        assert_eq!(trace.usage.expect("usage").output, Some(128), "as the recipe's body asks");
    }
    page.click("open-0").expect("a request opens");
    page.wait_until("return !!document.querySelector('#waterfall dl.facts');").expect("its details");
    let facts = page.string("return document.querySelector('#waterfall dl.facts').innerText;", vec![]).expect("facts");
    let named = format!("{} ({})", dialect("llama_cpp").expect("a format").name, Res::WhyEvent.get(Lang::En));
    assert!(facts.contains(Res::FactReader.get(Lang::En)) && facts.contains(&named), "{facts}");
}

/// llama.cpp allows every header by `*`. By the letter of the Fetch standard that does not cover `Authorization`; each of the
/// three engines lets it pass all the same.
pub(crate) fn a_key_passes_where_every_header_is_allowed(browser: &Browser) {
    const KEY: &str = "sk-e2e-llama-0815";
    let llama = Llama::start_with_key(Options::FAST, KEY).expect("llama.cpp");
    let served = Served::start().expect("the server starts");
    let ask = |header: &str, key: &str| {
        let page = served.open(browser).expect("the page opens");
        let setup = own(&llama.chat_url(), 1).with("max-tokens", TOKENS).with("api-key", key).with("key-header", header);
        let run = measure(&page, &setup);
        assert!(!page.saved_text().expect("a text").contains(KEY), "the key is saved");
        (page, run)
    };
    for header in ["", "X-Api-Key"] {
        let (_page, run) = ask(header, KEY);
        assert_eq!(only(&run).outcome, Outcome::Complete, "{header}: {run:?}");
    }
    let (page, run) = ask("", "sk-wrong");
    let trace = only(&run);
    assert_eq!(trace.outcome, Outcome::HttpError { status: 401 });
    assert!(trace.diagnostics.iter().any(|note| note.detail.contains("Invalid API Key")), "{:?}", trace.diagnostics);
    let shown = page.string("return document.body.innerText;", vec![]).expect("a text");
    let advice = outcome_advice(Lang::En, &trace.outcome).expect("advice");
    assert!(shown.contains(advice) && shown.contains("Invalid API Key"), "the page does not say “{advice}”: {shown}");
}
