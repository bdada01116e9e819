//! The way to the wire: permissions, connections, and what may be read of it.

use firstlight_core::diagnosis::Rule;
use firstlight_e2e::nginx::{Nginx, Site};
use firstlight_e2e::{Browser, Engine};

use super::shown;
use crate::checks::{open, own};

/// A permission that is worth nothing for the next request.
const FORGOTTEN: &str =
    "proxy_buffering off; proxy_hide_header Access-Control-Max-Age; add_header Access-Control-Max-Age 0 always;";
const AS_IT_IS: &str = "proxy_buffering off;";
/// A connection for every request.
const CLOSED: &str = "proxy_buffering off; keepalive_timeout 0;";

/// HTTP/1.1 has six connections to a host: of twelve at once six wait, of four at once none.
pub(crate) fn browser_queue(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=150&gap_ms=10&tokens=5");
    let found = shown(&page, &own(&url, 24).with("concurrency", 12)).found(Rule::BrowserQueue);
    assert!(found.requests.len() >= 6, "{found:?}");
    shown(&page, &own(&url, 24).with("concurrency", 4)).not_found(Rule::BrowserQueue);
}

pub(crate) fn preflight_each_time(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=250&gap_ms=5&tokens=5&preflight_ms=100");
    let nginx = Nginx::before(&url, &[Site::http(FORGOTTEN), Site::http(AS_IT_IS)]).expect("nginx");
    let through = |site| own(&nginx.through(site, &url).expect("an address"), 10);
    let found = shown(&page, &through(0)).found(Rule::Preflight);
    assert_eq!(found.requests.len(), 10, "{found:?}");
    assert!(found.share.is_some_and(|share| share > 0.2), "{found:?}");
    // The same wait, once, is remembered for ten minutes.
    shown(&page, &through(1)).not_found(Rule::Preflight);
}

pub(crate) fn cold_connections(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=5&gap_ms=2&tokens=3");
    // WebKitGTK opens a connection for every POST, kept or not: only where that costs nothing is it no matter.
    let kept = if browser.engine() == Engine::WebKit { Site::http(AS_IT_IS) } else { Site::https(AS_IT_IS) };
    let nginx = Nginx::before(&url, &[Site::https(CLOSED), kept]).expect("nginx");
    let through = |site| own(&nginx.through(site, &url).expect("an address"), 20);
    let found = shown(&page, &through(0)).found(Rule::Cold);
    assert!(found.requests.len() >= 19, "{found:?}");
    shown(&page, &through(1)).not_found(Rule::Cold);
}

pub(crate) fn unreadable_header(browser: &Browser) {
    let (served, page) = open(browser);
    let found = shown(&page, &own(&served.endpoint("preset=fast&expose=off&tao=off"), 2)).found(Rule::Unreadable);
    let lines = ["Access-Control-Expose-Headers: Server-Timing", "Timing-Allow-Origin: *"];
    assert!(found.requests.len() == 2 && lines.iter().all(|line| found.advice.contains(line)), "{found:?}");
    shown(&page, &own(&served.endpoint("preset=fast"), 2)).not_found(Rule::Unreadable);
}
