//! Under what the page is measured.

use std::fmt;

use firstlight_core::config::ThreadChoice;
use firstlight_e2e::Engine;
use serde::{Deserialize, Serialize};

/// How the reply comes, and what else the page has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A chunk every 23 ms.
    Quiet,
    /// 50 chunks, 500 a second.
    Burst,
    /// A first chunk of 256 kB.
    Large,
    /// The main thread is busy for 150 ms, from well before the first chunk to well behind it.
    Before,
    /// The main thread is busy for 150 ms in a task that is queued when the first chunk is written into the page.
    After,
    /// The main thread is busy for 150 ms in the task that writes it.
    Same,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 6] = [Shape::Quiet, Shape::Burst, Shape::Large, Shape::Before, Shape::After, Shape::Same];

    /// Short, for options and tables.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Quiet => "quiet",
            Shape::Burst => "burst",
            Shape::Large => "256kB",
            Shape::Before => "block-before",
            Shape::After => "block-after",
            Shape::Same => "block-same-task",
        }
    }

    /// For the built-in endpoint.
    pub fn query(self) -> &'static str {
        match self {
            Shape::Quiet => "preset=fast&ttft_ms=127&gap_ms=23&tokens=6",
            Shape::Burst => "preset=fast&ttft_ms=127&gap_ms=2&tokens=50",
            Shape::Large => "preset=fast&ttft_ms=227&gap_ms=25&tokens=8&first_chunk_bytes=262144",
            // The block runs from 100 to 250 ms after the request was made.
            Shape::Before => "preset=fast&ttft_ms=197&gap_ms=7&tokens=12",
            Shape::After | Shape::Same => "preset=fast&ttft_ms=127&gap_ms=7&tokens=12",
        }
    }

    /// For the script in the page.
    pub fn block(self) -> Option<&'static str> {
        match self {
            Shape::Quiet | Shape::Burst | Shape::Large => None,
            Shape::Before => Some("before"),
            Shape::After => Some("after"),
            Shape::Same => Some("same"),
        }
    }
}

/// A shape in an engine, with or without isolation, read on one of two threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Which browser.
    pub engine: Engine,
    /// What comes.
    pub shape: Shape,
    /// The page is cross-origin isolated.
    pub isolated: bool,
    /// Where replies are read.
    pub worker: bool,
    /// Measured requests.
    pub requests: u32,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// Everything, in about an hour.
    Full,
    /// Every shape once in each engine, in about five minutes.
    Quick,
}

impl Condition {
    /// All that is measured. Chromium says when a piece was presented, so a figure about errors needs fewer requests than one
    /// about how often bounds hold. In Firefox the two ways of reading are measured once with and once without isolation.
    pub fn all(extent: Extent) -> Vec<Condition> {
        let ways: &[(Engine, bool, bool, u32)] = match extent {
            Extent::Full => &[
                (Engine::Chromium, true, true, 80),
                (Engine::Chromium, true, false, 80),
                (Engine::Chromium, false, true, 80),
                (Engine::Chromium, false, false, 80),
                (Engine::Firefox, true, true, 400),
                (Engine::Firefox, false, false, 400),
                (Engine::WebKit, true, true, 80),
            ],
            Extent::Quick => &[(Engine::Chromium, true, true, 30), (Engine::Firefox, true, true, 30)],
        };
        let one = |(engine, isolated, worker, requests)| {
            Shape::ALL.into_iter().map(move |shape| Condition { engine, shape, isolated, worker, requests })
        };
        ways.iter().copied().flat_map(one).collect()
    }

    /// The one that is held against Chromium's trace.
    pub fn is_for_trace(&self) -> bool {
        self.engine == Engine::Chromium && self.shape == Shape::Quiet && self.isolated && self.worker
    }

    /// For the run.
    pub fn thread(&self) -> ThreadChoice {
        if self.worker { ThreadChoice::Worker } else { ThreadChoice::Main }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = format!("{:?}", self.engine).to_lowercase();
        let isolated = if self.isolated { "isolated" } else { "not-isolated" };
        let thread = if self.worker { "worker" } else { "main" };
        write!(f, "{engine}/{}/{isolated}/{thread}", self.shape.name())
    }
}
