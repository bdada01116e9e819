//! Marks: instants of one request, and why one is missing.

use crate::Micros;

/// Why a mark or a figure is not there. A missing value stays missing: it is never 0 and never another mark's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Absence {
    /// The request ended before this could happen.
    NotReached,
    /// The whole answer came at once, so there is no first part.
    NonStreaming,
    /// The reply holds one result, not a generated text: first-token metrics do not apply.
    SinglePrediction,
    /// The reply held no output of this kind.
    NoOutput,
    /// The workload's rule for useful output was never satisfied.
    RuleNotSatisfied,
    /// The server does not send `Timing-Allow-Origin` for this page.
    NoTimingAllowOrigin,
    /// The browser gave no network timing for this request within the wait.
    NoResourceTiming,
    /// This browser does not report the instant.
    EngineLacks,
    /// The page was hidden at some moment between request and paint.
    Hidden,
    /// The place of the answer was outside the viewport.
    OffScreen,
    /// Something lay over the place of the answer.
    Covered,
    /// The request was not drawn into the painted subset.
    NotInPaintedSubset,
    /// The request ended, or the run stopped, before the paint.
    AbortedBeforePaint,
    /// The browser gave no paint entry within the wait.
    NoPaintEntry,
    /// Only open-loop loads have an intended time.
    ClosedLoop,
    /// No trusted user event caused the request.
    NoUserInput,
    /// The format has no end marker of its own.
    NoTerminator,
    /// The number of output tokens is not known.
    TokensUnknown,
    /// There are too few values for the figure.
    TooFew,
    /// The window is too short for a rate.
    TooShort,
    /// Concurrency never stood at its target.
    NeverAtTarget,
    /// The server reported no span that can be compared.
    NoServerReport,
    /// The report does not fit into the measured time: wrong unit, wrong boundary or overlapping spans.
    Inconsistent,
    /// Only the bounds of the instant are known.
    BoundsOnly,
    /// The run was merged of several, each on a clock of its own.
    OwnClocks,
}

impl Absence {
    /// Every reason, in a fixed order.
    pub const ALL: [Absence; 25] = [
        Absence::NotReached,
        Absence::NonStreaming,
        Absence::SinglePrediction,
        Absence::NoOutput,
        Absence::RuleNotSatisfied,
        Absence::NoTimingAllowOrigin,
        Absence::NoResourceTiming,
        Absence::EngineLacks,
        Absence::Hidden,
        Absence::OffScreen,
        Absence::Covered,
        Absence::NotInPaintedSubset,
        Absence::AbortedBeforePaint,
        Absence::NoPaintEntry,
        Absence::ClosedLoop,
        Absence::NoUserInput,
        Absence::NoTerminator,
        Absence::TokensUnknown,
        Absence::TooFew,
        Absence::TooShort,
        Absence::NeverAtTarget,
        Absence::NoServerReport,
        Absence::Inconsistent,
        Absence::BoundsOnly,
        Absence::OwnClocks,
    ];

    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Absence::NotReached => "not_reached",
            Absence::NonStreaming => "non_streaming",
            Absence::SinglePrediction => "single_prediction",
            Absence::NoOutput => "no_output",
            Absence::RuleNotSatisfied => "rule_not_satisfied",
            Absence::NoTimingAllowOrigin => "no_timing_allow_origin",
            Absence::NoResourceTiming => "no_resource_timing",
            Absence::EngineLacks => "engine_lacks",
            Absence::Hidden => "hidden",
            Absence::OffScreen => "off_screen",
            Absence::Covered => "covered",
            Absence::NotInPaintedSubset => "not_in_painted_subset",
            Absence::AbortedBeforePaint => "aborted_before_paint",
            Absence::NoPaintEntry => "no_paint_entry",
            Absence::ClosedLoop => "closed_loop",
            Absence::NoUserInput => "no_user_input",
            Absence::NoTerminator => "no_terminator",
            Absence::TokensUnknown => "tokens_unknown",
            Absence::TooFew => "too_few",
            Absence::TooShort => "too_short",
            Absence::NeverAtTarget => "never_at_target",
            Absence::NoServerReport => "no_server_report",
            Absence::Inconsistent => "inconsistent",
            Absence::BoundsOnly => "bounds_only",
            Absence::OwnClocks => "own_clocks",
        }
    }

    /// The reason of a stable name.
    pub fn from_code(code: &str) -> Option<Absence> {
        Absence::ALL.into_iter().find(|a| a.code() == code)
    }
}

/// The names of the marks that are single instants. The two paint marks are intervals: see [`crate::paint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// When the load plan wanted the request to start (open-loop loads only).
    Intended,
    /// The trusted user event that caused the request.
    Input,
    /// The runner took the request out of its own queue.
    Dispatched,
    /// Just before `fetch()` was called.
    Sent,
    /// The browser put the request on the wire (ResourceTiming `requestStart`).
    RequestStart,
    /// First byte of the final response (ResourceTiming).
    FirstByte,
    /// The fetch promise resolved. Firefox resolves at the first body byte, so this is never called TTFB.
    HeadersSeen,
    /// First read that gave bytes.
    FirstRead,
    /// First framed event of any kind.
    FirstEvent,
    /// First non-empty generated payload on any channel.
    FirstOutput,
    /// First non-empty reasoning payload.
    FirstReasoning,
    /// First payload of the answer that holds a character one can see.
    FirstAnswer,
    /// The shown answer first satisfied the usefulness rule.
    FirstUseful,
    /// Last non-empty payload of the answer.
    LastAnswer,
    /// Last non-empty payload of any channel.
    LastOutput,
    /// The protocol's own end.
    Terminal,
    /// The body ended.
    BodyEnd,
}

impl Mark {
    /// Every mark in the order of the definitions.
    pub const ALL: [Mark; 17] = [
        Mark::Intended,
        Mark::Input,
        Mark::Dispatched,
        Mark::Sent,
        Mark::RequestStart,
        Mark::FirstByte,
        Mark::HeadersSeen,
        Mark::FirstRead,
        Mark::FirstEvent,
        Mark::FirstOutput,
        Mark::FirstReasoning,
        Mark::FirstAnswer,
        Mark::FirstUseful,
        Mark::LastAnswer,
        Mark::LastOutput,
        Mark::Terminal,
        Mark::BodyEnd,
    ];

    /// The stable name used in run files and in the interface.
    pub fn code(self) -> &'static str {
        match self {
            Mark::Intended => "intended",
            Mark::Input => "input",
            Mark::Dispatched => "dispatched",
            Mark::Sent => "sent",
            Mark::RequestStart => "request_start",
            Mark::FirstByte => "first_byte",
            Mark::HeadersSeen => "headers_seen",
            Mark::FirstRead => "first_read",
            Mark::FirstEvent => "first_event",
            Mark::FirstOutput => "first_output",
            Mark::FirstReasoning => "first_reasoning",
            Mark::FirstAnswer => "first_answer",
            Mark::FirstUseful => "first_useful",
            Mark::LastAnswer => "last_answer",
            Mark::LastOutput => "last_output",
            Mark::Terminal => "terminal",
            Mark::BodyEnd => "body_end",
        }
    }

    /// The mark of a stable name.
    pub fn from_code(code: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|m| m.code() == code)
    }
}

/// All single-instant marks of one request, each present or absent with a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks([Result<Micros, Absence>; Mark::ALL.len()]);

impl Default for Marks {
    fn default() -> Self {
        let mut marks = Marks([Err(Absence::NotReached); Mark::ALL.len()]);
        marks.absent(Mark::Intended, Absence::ClosedLoop);
        marks.absent(Mark::Input, Absence::NoUserInput);
        marks
    }
}

impl Marks {
    /// The instant, or why there is none.
    pub fn get(&self, mark: Mark) -> Result<Micros, Absence> {
        self.0[mark as usize]
    }

    /// Stamps a mark, replacing what was there.
    pub fn set(&mut self, mark: Mark, at: Micros) {
        self.0[mark as usize] = Ok(at);
    }

    /// Stamps a mark unless it is there already.
    pub fn set_first(&mut self, mark: Mark, at: Micros) {
        if self.get(mark).is_err() {
            self.set(mark, at);
        }
    }

    /// Says why a mark is missing, unless it is there.
    pub fn absent(&mut self, mark: Mark, why: Absence) {
        if self.get(mark).is_err() {
            self.0[mark as usize] = Err(why);
        }
    }

    /// Takes a mark away and says why.
    pub fn withdraw(&mut self, mark: Mark, why: Absence) {
        self.0[mark as usize] = Err(why);
    }

    /// `later − earlier`, or the first reason that prevents it.
    pub fn between(&self, earlier: Mark, later: Mark) -> Result<Micros, Absence> {
        Ok(self.get(later)? - self.get(earlier)?)
    }
}
