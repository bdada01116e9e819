//! Measuring without any interface, for other people's pages: the WebAssembly of the npm package's `measure`.
//!
//! Objects cross as JSON text: their types are core's, and the reader and writer of JSON are here anyway. What a person or a
//! bundler may decide (where the worker's file is, which elements hold the answers) is the JavaScript half's, `www/npm/measure.js`.

use std::cell::RefCell;
use std::rc::Rc;

use firstlight_core::config::{Given, given};
use firstlight_core::report::figures;
use firstlight_core::summary::Summary;
use firstlight_web::browser::environment::{page_url, seed};
use firstlight_web::runner::{self, Output, Room, Stage, UnderWay};
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Worker};

#[wasm_bindgen]
extern "C" {
    /// The JavaScript half of one run.
    pub type Host;

    /// Makes a worker; throws where there can be none.
    #[wasm_bindgen(method, catch)]
    fn worker(this: &Host) -> Result<Worker, JsValue>;
    /// Pairs of elements, place and answer in it: as many as answers may be shown at once.
    #[wasm_bindgen(method)]
    fn rooms(this: &Host) -> Array;
    /// A request is over.
    #[wasm_bindgen(method)]
    fn sample(this: &Host, json: &str);
    /// The run is over: its figures, and its file.
    #[wasm_bindgen(method)]
    fn done(this: &Host, figures: &str, run: &str);
    /// The worker broke, and with it all that it knew is lost.
    #[wasm_bindgen(method)]
    fn broken(this: &Host, why: &str);
    /// This module broke, and can't be used any more.
    #[wasm_bindgen(method)]
    fn dead(this: &Host, why: &str);
}

thread_local! {
    /// The run under way. One at a time: two would measure each other.
    static LIVE: RefCell<Option<(Rc<UnderWay>, Rc<Host>)>> = const { RefCell::new(None) };
}

/// An error is a JSON list of problems.
fn read(config: &str, secrets: &str) -> Result<Given, String> {
    given(config, secrets, &page_url(), seed())
}

/// Everything that is wrong with a configuration, as a JSON list of `{field, message}`; none if it can be run.
#[wasm_bindgen]
pub fn check(config: &str, secrets: &str) -> Option<String> {
    read(config, secrets).err()
}

/// Starts a run; false if the configuration is wrong or a run is under way.
#[wasm_bindgen]
pub fn start(config: &str, secrets: &str, samples: bool, host: Host) -> bool {
    let Ok(Given { config, secrets }) = read(config, secrets) else { return false };
    if LIVE.with_borrow(Option::is_some) {
        return false;
    }
    std::panic::set_hook(Box::new(|panic| {
        let host = LIVE.with(|live| live.try_borrow().ok()?.as_ref().map(|(_, host)| Rc::clone(host)));
        if let Some(host) = host {
            host.dead(&panic.to_string());
        }
    }));
    let host = Rc::new(host);
    let (making, showing, hearing, ending) = (Rc::clone(&host), Rc::clone(&host), Rc::clone(&host), Rc::clone(&host));
    let stage = Stage {
        config,
        secrets,
        rooms: Box::new(move || showing.rooms().iter().filter_map(room).collect()),
        places: None,
        worker: Box::new(move || making.worker()),
        hear: Box::new(move |output| {
            if let Output::Sample(json) = output {
                hearing.sample(json);
            }
        }),
        samples,
        press: None,
        keep: None,
    };
    let run = UnderWay::begin(stage, move |found| {
        LIVE.take();
        match found {
            Ok(run) => {
                let summary = Summary::of(&run);
                ending.done(&figures(&run, &summary).to_string(), &run.to_json_with(&summary));
            }
            Err(why) => ending.broken(&why),
        }
    });
    LIVE.set(Some((run, host)));
    true
}

fn room(pair: JsValue) -> Option<Room> {
    let pair: Array = pair.dyn_into().ok()?;
    let element = |at| pair.get(at).dyn_into::<Element>().ok();
    Some(Room { place: element(0)?, answer: element(1)?, class: "firstlight-answer", piece: "firstlight-piece" })
}

/// Stops the run under way; what was measured is kept.
#[wasm_bindgen]
pub fn stop() {
    let run = LIVE.with_borrow(|live| live.as_ref().map(|(run, _)| Rc::clone(run)));
    if let Some(run) = run {
        run.stop();
    }
}

/// The whole life of a worker.
#[wasm_bindgen]
pub fn serve() {
    runner::serve();
}
