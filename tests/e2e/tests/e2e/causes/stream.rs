//! What collects a stream on its way: nginx, as it is without a word about buffering, and with gzip.

use firstlight_core::diagnosis::{Rule, Verdict};
use firstlight_e2e::nginx::{Nginx, Site};
use firstlight_e2e::{Browser, Engine};

use super::shown;
use crate::checks::{open, own};

/// The endpoint asks proxies not to buffer; most servers of models don't. The connection to it is HTTP/1.0 with this
/// version's defaults, and of such a reply nginx passes on whole buffers.
const AS_IT_IS: &str = "proxy_ignore_headers X-Accel-Buffering;";
const UNBUFFERED: &str = "proxy_buffering off;";
const GZIP: &str = "proxy_ignore_headers X-Accel-Buffering; gzip on; gzip_proxied any; gzip_types text/event-stream;";
/// Then nginx has its compressor give away what it has after each event.
const GZIP_FLUSHED: &str = "proxy_buffering off; gzip on; gzip_proxied any; gzip_types text/event-stream;";

/// WebKit does not count the bytes of another origin: there the header must be readable.
const READABLE: &str = "proxy_ignore_headers X-Accel-Buffering; gzip on; gzip_proxied any; gzip_types text/event-stream;\
    add_header Access-Control-Expose-Headers Content-Encoding;";

/// 120 outputs in 1.2 s, of some 180 bytes each: a buffer of nginx holds about twenty.
const STREAM: &str = "ttft_ms=60&gap_ms=10&tokens=120&timings=llamacpp";

pub(crate) fn buffered_upstream_and_coalesced_reads(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint(STREAM);
    let nginx = Nginx::before(&url, &[Site::http(AS_IT_IS), Site::http(UNBUFFERED)]).expect("nginx");
    let through = |site| own(&nginx.through(site, &url).expect("an address"), 8).with("concurrency", 4);
    let buffered = shown(&page, &through(0));
    let finding = buffered.found(Rule::Buffered);
    // A buffer fills in the 200 ms of its twenty outputs, which is most of the wait for the first of them.
    assert!(finding.requests.len() == 8 && finding.share.is_some_and(|share| share > 0.3), "{finding:?}");
    buffered.found(Rule::Coalesced);
    assert_ne!(buffered.finding(Rule::Compression).verdict, Verdict::Found);
    let unbuffered = shown(&page, &through(1));
    unbuffered.not_found(Rule::Buffered);
    // Replies come through the page's main thread in WebKit, which joins what waits there.
    if browser.engine() != Engine::WebKit {
        unbuffered.not_found(Rule::Coalesced);
    }
    unbuffered.not_found(Rule::Compression);
}

pub(crate) fn compression_holds(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint(STREAM);
    let held = if browser.engine() == Engine::WebKit { READABLE } else { GZIP };
    let nginx = Nginx::before(&url, &[Site::http(held), Site::http(GZIP_FLUSHED)]).expect("nginx");
    let through = |site| own(&nginx.through(site, &url).expect("an address"), 8).with("concurrency", 4);
    let held = shown(&page, &through(0));
    // Where the header is hidden from another origin, the bytes on the wire tell.
    let finding = held.found(Rule::Compression);
    assert_eq!(finding.requests.len(), 8, "{finding:?}");
    // It can't be told apart from a buffer before the compressor.
    held.is(Rule::Buffered, Verdict::CantTell);
    let flushed = shown(&page, &through(1));
    flushed.not_found(Rule::Compression);
    flushed.not_found(Rule::Buffered);
    // That the stream was compressed is known all the same.
    let counted = flushed.run.traces.iter().filter_map(|t| t.network.as_ref().ok()?.encoded_bytes);
    if browser.engine() == Engine::Chromium {
        assert!(counted.map(|bytes| usize::from(bytes < 8_000)).sum::<usize>() == 8, "{:?}", flushed.run.traces);
    }
}
