//! The browser's own network timing. The page's buffer is never cleared or resized: others may rely on it.

use firstlight_core::network::NetworkTiming;
use firstlight_core::server_report::Entry;
use wasm_bindgen::JsValue;

use super::paint::Observer;
use super::{clock, non_zero, property};

/// Observes entries as they come: address, timing, Server-Timing metrics.
pub fn observe(callback: impl Fn(String, NetworkTiming, Vec<Entry>) + 'static) -> Option<Observer> {
    Observer::new("resource", move |entries| {
        for entry in entries.iter() {
            let name = property(&entry, "name").as_string().unwrap_or_default();
            callback(name, timing(&entry), server_timing(&entry));
        }
    })
}

fn timing(entry: &JsValue) -> NetworkTiming {
    let at = |name: &str| non_zero(entry, name).map(clock::page_time);
    let protocol = property(entry, "nextHopProtocol").as_string().filter(|p| !p.is_empty());
    NetworkTiming {
        start: at("startTime").unwrap_or_default(),
        fetch_start: at("fetchStart"),
        connect_start: at("connectStart"),
        connect_end: at("connectEnd"),
        request_start: at("requestStart"),
        // `responseStart` may be the instant of an interim response.
        first_byte: at("finalResponseHeadersStart").or_else(|| at("responseStart")),
        response_end: at("responseEnd").unwrap_or_default(),
        protocol,
        service_worker: at("workerStart").is_some(),
        from_cache: property(entry, "deliveryType").as_string().is_some_and(|t| t == "cache"),
        encoded_bytes: non_zero(entry, "encodedBodySize").map(|n| n as u64),
    }
}

/// A duration of 0 may be a missing one here: browsers don't tell the two apart, so it counts as missing.
fn server_timing(entry: &JsValue) -> Vec<Entry> {
    let list = property(entry, "serverTiming");
    if !js_sys::Array::is_array(&list) {
        return Vec::new();
    }
    let metrics: js_sys::Array = list.into();
    let read = |metric: JsValue| Entry {
        name: property(&metric, "name").as_string().unwrap_or_default(),
        duration: non_zero(&metric, "duration").map(|ms| (ms, ms.to_string())),
        description: property(&metric, "description").as_string().filter(|d| !d.is_empty()),
    };
    metrics.iter().map(read).collect()
}
