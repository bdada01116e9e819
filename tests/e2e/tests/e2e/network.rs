//! What the browser does before a request is on the wire, and what stands between: queue, preflight, redirect, service worker.

use firstlight_core::Micros;
use firstlight_core::mark::Mark;
use firstlight_core::report::Run;
use firstlight_core::trace::Trace;
use firstlight_core::validity::{Circumstance, Found, of_request, of_run};
use firstlight_e2e::stub::Stub;
use firstlight_e2e::{Browser, Engine};

use crate::checks::{all_complete, at, measure, only, open, own};

fn found(run: &Run, trace: &Trace, circumstance: Circumstance) -> Option<Found> {
    of_request(trace, &run.environment).into_iter().find(|(found, _)| *found == circumstance)
}

/// HTTP/1.1 has six connections to a host: the seventh request waits inside the browser.
pub(crate) fn the_seventh_request_waits_in_the_browser(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("ttft_ms=600&gap_ms=20&tokens=10&rid=seven");
    let run = measure(&page, &own(&url, 8).with("concurrency", 8));
    all_complete(&run);
    let waited: Vec<Micros> =
        run.traces.iter().filter_map(|t| found(&run, t, Circumstance::Queued)?.1).filter(|w| *w >= Micros::ms(500)).collect();
    assert_eq!(waited.len(), 2, "{run:?}");
    // The server's word: it never had more than six.
    let truths = served.truths("seven");
    let open_at = |us: u64| truths.iter().filter(|t| t.received_us <= us && t.closed_us.is_none_or(|c| c > us)).count();
    assert!(truths.iter().all(|t| open_at(t.received_us) <= 6), "{truths:?}");
}

/// A slow preflight is in the wait of the request for which it is sent. How long a permission is remembered is the browser's
/// own affair, so only the first request is looked at.
pub(crate) fn a_preflight_is_in_the_wait_before_the_request(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast&preflight_ms=300"), 1));
    all_complete(&run);
    let before = |t: &Trace| at(t, Mark::RequestStart) - at(t, Mark::Sent);
    assert!(before(&run.traces[0]) >= Micros::ms(299), "{:?}", run.traces[0]);
    let timing = run.traces[0].network.as_ref().expect("network timing");
    if browser.engine() == Engine::WebKit {
        // Its entry begins when the preflight is over: only the page's own stamp has the whole wait.
        assert!(timing.start - at(&run.traces[0], Mark::Sent) >= Micros::ms(290), "{timing:?}");
    } else {
        assert!(timing.queued().is_some_and(|q| q >= Micros::ms(290)), "{timing:?}");
    }
}

pub(crate) fn a_redirect_is_told(browser: &Browser) {
    let (served, page) = open(browser);
    let to = served.endpoint("preset=fast");
    let stub = Stub::redirect(&to).expect("a stub");
    let run = measure(&page, &own(stub.url(), 1));
    all_complete(&run);
    assert!(found(&run, only(&run), Circumstance::Redirected).is_some(), "{run:?}");
}

/// Nothing is answered from the cache, even where the server allows it: each request reaches it.
pub(crate) fn nothing_comes_from_the_cache(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast&rid=cache"), 4));
    all_complete(&run);
    assert_eq!(served.truths("cache").len(), 4);
    assert!(run.traces.iter().all(|t| found(&run, t, Circumstance::FromCache).is_none()));
}

/// A service worker of the page's own origin that passes everything through.
pub(crate) fn a_service_worker_in_the_path_is_told(browser: &Browser) {
    let served = firstlight_e2e::Served::start_with(&[(
        "pass.js",
        "self.addEventListener('install', () => self.skipWaiting());\
         self.addEventListener('activate', (e) => e.waitUntil(self.clients.claim()));\
         self.addEventListener('fetch', (e) => e.respondWith(fetch(e.request)));",
    )])
    .expect("the server starts");
    let page = served.open(browser).expect("the page opens");
    let register = "await navigator.serviceWorker.register('./pass.js');\
        await navigator.serviceWorker.ready;\
        if (!navigator.serviceWorker.controller) {\
            await new Promise((then) => navigator.serviceWorker.addEventListener('controllerchange', then, { once: true }));\
        }";
    browser.execute_async(register, vec![]).expect("registered");
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 2));
    let unregister = "for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();";
    browser.execute_async(unregister, vec![]).expect("unregistered");
    all_complete(&run);
    assert!(of_run(&run.environment, Micros(run.clock.step_us)).contains(&(Circumstance::ServiceWorker, None)), "{run:?}");
    // Firefox hides the timing of what a service worker passes through.
    let timed = browser.engine() != Engine::Firefox;
    assert!(run.traces.iter().all(|t| found(&run, t, Circumstance::ServiceWorker).is_some() == timed), "{run:?}");
}
