//! Everything that is known of one request: raw evidence, from which every figure of it follows.

use crate::Micros;
use crate::mark::{Absence, Mark, Marks};
use crate::network::NetworkTiming;
use crate::outcome::Outcome;
use crate::paint::Paint;
use crate::server_report::{Span, Stages};
use crate::workload::check::CheckFailure;

/// Streaming or not, as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// `stream: true`.
    Streaming,
    /// The whole answer at once.
    NonStreaming,
}

impl Mode {
    /// Both.
    pub const ALL: [Mode; 2] = [Mode::Streaming, Mode::NonStreaming];

    /// Of a stable name.
    pub fn from_code(code: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.code() == code)
    }

    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Mode::Streaming => "streaming",
            Mode::NonStreaming => "non_streaming",
        }
    }
}

/// What the reply turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Parts of an answer over time.
    Stream,
    /// One whole generated answer.
    Whole,
    /// One result that is not a generated text: a score, an embedding, a classification.
    Prediction,
}

/// A request's place in the run's plan, fixed before it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Position in the plan, from 0.
    pub id: u32,
    /// Sent before the measured part, kept apart.
    pub warmup: bool,
    /// As asked.
    pub mode: Mode,
    /// Requests with the same number were measured side by side, in random order.
    pub pair: Option<u32>,
    /// Drawn into the painted subset.
    pub painted: bool,
    /// In an open loop, when it is to start: from the beginning of the warm-up, of the measured part, or of its level in a
    /// sweep, pauses left out. [`Mark::Intended`] is the instant that came of it.
    pub intended: Option<Micros>,
    /// Step of a load in steps, level of a sweep.
    pub stage: u32,
    /// 1: of the candidate of a comparison.
    pub arm: u8,
    /// The workload's case.
    pub case: u32,
    /// The request that must be over before it: the turn before, in a conversation.
    pub after: Option<u32>,
    /// Its user gives it up so long after `sent`.
    pub cancel_after: Option<Micros>,
}

impl Planned {
    /// A measured request of a closed loop, with nothing special about it.
    pub fn measured(id: u32, mode: Mode) -> Planned {
        Planned {
            id,
            warmup: false,
            mode,
            pair: None,
            painted: false,
            intended: None,
            stage: 0,
            arm: 0,
            case: 0,
            after: None,
            cancel_after: None,
        }
    }
}

/// One `read()` that gave bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The stamp.
    pub at: Micros,
    /// Decoded bytes.
    pub bytes: u32,
    /// Framed events that this read completed.
    pub events: u32,
    /// Of these, events that bore output on any channel.
    pub output_events: u32,
}

/// What the response's head said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseFacts {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`, as sent.
    pub content_type: Option<String>,
    /// `Content-Encoding`, where it can be read.
    pub content_encoding: Option<String>,
    /// `Retry-After`, where it can be read.
    pub retry_after: Option<String>,
    /// `Server-Timing`, where it can be read.
    pub server_timing: Option<String>,
    /// The final URL is not the one asked for.
    pub redirected: bool,
    /// Target and page are of different origins.
    pub cross_origin: bool,
}

/// Token counts as the server reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Prompt tokens.
    pub input: Option<u64>,
    /// Output tokens as reported (whether reasoning is among them differs between servers).
    pub output: Option<u64>,
    /// Of these, or beside these, reasoning tokens.
    pub reasoning: Option<u64>,
    /// Prompt tokens that came from a cache.
    pub cached: Option<u64>,
}

impl Usage {
    /// These counts, and where one is missing, the older one.
    pub fn over(self, older: Usage) -> Usage {
        Usage {
            input: self.input.or(older.input),
            output: self.output.or(older.output),
            reasoning: self.reasoning.or(older.reasoning),
            cached: self.cached.or(older.cached),
        }
    }
}

/// Characters of output by channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// Characters of the answer.
    pub answer_chars: u64,
    /// Characters of reasoning.
    pub reasoning_chars: u64,
    /// Characters of tool arguments.
    pub tool_chars: u64,
    /// Keep-alive comments.
    pub comments: u32,
}

/// Circumstances beside the outcome that change what a figure means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The page was hidden at some moment of the request.
    pub hidden_during: bool,
    /// Stamps of this request break an order that must hold (clock coarsening).
    pub order_violation: bool,
    /// The body was still open a while after the protocol's end.
    pub body_left_open: bool,
    /// `fetch` was not the browser's own.
    pub patched_fetch: bool,
    /// Something lay over the answer's place when it was painted.
    pub covered: Covered,
    /// How long the page's main thread was blocked between `sent` and the first visible output.
    pub blocked_first: Micros,
    /// How long it was blocked between `sent` and the end.
    pub blocked: Micros,
    /// Lengths of the frames over 50 ms while the answer came and was drawn; none where nobody looked.
    pub long_frames: Option<Vec<Micros>>,
    /// When the browser says that the first of the answer was painted, as content that a person's press caused, or why it does
    /// not; none where nobody's press caused the request.
    pub press_paint: Option<Result<Micros, Absence>>,
}

/// Whether something lay over a place on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Covered {
    /// Yes.
    Yes,
    /// The browser says that nothing did.
    No,
    /// This browser can't tell, or was not asked.
    #[default]
    Unknown,
}

impl Covered {
    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Covered::Yes => "yes",
            Covered::No => "no",
            Covered::Unknown => "unknown",
        }
    }

    /// Of a stable name.
    pub fn from_code(code: &str) -> Option<Covered> {
        [Covered::Yes, Covered::No, Covered::Unknown].into_iter().find(|c| c.code() == code)
    }
}

/// Something worth knowing about a reply that is not an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name, see [`crate::text`].
    pub code: &'static str,
    /// The particulars, in the server's or browser's own words.
    pub detail: String,
}

/// One request, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Its place in the plan.
    pub planned: Planned,
    /// Instants.
    pub marks: Marks,
    /// When the first visible characters were on the screen.
    pub first_visible: Paint,
    /// When the last of the answer was on the screen.
    pub complete_visible: Paint,
    /// Every read.
    pub reads: Vec<Read>,
    /// The head of the response, once it came.
    pub response: Option<ResponseFacts>,
    /// What the reply was, once known.
    pub shape: Option<Shape>,
    /// Which decoder read it, and why that one.
    pub dialect: Option<(&'static str, &'static str)>,
    /// The browser's own network timing.
    pub network: Result<NetworkTiming, Absence>,
    /// What the server reported.
    pub spans: Vec<Span>,
    /// When the server did what, on its own clock, where it says so.
    pub stages: Option<Box<Stages>>,
    /// Whether `Server-Timing` could be read, and if not, why.
    pub server_timing_access: crate::server_report::Access,
    /// Token counts as reported.
    pub usage: Option<Usage>,
    /// How many results a prediction's body held, where its format tells.
    pub items: Option<u64>,
    /// Amounts of output.
    pub amounts: Amounts,
    /// How it ended.
    pub outcome: Outcome,
    /// When the runner's knowledge of it ended (for censoring).
    pub last_known: Micros,
    /// Circumstances.
    pub flags: Flags,
    /// Notes.
    pub diagnostics: Vec<Diagnostic>,
    /// What its case's check says of its result; none where there is no check or no result.
    pub check: Option<Result<(), CheckFailure>>,
}

impl Trace {
    /// Reads that bore output, in order.
    pub fn output_reads(&self) -> impl Iterator<Item = &Read> {
        self.reads.iter().filter(|r| r.output_events > 0)
    }

    /// The reply came in parts.
    pub fn streamed(&self) -> bool {
        self.shape == Some(Shape::Stream)
    }

    /// Whether its result passed its check; none where there is none.
    pub fn passed(&self) -> Option<bool> {
        self.check.as_ref().map(Result::is_ok)
    }

    /// How long the request had been going when it was last heard of; none before it was sent.
    pub fn elapsed(&self) -> Option<Micros> {
        self.marks.get(Mark::Sent).ok().map(|sent| self.last_known - sent)
    }

    /// How long it had been due when it was last heard of, for response time: also of a request that was never sent.
    pub fn overdue(&self) -> Result<Micros, Absence> {
        Ok(self.last_known - self.marks.get(Mark::Intended)?)
    }

    /// It was cancelled as the plan wanted, and not by a person who stopped the run.
    pub fn cancelled_by_plan(&self) -> bool {
        let given_up = self.planned.cancel_after.zip(self.elapsed());
        self.outcome == Outcome::Cancelled && given_up.is_some_and(|(after, elapsed)| elapsed >= after)
    }

    /// From `sent` until the first of the answer was on the screen, as far as that is known: else until it came, or the end.
    pub fn first_wait(&self) -> Option<(Micros, Micros)> {
        let sent = self.marks.get(Mark::Sent).ok()?;
        let seen = self.first_visible.ok().and_then(|seen| seen.latest.or(seen.value));
        let end = seen.or(self.marks.get(Mark::FirstAnswer).ok()).unwrap_or(self.last_known);
        Some((sent, end))
    }

    /// From `sent` until the last of the answer was on the screen, as far as that is known: else until the end.
    pub fn whole_wait(&self) -> Option<(Micros, Micros)> {
        let sent = self.marks.get(Mark::Sent).ok()?;
        let seen = self.complete_visible.ok().and_then(|seen| seen.latest.or(seen.value));
        Some((sent, seen.unwrap_or(self.last_known).max(self.last_known)))
    }

    /// From the first of the answer until the last of it was on the screen, as far as that is known: else until the end. None of
    /// an answer that was not drawn.
    pub fn drawn_for(&self) -> Option<(Micros, Micros)> {
        let first = self.marks.get(Mark::FirstAnswer).or(self.marks.get(Mark::LastAnswer)).ok()?;
        let (_, end) = self.whole_wait().filter(|_| self.planned.painted)?;
        Some((first, end))
    }

    /// The order in which marks must stand, as pairs that don't.
    pub fn order_violations(&self) -> Vec<(Mark, Mark)> {
        const CHAIN: [Mark; 8] = [
            Mark::Intended,
            Mark::Dispatched,
            Mark::Sent,
            Mark::FirstRead,
            Mark::FirstEvent,
            Mark::FirstOutput,
            Mark::LastOutput,
            Mark::BodyEnd,
        ];
        let present: Vec<(Mark, Micros)> = CHAIN.iter().filter_map(|m| self.marks.get(*m).ok().map(|at| (*m, at))).collect();
        present.windows(2).filter(|w| w[0].1 > w[1].1).map(|w| (w[0].0, w[1].0)).collect()
    }

    /// The first characters were seen after they came, as far as the bounds tell.
    pub fn seen_before_received(&self) -> bool {
        match (self.first_visible, self.marks.get(Mark::FirstAnswer)) {
            (Ok(seen), Ok(answer)) => seen.latest.is_some_and(|latest| latest < answer),
            _ => false,
        }
    }
}
