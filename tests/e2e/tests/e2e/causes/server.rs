//! The server: its queue, its units, its cache, and what its numbers hide.

use firstlight_core::diagnosis::{Rule, Verdict};
use firstlight_e2e::Browser;
use firstlight_e2e::llama::{Llama, Options};
use firstlight_e2e::nginx::{Nginx, Site};

use super::shown;
use crate::checks::{open, own};

/// What llama.cpp reports begins when a request has its slot: the queue before it is not in it. The built-in endpoint reports
/// likewise here; the real one is in `crate::llama`.
pub(crate) fn queue_outside_report(browser: &Browser) {
    let (served, page) = open(browser);
    let of = |slots: u32| served.endpoint(&format!("slots={slots}&timings=llamacpp&expose=off&ttft_ms=60&gap_ms=5&tokens=20"));
    let poisson = |url: &str| own(url, 24).with("load-shape", "poisson").with("load-line", "poisson 6/s");
    shown(&page, &poisson(&of(1))).found(Rule::ServerQueue);
    let free = shown(&page, &poisson(&of(64)));
    assert_ne!(free.finding(Rule::ServerQueue).verdict, Verdict::Found);
}

/// Seconds where the header's unit is the millisecond: a total of 65 ms is sent as 0.065.
pub(crate) fn server_unit(browser: &Browser) {
    let (served, page) = open(browser);
    let whole = |query: &str| own(&served.endpoint(&format!("preset=fast{query}")), 8).with("mode", "non-streaming");
    let found = shown(&page, &whole("&server_timing=total%3Bdur%3D0.065")).found(Rule::Unit);
    assert!(found.requests.len() == 8 && found.evidence.contains("total"), "{found:?}");
    shown(&page, &whole("")).not_found(Rule::Unit);
}

/// Six at once at three slots: more throughput than two at once, and the first output waits for a slot. With a slot for each it
/// does not. The first three of a level find one free: of many requests they are too few to be taken for the typical ones.
pub(crate) fn batching(browser: &Browser) {
    let (served, page) = open(browser);
    let sweep = |slots: u32| {
        let url = served.endpoint(&format!("ttft_ms=500&gap_ms=1&tokens=5&slots={slots}&pool=batching-{slots}"));
        own(&url, 24).with("load-shape", "sweep").with("load-line", "sweep 2 6 settle 100ms")
    };
    let found = shown(&page, &sweep(3)).found(Rule::Batching);
    assert_eq!(found.requests.len(), 24, "{found:?}");
    let free = shown(&page, &sweep(64));
    assert_ne!(free.finding(Rule::Batching).verdict, Verdict::Found);
}

/// The same answer, whole and streamed, ends at the same time. Over a slow link it does not: a stream's frames are ten times its
/// words.
pub(crate) fn completion_unchanged(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=400&gap_ms=10&tokens=60");
    let slow = Nginx::before(&url, &[Site::http("proxy_ignore_headers X-Accel-Buffering; limit_rate 4k;")]).expect("nginx");
    let both = |url: &str, concurrency: u32| own(url, 12).with("mode", "both").with("concurrency", concurrency);
    let found = shown(&page, &both(&url, 3)).found(Rule::Completion);
    assert_eq!(found.requests.len(), 24, "{found:?}");
    shown(&page, &both(&slow.through(0, &url).expect("an address"), 6)).not_found(Rule::Completion);
}

/// A second in which nothing moves meets one in four of these requests; the median knows nothing of it.
pub(crate) fn hidden_tail(browser: &Browser) {
    let (served, page) = open(browser);
    let rate = |query: &str| {
        let url = served.endpoint(&format!("ttft_ms=80&gap_ms=5&tokens=3{query}"));
        own(&url, 100).with("load-shape", "rate").with("load-line", "rate 30/s")
    };
    let found = shown(&page, &rate("&freeze_at_ms=1000&freeze_ms=800&pool=tail")).found(Rule::Tail);
    assert!((1..50).contains(&found.requests.len()), "{found:?}");
    let steady = shown(&page, &rate(""));
    assert_ne!(steady.finding(Rule::Tail).verdict, Verdict::Found);
}

/// llama.cpp with its cache of prompts: the second request of the same prompt has nothing to read. Where each prompt begins
/// otherwise, all of it is read again.
pub(crate) fn cache_made_it_fast(browser: &Browser) {
    // Of several slots the one that was idle longest takes a new prompt: with four, no two of those drive out what is reused.
    let llama = Llama::start_with_cache(Options { slots: 4, ..Options::SLOW }).expect("llama.cpp");
    let (_served, page) = open(browser);
    let asked = |cache: &str| {
        let setup = own(&llama.chat_url(), 8).with("max-tokens", 4).with("prompt", "why ".repeat(60));
        setup.with("cache", cache)
    };
    let found = shown(&page, &asked("reuse").with("warmup", 1)).found(Rule::Cache);
    assert_eq!(found.requests.len(), 8, "{found:?}");
    shown(&page, &asked("bust").with("warmup", 0)).not_found(Rule::Cache);
    // Both by turns in one run: what it brought, in milliseconds.
    let both = asked("bust").with("requests", 28).with("versus", "cache");
    let found = shown(&page, &both).found(Rule::Cache);
    assert!(found.evidence.contains("ms"), "{found:?}");
}
