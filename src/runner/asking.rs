//! Asks a server for its clock before and after a run, and for its metrics while it goes on.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use firstlight_core::Micros;
use firstlight_core::align::{Probe, answer};
use firstlight_core::scrape::{Missed, Sampler, Scraped, ServerMetrics};
use wasm_bindgen_futures::spawn_local;

use crate::browser::global::{self, Timer};
use crate::browser::{clock, fetch, frames};

/// Questions for the time at each end of a run: the quickest of them counts.
const PROBES: u32 = 16;
/// A question that takes longer has no answer.
const LIMIT: Duration = Duration::from_secs(2);
/// All questions for the time of one address take no longer than about this: a slow one would hold the run up.
const ALL_PROBES: Micros = Micros(2_000_000);

/// How often a question under way is looked after.
const POLL: Duration = Duration::from_millis(20);

/// Asks each of these addresses for its time, one question after the other.
pub(super) async fn probes(urls: &[String]) -> Vec<Probe> {
    let mut probes = Vec::new();
    for url in urls {
        let begun = clock::now();
        for _ in 0..PROBES {
            let sent = clock::now();
            if sent - begun > ALL_PROBES {
                break;
            }
            let reply = fetch::ask(url, LIMIT).await;
            let received = clock::now();
            match reply.ok().and_then(|(_, text)| answer(&text)) {
                Some(answer) => probes.push(answer.between(sent, received)),
                // It tells no time; asking again would only hold the run up.
                None => break,
            }
        }
    }
    probes
}

/// Reads a server's metrics at a fixed period.
pub(super) struct Reading {
    metrics: ServerMetrics,
    sampler: RefCell<Sampler>,
    asking: Cell<bool>,
    next: Cell<Option<Timer>>,
    over: Cell<bool>,
}

impl Reading {
    /// Asks for the first time, and from then on.
    pub fn begin(metrics: ServerMetrics) -> Rc<Reading> {
        let reading = Rc::new(Reading {
            metrics,
            sampler: RefCell::default(),
            asking: Cell::new(false),
            next: Cell::new(None),
            over: Cell::new(false),
        });
        reading.turn();
        reading
    }

    fn turn(self: &Rc<Self>) {
        if self.over.get() {
            return;
        }
        if self.asking.get() {
            self.sampler.borrow_mut().skip(clock::now());
        } else {
            let reading = Rc::clone(self);
            spawn_local(async move { reading.ask().await });
        }
        let reading = Rc::clone(self);
        let period = Duration::from_millis(self.metrics.period_ms.into());
        self.next.set(Some(global::after(period, move || reading.turn())));
    }

    async fn ask(&self) {
        self.asking.set(true);
        let asked = clock::now();
        let reply = fetch::ask(&self.metrics.url, LIMIT).await;
        let answered = clock::now();
        self.asking.set(false);
        if self.over.get() {
            return;
        }
        let reply = match &reply {
            Ok((200, text)) => Ok(text.as_str()),
            Ok((status, _)) => Err(Missed::Status(*status)),
            Err(words) => Err(Missed::Network(words.clone())),
        };
        self.sampler.borrow_mut().take(asked, answered, reply);
    }

    /// Asks no more.
    pub fn stop(&self) {
        self.over.set(true);
        if let Some(timer) = self.next.take() {
            timer.clear();
        }
    }

    /// One last sample, so that what a histogram counted has an end; then no more.
    pub async fn finish(&self) -> Scraped {
        if let Some(timer) = self.next.take() {
            timer.clear();
        }
        // That under way began before the end of the run; it takes no longer than its limit.
        while self.asking.get() {
            frames::pause(POLL).await;
        }
        self.ask().await;
        self.stop();
        self.sampler.take().finish()
    }
}
