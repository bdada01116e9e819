//! A run in a worker: the page's end, which starts it and joins its clock, and the worker's own.

use std::cell::RefCell;
use std::rc::Rc;

use firstlight_core::Micros;
use firstlight_core::joint::{Joint, Ping, join};
use wasm_bindgen::JsValue;
use web_sys::Worker;

use super::live::Live;
use super::message::{Begin, Input, Output};
use crate::browser::clock;
use crate::browser::worker::{Connection, listen_to_page, post_to_page};

/// How often the worker is asked for its clock.
const PINGS: usize = 24;
/// The question.
const ASK: &str = "clock";

/// A worker that is ready for a run.
pub(super) struct Remote {
    connection: Rc<Connection>,
    /// Its clock, joined to the page's.
    pub joint: Joint,
}

impl Remote {
    /// Waits for a worker to start; an error says why there is none. `step` is what the clock rounds to.
    pub async fn start(worker: Worker, step: Micros, on_failure: impl Fn(String) + 'static) -> Result<Remote, String> {
        let (connection, origin) = Connection::start(worker, on_failure).await?;
        let origin = origin.as_f64().ok_or("the worker did not say when it began")?;
        let mut pings = Vec::new();
        for _ in 0..PINGS {
            let asked = clock::now();
            let (heard, answer) = connection.ask(&JsValue::from_str(ASK)).await;
            if let Some(answered) = answer.as_f64() {
                pings.push(Ping { asked, answered: Micros::from_ms(answered), heard: clock::page_time(heard) });
            }
        }
        let origins = Micros::from_ms(origin - clock::origin_ms());
        let joint = join(origins, &pings, step).ok_or("the worker did not tell its clock")?;
        Ok(Remote { connection: Rc::new(connection), joint })
    }

    /// Begins a run; `take` gets what it tells. Returns what tells it of the page; the worker ends when that is dropped.
    pub fn begin(self, begin: &Begin, take: impl Fn(Output) + 'static) -> Rc<dyn Fn(Input)> {
        self.connection.on_message(move |message| {
            if let Some(output) = Output::decode(message) {
                take(output);
            }
        });
        self.connection.post(&begin.encode(self.joint.offset));
        let connection = self.connection;
        Rc::new(move |input| connection.post(&input.encode()))
    }
}

/// The worker's whole life: tells its clock, then runs one run.
pub fn serve() {
    let live: RefCell<Option<Rc<Live>>> = RefCell::new(None);
    listen_to_page(move |message| {
        if message.is_string() {
            return post_to_page(&JsValue::from_f64(clock::now_ms()));
        }
        let running = live.borrow().clone();
        match running {
            Some(running) => {
                if let Some(input) = Input::decode(message) {
                    running.take(input);
                }
            }
            None => {
                let Some((begin, offset)) = Begin::decode(message) else { return };
                clock::join(offset);
                let run = Live::new(begin, |output| post_to_page(&output.encode()));
                *live.borrow_mut() = Some(Rc::clone(&run));
                run.begin();
            }
        }
    });
    post_to_page(&JsValue::from_f64(clock::origin_ms()));
}
